import { expect, test } from 'vitest';
import type { ChangeKind } from '../../../src/contracts/review/change-kinds.ts';
import { isProvedWithoutRed, plannedKind } from '../../../src/contracts/review/change-kinds.ts';

test.each<readonly [ChangeKind | undefined, boolean]>([
  ['feature', false],
  ['fix', false],
  ['refactor', true],
  ['deletion', true],
  ['tests', true],
  ['exempt', false],
  ['explore', false],
  [undefined, false],
])('a change of kind %s is proved without red: %s', (kind, is) => {
  expect(isProvedWithoutRed(kind)).toBe(is);
});

test.each<readonly [ChangeKind | null, string]>([
  ['fix', 'fix'],
  ['refactor', 'refactor'],
  ['exempt', 'feature'],
  ['explore', 'feature'],
  [null, 'feature'],
])('kind %s was planned as %s', (kind, planned) => {
  expect(plannedKind(kind)).toBe(planned);
});
