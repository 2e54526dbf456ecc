import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { MergePlan } from '../../../src/contracts/review/merge-plan.ts';
import type { MergeTarget, StepOutcome } from '../../../src/contracts/ports/merge-target.ts';
import type { OperationLog } from '../../../src/contracts/ports/operation-log.ts';
import { recoverAll } from '../../../src/kernel/serve/recover-all.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const BASE = '1'.repeat(40);
const COMMIT = 'c'.repeat(40);
const PLAN: MergePlan = {
  session: SESSION_ID,
  commit: COMMIT as ObjectId,
  parent: BASE as ObjectId,
  branchRef: 'refs/heads/main',
  undoes: null,
  steps: [
    { kind: 'lock', refs: [] },
    { kind: 'unlock', refs: [] },
  ],
};

const UNDO: MergePlan = { ...PLAN, undoes: 'o_merge' };

interface Scene extends TestKernelOptions {
  /** What was finished before the crash, newest first. */
  readonly finished?: readonly MergePlan[];
  /** What a crash left in the log. */
  readonly plan?: MergePlan | null;
  readonly lock?: StepOutcome | Error;
  /** Steps that were done before the crash. */
  readonly lastStep?: number;
  readonly head?: string;
  readonly knownCommits?: string[];
}

async function recover(scene: Scene) {
  const {
    plan = null,
    finished = [],
    lock = { kind: 'applied' },
    lastStep = -1,
    head = BASE,
    knownCommits = [],
    ...options
  } = scene;
  const kernel = testKernel({
    files: { 'a.js': '1' },
    staged: { 'a.js': '2' },
    commits: { base: () => Promise.resolve({ kind: 'ok', branch: 'refs/heads/main', head }) },
    ...options,
  });
  kernel.session.updateRow({ commits: knownCommits });
  kernel.session.save();
  const steps: string[] = [];
  let status = 'pending';
  let merge = 'done';
  const listed = (plans: readonly MergePlan[]) =>
    plans.map((each, n) => ({ id: `o_${n}`, detail: JSON.stringify(each) }));
  const log = {
    pending: () =>
      plan === null || status !== 'pending'
        ? []
        : [{ id: 'o_1', kind: 'merge', detail: JSON.stringify(plan), lastStep }],
    finished: () => [
      ...(plan !== null && status === 'done' ? [{ id: 'o_1', detail: JSON.stringify(plan) }] : []),
      ...listed(finished),
    ],
    find: (id: string) => (id === 'o_merge' ? { kind: 'merge', detail: '', status: merge } : null),
    markStep: () => undefined,
    finish: (id: string, as: string) => {
      if (id === 'o_merge') merge = as;
      else status = as;
    },
    begin: () => 'o_2',
  } as unknown as OperationLog;
  const target = {
    apply: (_operation: string, step: { kind: string }) => {
      steps.push(step.kind);
      if (lock instanceof Error) return Promise.reject(lock);
      return Promise.resolve(step.kind === 'lock' ? lock : { kind: 'applied' });
    },
    revert: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
  } as unknown as MergeTarget;
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const { services, store } = kernel;
  const sessions = new SessionManager(services, store, onFault);
  await recoverAll({ services, sessions, store, log, target, onFault });
  const ended = store.events(SESSION_ID, 0).findLast((event) => event.type === 'session.finished') ?? null;
  const session = sessions.get(SESSION_ID);
  return { ...kernel, session, faults, steps, status: () => status, finished: ended, merge: () => merge };
}

