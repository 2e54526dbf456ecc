import { expect, it } from 'vitest';
import { whyRefused } from '../../../src/kernel/run/missing-step.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';

const REFUSAL: Snapshot['last_refusal'] = {
  kind: 'other',
  call_id: 'c_2',
  syscall: 'fs.write',
  state: 'code_writing',
  mode: 'strict',
  code: 'path_refused',
  message: 'a.secret goes through\na filter',
};
const COMMIT: Snapshot['commit_refused'] = { reason: 'a.js is a submodule', staging_digest: 'd1' };

it.each<[string, Partial<Snapshot>, string | null]>([
  ['the refused call', { last_refusal: REFUSAL }, 'fs.write was refused: a.secret goes through a filter'],
  ['the refused call, not a commit before it', { last_refusal: REFUSAL, commit_refused: COMMIT }, 'fs.write was'],
  ['no call of before', { last_refusal: { ...REFUSAL, call_id: 'c_1' } }, null],
  ['the refused commit', { commit_refused: COMMIT }, 'No commit could be made: a.js is a submodule'],
  ['no commit of other changes', { commit_refused: { ...COMMIT, staging_digest: 'd0' } }, null],
  ['nothing where nothing was refused', {}, null],
])('a run that goes in a circle ends with %s', (_, facts, expected) => {
  const snapshot = { ...newSnapshot({ model: 'replay/x' } as Snapshot['options'], 0), ...facts };
  const why = whyRefused({ snapshot }, ['c_2'], 'd1');
  if (expected === null) expect(why).toBeNull();
  else expect(why).toContain(expected);
});
