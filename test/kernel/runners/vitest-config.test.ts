import { expect, it } from 'vitest';
import { readVitestConfig } from '../../../src/kernel/runners/vitest/read-config.ts';

it.each([
  ['strings', "test: { include: ['a/**', 'b/**'] }", ['a/**', 'b/**']],
  ['a name', 'test: { include: globs }', []],
  ['a list that never ends', "test: { include: ['a/**'] }, other: { test: { include: ['b/**' } }", []],
  ['a list with a call', "test: { include: ['a/**', of('b')] }", []],
])('what vitest includes, given as %s, is read or unknown', (_, text, include) => {
  expect(readVitestConfig(`export default { ${text} }`).include).toEqual(include);
});
