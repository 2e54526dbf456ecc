import { expect, it } from 'vitest';
import { resumedWhole } from '../../../src/cli/session/resumed-whole.ts';

const NOWHERE = { env: {}, output: {} } as never;

it.each([
  null,
  { session: null, fork: false },
  { session: 'latest', fork: true },
  { session: `s_${'a1'.repeat(10)}`, fork: false },
])('nothing is looked up for %j', async (resume) => {
  expect(await resumedWhole({ resume, project: '/nowhere' }, NOWHERE)).toBe(resume);
});
