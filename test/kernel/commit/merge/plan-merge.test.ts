import { expect, test } from 'vitest';
import type { FileChange, FileState } from '../../../../src/contracts/review/change-set.ts';
import type { ObjectId, SessionId, Sha256 } from '../../../../src/contracts/ids.ts';
import { mergePlanSchema } from '../../../../src/contracts/review/merge-plan.ts';
import type { PreparedCommit } from '../../../../src/contracts/review/prepared-commit.ts';
import { planMerge, planUndo } from '../../../../src/kernel/commit/merge/plan-merge.ts';

const SESSION = 's_abcdefgh' as SessionId;
const id = (digit: string) => digit.repeat(40) as ObjectId;
const file = (digit: string): FileState => ({
  kind: 'file',
  sha256: digit.repeat(64) as Sha256,
  size: 1,
  executable: false,
});
const ABSENT: FileState = { kind: 'absent' };
const DIRECTORY: FileState = { kind: 'directory' };

const edited: FileChange = { path: 'a', before: file('1'), after: file('2') };
const added: FileChange = { path: 'b/new', before: ABSENT, after: file('3') };
const removed: FileChange = { path: 'c/old', before: file('4'), after: ABSENT };
const opened: FileChange = { path: 'd', before: file('5'), after: DIRECTORY };
const inside: FileChange = { path: 'd/in', before: ABSENT, after: { kind: 'symlink', target: '../a' } };
const closed: FileChange = { path: 'e', before: DIRECTORY, after: file('6') };
const within: FileChange = { path: 'e/out', before: file('7'), after: ABSENT };

const changes = [edited, added, removed, opened, inside, closed, within];
const PREPARED: PreparedCommit = {
  commit: id('c'),
  tree: id('d'),
  parent: id('b'),
  branchRef: 'refs/heads/topic/x',
  message: 'Add b\nand more\n\nBecause.\n',
  committer: { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, offsetMinutes: 60 },
  changes,
  edits: changes.map(({ path, after }, n) => ({
    path,
    entry: after.kind === 'file' || after.kind === 'symlink' ? { mode: 0o100644, id: id(String(n)) } : null,
  })),
  objects: [id('c'), id('d'), id('0')],
};
const EVIDENCE = { ref: 'refs/fluffy/evidence', from: null, to: id('e'), objects: [id('e'), id('0')] };

test('a file that git stores in another form is placed as it was written', () => {
  const edits = PREPARED.edits.map((edit) => (edit.path === 'b/new' ? { ...edit, file: id('f') } : edit));
  const { steps } = planMerge(SESSION, { ...PREPARED, edits }, []);
  const placed = steps.flatMap((step) => (step.kind === 'place' ? step.files : []));
  expect(placed.map(({ change, source }) => [change.path, source])).toEqual([
    ['a', { kind: 'object', id: id('0') }],
    ['b/new', { kind: 'object', id: id('f') }],
    ['d/in', { kind: 'object', id: id('4') }],
    ['e', { kind: 'object', id: id('5') }],
  ]);
  expect(steps.find(({ kind }) => kind === 'update-index')).toMatchObject({ edits });
});

test('a merge is these steps, in this order', () => {
  const line = `${id('b')} ${id('c')} Ada <ada@example.org> 1700000000 +0100\tcommit: Add b and more\n`;
  const refs = ['refs/heads/topic/x', 'refs/fluffy/evidence'];
  const source = (n: number) => ({ kind: 'object', id: id(String(n)) });
  expect(planMerge(SESSION, PREPARED, [EVIDENCE]).steps).toEqual([
    { kind: 'lock', refs },
    { kind: 'check', branchRef: 'refs/heads/topic/x', head: id('b'), changes, edits: PREPARED.edits },
    { kind: 'back-up', changes, refs },
    { kind: 'add-objects', session: SESSION, ids: [id('c'), id('d'), id('0'), id('e')] },
    {
      kind: 'place',
      session: SESSION,
      files: [
        { change: edited, source: source(0) },
        { change: added, source: source(1) },
        { change: inside, source: source(4) },
        { change: closed, source: source(5) },
      ],
    },
    { kind: 'remove', files: [removed, opened, within], directories: ['e'], kept: ['a', 'b/new', 'd/in', 'e', 'd'] },
    { kind: 'publish', directories: ['d'], files: [edited, added, inside, closed] },
    { kind: 'update-ref', ref: 'refs/fluffy/evidence', from: null, to: id('e') },
    { kind: 'update-ref', ref: 'refs/heads/topic/x', from: id('b'), to: id('c') },
    { kind: 'append-reflog', log: 'refs/heads/topic/x', line },
    { kind: 'append-reflog', log: 'HEAD', line },
    { kind: 'update-index', edits: PREPARED.edits },
    { kind: 'write-message', text: PREPARED.message },
    { kind: 'unlock', refs },
  ]);
});

test('an undo reverses every change, takes the contents from the backup, and moves the branch back', () => {
  const merge = planMerge(SESSION, PREPARED, [EVIDENCE]);
  const undo = planUndo(merge, 'o_first000', { seconds: 1_700_000_500, offsetMinutes: 0 });
  expect(undo.undoes).toBe('o_first000');
  expect(undo.steps.map(({ kind }) => kind)).toEqual([
    'lock',
    'check',
    'back-up',
    'place',
    'remove',
    'publish',
    'update-ref',
    'append-reflog',
    'append-reflog',
    'restore-index',
    'restore-message',
    'unlock',
  ]);
  expect(undo.steps[1]).toMatchObject({
    head: id('c'),
    changes: changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
  });
  expect(undo.steps[3]).toMatchObject({
    files: [edited, removed, opened, within].map(({ path }) => ({
      change: { path },
      source: { kind: 'backup', operation: 'o_first000' },
    })),
  });
  expect(undo.steps[6]).toEqual({ kind: 'update-ref', ref: 'refs/heads/topic/x', from: id('c'), to: id('b') });
  expect(undo.steps[7]).toMatchObject({
    line: `${id('c')} ${id('b')} Ada <ada@example.org> 1700000500 +0000\tundo: moving to ${id('b')}\n`,
  });
});

test('a plan survives the operation log', () => {
  const merge = planMerge(SESSION, PREPARED, [EVIDENCE]);
  expect(mergePlanSchema.parse(JSON.parse(JSON.stringify(merge)))).toEqual(merge);
});
