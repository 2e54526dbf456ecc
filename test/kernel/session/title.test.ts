import { expect, it } from 'vitest';
import { rename } from '../../../src/kernel/session/title.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('a title of the user is one line that a terminal shows as it is, and no model replaces it', () => {
  const { session } = testKernel();
  expect(rename(session, '  Errors of\n\u001b[2JparseConfig ')).toBe('Errors of [2JparseConfig');
  expect(session.row.title).toBe('Errors of [2JparseConfig');
  expect(session.snapshot.titled).toBe(true);
});

it('a long one is cut, and one without anything to show changes nothing', () => {
  const { session } = testKernel();
  expect(rename(session, 'x'.repeat(500))).toHaveLength(80);
  expect(rename(session, '\u0007 \n')).toBe(session.row.title);
  expect(session.row.title).toHaveLength(80);
});
