import { describe, expect, test } from 'vitest';
import type { OperationLog, OperationStatus } from '../../../../src/contracts/ports/operation-log.ts';
import type { MergePlan, MergeStep } from '../../../../src/contracts/review/merge-plan.ts';
import { recoverMerges, runMerge, undoMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import type { MergeServices } from '../../../../src/kernel/commit/merge/run-merge.ts';

const id = (digit: string) => digit.repeat(40);
const PLAN = {
  session: 's_session00',
  commit: id('c'),
  parent: id('b'),
  branchRef: 'refs/heads/main',
  undoes: null,
  steps: [
    { kind: 'lock', refs: ['refs/heads/main'] },
    { kind: 'update-ref', ref: 'refs/heads/main', from: id('b'), to: id('c') },
    { kind: 'unlock', refs: ['refs/heads/main'] },
  ],
} as unknown as MergePlan;

interface Entry {
  readonly kind: string;
  readonly detail: string;
  status: OperationStatus;
  lastStep: number;
}

/** An operation log in memory. */
function memoryLog(entries: Entry[]): OperationLog {
  const at = (operation: string): Entry => {
    const entry = entries[Number(operation.slice(2))];
    if (entry === undefined) throw new Error(`no operation ${operation}`);
    return entry;
  };
  return {
    begin: (kind, detail) => `o_${entries.push({ kind, detail, status: 'pending', lastStep: -1 }) - 1}`,
    markStep: (operation, step) => void (at(operation).lastStep = step),
    finish: (operation, status) => void (at(operation).status = status),
    pending: () => entries.flatMap((entry, n) => (entry.status === 'pending' ? [{ ...entry, id: `o_${n}` }] : [])),
    finished: () => [],
    find: (operation) => entries[Number(operation.slice(2))] ?? null,
  };
}

type Answer = 'applied' | 'conflict' | 'throws';

/** A project on which a step is applied, or as `answers` says. */
function scene(
  entries: Partial<Entry>[],
  answers: Partial<Record<MergeStep['kind'], Answer>> = {},
  left: readonly string[] | Error = [],
) {
  const all: Entry[] = entries.map((entry) => ({
    kind: 'merge',
    detail: JSON.stringify(PLAN),
    status: 'pending' as const,
    lastStep: -1,
    ...entry,
  }));
  const done: string[] = [];
  const target = {
    apply: (_operation: string, { kind }: MergeStep) => {
      done.push(kind);
      if (answers[kind] === 'throws') return Promise.reject(new Error('no space left'));
      if (answers[kind] === 'conflict')
        return Promise.resolve({ kind: 'conflict', reason: 'the index is locked', paths: ['.git/index.lock'] });
      return Promise.resolve({ kind: 'applied' });
    },
    revert: (_operation: string, { kind }: MergeStep) => {
      done.push(`revert ${kind}`);
      return left instanceof Error ? Promise.reject(left) : Promise.resolve(kind === 'update-ref' ? left : []);
    },
    forget: () => Promise.resolve(),
  };
  const services = { log: memoryLog(all), target } as unknown as MergeServices;
  return { services, done, entries: all };
}

const REVERTED = ['revert unlock', 'revert update-ref', 'revert lock'];

describe('recovery of an interrupted merge', () => {
  test.each<readonly [string, number, Parameters<typeof scene>[1], object, readonly string[], OperationStatus]>([
    [
      'goes on after the last finished step, with the locks taken again',
      0,
      {},
      { kind: 'merged', commit: id('c') },
      ['lock', 'update-ref', 'unlock'],
      'done',
    ],
    [
      'takes it back where it was being taken back',
      3,
      {},
      { kind: 'failed', reason: 'the merge was interrupted while it was reverted' },
      ['lock', ...REVERTED],
      'undone',
    ],
    [
      'waits while another process holds the lock',
      0,
      { lock: 'conflict' },
      { kind: 'pending', reason: 'the index is locked; the interrupted merge waits until the lock is gone' },
      ['lock'],
      'pending',
    ],
    [
      'waits where the lock cannot be had',
      0,
      { lock: 'throws' },
      { kind: 'pending', reason: 'no space left' },
      ['lock'],
      'pending',
    ],
    [
      'takes it back where nothing was done yet and the lock is held',
      -1,
      { lock: 'conflict' },
      { kind: 'conflict', paths: ['.git/index.lock'] },
      ['lock', 'lock', ...REVERTED],
      'undone',
    ],
  ])('%s', async (_what, lastStep, answers, outcome, done, status) => {
    const made = scene([{ lastStep }], answers);
    expect(await recoverMerges(made.services)).toMatchObject([{ operation: 'o_0', outcome }]);
    expect([made.done, made.entries[0]?.status]).toEqual([done, status]);
  });

  test('leaves operations of other kinds alone', async () => {
    const { services, done } = scene([{ kind: 'other', detail: 'not a plan' }]);
    expect([await recoverMerges(services), done]).toEqual([[], []]);
  });
});

describe('a merge that stops in the middle', () => {
  const REASON = 'no space left';
  test.each<readonly [string, readonly string[] | Error, object, OperationStatus]>([
    ['is as if it had never begun', [], { kind: 'failed', reason: REASON }, 'undone'],
    [
      'names the files that somebody changed meanwhile',
      ['a.js'],
      { kind: 'conflict', paths: ['a.js'], reason: REASON },
      'undone',
    ],
    [
      'waits for the next start where it cannot be taken back',
      new Error('read-only file system'),
      { kind: 'pending', reason: `${REASON}; it could not be reverted yet: read-only file system` },
      'pending',
    ],
  ])('%s', async (_what, left, outcome, status) => {
    const { services, entries } = scene([], { 'update-ref': 'throws' }, left);
    expect(await runMerge(services, PLAN)).toEqual(outcome);
    expect(entries).toMatchObject([{ status, lastStep: PLAN.steps.length }]);
  });
});

test('no merge is begun while another is unfinished', async () => {
  const { services, done, entries } = scene([{ lastStep: 1 }]);
  const reason = 'an earlier merge was interrupted and is not finished; a restart continues it';
  expect(await runMerge(services, PLAN)).toEqual({ kind: 'failed', reason });
  expect([done, entries.length]).toEqual([[], 1]);
});

test('an operation of another kind does not hold up a merge', async () => {
  expect(await runMerge(scene([{ kind: 'other' }]).services, PLAN)).toMatchObject({ kind: 'merged', commit: id('c') });
});

test.each<readonly [string, Partial<Entry>[]]>([
  ['is not there', []],
  ['is of another kind', [{ kind: 'other', status: 'done' }]],
  ['was not finished', [{ status: 'pending' }]],
  ['was taken back', [{ status: 'undone' }]],
])('an operation that %s is not undone', async (_what, entries) => {
  const { services, done } = scene(entries);
  const reason = 'there is no finished merge with that id';
  expect(await undoMerge(services, 'o_0', (merge) => merge)).toEqual({ kind: 'failed', reason });
  expect(done).toEqual([]);
});