describe('a merge that a crash cut off', () => {
  it('is carried through, and its session knows the commit whatever state it was in', async () => {
    for (const state of ['committing', 'reviewing', 'code_writing'] as const) {
      const { session, finished, workspace, status } = await recover({ plan: PLAN, state });
      expect(status()).toBe('done');
      expect(session).toMatchObject({
        state: 'idle',
        row: { commits: [COMMIT], status: 'committed' },
        snapshot: { plan_commit: COMMIT },
      });
      expect(finished).toMatchObject({ type: 'session.finished', status: 'committed', exit_code: 0, commit: COMMIT });
      expect(await workspace.changes()).toEqual([]);
    }
  });

  it('is a redo where its commit was undone: no run has ended', async () => {
    const { session, finished, workspace } = await recover({
      plan: PLAN,
      state: 'idle',
      snapshot: { undone: [COMMIT] },
    });
    expect(session).toMatchObject({ state: 'idle', row: { commits: [COMMIT] }, snapshot: { undone: [] } });
    expect([finished, (await workspace.changes()).length]).toEqual([null, 1]);
  });

  it('is not counted twice where the session knew it already', async () => {
    const { session, store } = await recover({ plan: PLAN, state: 'idle', knownCommits: [COMMIT] });
    expect(session.row.commits).toEqual([COMMIT]);
    expect(store.events(SESSION_ID, 0)).toEqual([]);
  });

  it.each<[string, Partial<Scene>]>([
    ['its locks cannot be taken', { lock: new Error('permission denied') }],
    [
      'somebody else holds a lock that it held',
      { lock: { kind: 'conflict', paths: ['index.lock'], reason: 'locked' }, lastStep: 1 },
    ],
  ])('waits for the next start where %s: nothing is decided of its session', async (_name, change) => {
    const { session, steps, status } = await recover({ plan: PLAN, state: 'committing', ...change });
    expect(status()).toBe('pending');
    expect(steps).toEqual(['lock']);
    expect(session).toMatchObject({ state: 'committing', row: { commits: [] } });
  });
});

describe('a kernel that died between a finished operation and its record in the session', () => {
  const codes = (store: { events(id: string, after: number): readonly object[] }) =>
    store.events(SESSION_ID, 0).flatMap((event) => ('code' in event ? [event.code] : []));

  it('has undone the commit, of which the backups go too', async () => {
    const { session, store, merge, faults } = await recover({
      finished: [UNDO, PLAN],
      state: 'idle',
      knownCommits: [BASE, COMMIT],
    });
    expect(session).toMatchObject({ row: { commits: [BASE] }, snapshot: { undone: [COMMIT] } });
    expect([merge(), codes(store), faults]).toEqual(['undone', ['undone'], []]);
  });

  it('has made it again', async () => {
    const { session, store } = await recover({
      finished: [PLAN, UNDO],
      state: 'idle',
      snapshot: { undone: [BASE, COMMIT] },
    });
    expect(session).toMatchObject({ row: { commits: [COMMIT] }, snapshot: { undone: [BASE] } });
    expect(codes(store)).toEqual(['redone']);
  });

  it('has committed, whatever a person has committed on top of it', async () => {
    const { session } = await recover({
      finished: [PLAN],
      state: 'committing',
      snapshot: { prepared: { prepared: { commit: COMMIT } } as never },
    });
    expect(session).toMatchObject({ state: 'idle', row: { commits: [COMMIT] } });
  });

  it.each<[string, Partial<Scene>]>([
    ['undone before, known', { finished: [UNDO], snapshot: { undone: [COMMIT] } }],
    ['made again, known', { finished: [PLAN, UNDO], knownCommits: [COMMIT] }],
    ['of which the session says nothing', { finished: [PLAN], state: 'code_writing' }],
  ])('is no reason to touch what was %s', async (_, scene) => {
    const { store } = await recover({ state: 'idle', ...scene });
    expect(store.events(SESSION_ID, 0)).toEqual([]);
  });
});

describe('a session in committing of which no merge is left in the log', () => {
  const prepared = { prepared: { commit: COMMIT } } as never;

  it('has its commit where HEAD is that commit', async () => {
    const { session } = await recover({ state: 'committing', head: COMMIT, snapshot: { prepared } });
    expect(session).toMatchObject({ state: 'idle', row: { commits: [COMMIT] } });
  });

  it('goes back to work where HEAD is another one, with its changes and without what was green', async () => {
    const green = { run_id: 't', at_ms: 1, staging_digest: 'd', passed: 1, skipped: 0, failed: [] };
    const { session, workspace } = await recover({
      state: 'committing',
      snapshot: { prepared, green, commit_message: 'm' },
    });
    expect(session).toMatchObject({
      state: 'code_writing',
      row: { commits: [] },
      snapshot: { green: null, prepared: null, review: null, commit_message: null },
    });
    expect((await workspace.changes()).map(({ path }) => path)).toEqual(['a.js']);
  });
});

it.each(['idle', 'code_writing', 'reviewing'] as const)('a session in %s is left as it is', async (state) => {
  const { session, faults, store } = await recover({ state });
  expect(session.state).toBe(state);
  expect(faults).toEqual([]);
  expect(store.events(SESSION_ID, 0)).toEqual([]);
});
