import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { OverlayView, Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { TestJob } from '../../../src/contracts/ports/sandboxes.ts';
import { commitFacts } from '../../../src/kernel/commit/commit-facts.ts';
import type { CommitsServices } from '../../../src/kernel/commit/commit-services.ts';
import { repeatGreen } from '../../../src/kernel/proof/repeat-green.ts';
import type { CommittableResult, Services } from '../../../src/kernel/services.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';
import type { Session } from '../../../src/kernel/session/session.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';
import { caseId } from '../../../src/kernel/proof/test-case-id.ts';
import { factsProblems } from '../../../src/lib/evidence/facts-problems.ts';
import { reportOfJob } from '../../support/kernel/node-test-report.ts';

const loaded = loadPolicy(
  'version: 1\ncapabilities: [{ name: all, match: { syscall: fs.read }, action: allow }]\n',
  'p',
);
if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded.errors));
const { policy } = loaded;

type Cases = Readonly<Record<string, boolean>>;

interface Scene {
  readonly dirty?: readonly string[];
  readonly dirtyAtStart?: readonly string[];
  /** What each case comes to on the tree to be committed; and on HEAD alone. */
  readonly onTree: Cases;
  readonly onHead?: Cases;
  /** The suite could not be run before the task. */
  readonly unknownBefore?: boolean;
  readonly passedBefore?: readonly string[];
  readonly failedBefore?: readonly string[];
  readonly files?: readonly string[];
  readonly overrides?: OverlayView['overrides'];
}

async function play(scene: Scene) {
  const events: EventBody[] = [];
  const runs: { on: string; view: OverlayView; files: string[] }[] = [];
  let count = 0;
  const view = (on: string): Workspace =>
    ({
      changes: () => Promise.resolve([]),
      glob: () => Promise.resolve({ paths: scene.files ?? ['test/a.test.js'], truncated: false }),
      isIgnored: () => Promise.resolve(false),
      overlay: async (run: (slot: string) => Promise<unknown>, shown: OverlayView) => {
        runs.push({ on, view: shown, files: [] });
        return { kind: 'completed', value: await run(on), changes: [], hidden: [], discard: () => Promise.resolve() };
      },
    }) as unknown as Workspace;
  const overrides = scene.overrides ?? [{ path: 'src/helper.js', entry: { kind: 'absent' as const } }];
  const found: CommittableResult = {
    kind: 'ok',
    tree: 'e'.repeat(40),
    dirty: scene.dirty ?? ['src/helper.js'],
    view: { overrides, onHead: overrides, kept: [] },
    digest: 'view',
  };
  const services = {
    options: { project_root: '/project' },
    clock: { monotonicMs: () => 0, nowMs: () => 7 },
    random: { id: (prefix: string) => `${prefix}_${(count += 1)}` },
    policy: () => policy,
    commits: { committable: () => Promise.resolve(found) },
    workspaces: {
      scratch: () => Promise.resolve({ id: 's_2', workspace: view('head'), close: () => Promise.resolve() }),
    },
    sandboxes: {
      test: ({ slot, job }: { slot: unknown; job: TestJob }) => {
        const cases = (slot === 'head' ? scene.onHead : scene.onTree) ?? {};
        runs.at(-1)?.files.push(job.input ?? '');
        const result = {
          exit: { kind: 'exited', code: 1 },
          durationMs: 1,
          output: '',
          report: reportOfJob(job, () => cases),
          reportTruncated: false,
        };
        return Promise.resolve({ kind: 'ran', result });
      },
    },
  } as unknown as Services;
  const options = { model: 'replay/x', test_command: { runner: 'node-test', cwd: '', args: [] } };
  let snapshot: Snapshot = {
    ...newSnapshot(options as unknown as Snapshot['options'], 0),
    green: { run_id: 't_0', at_ms: 1, staging_digest: '0'.repeat(64), passed: 1, skipped: 0, failed: [] },
    dirty_at_start: [...(scene.dirtyAtStart ?? [])],
    baseline:
      scene.unknownBefore === true
        ? { kind: 'unknown', why: 'it took too long' }
        : {
            kind: 'known',
            passed: (scene.passedBefore ?? []).map((name) => caseId({ file: 'test/a.test.js', name })),
            failed: (scene.failedBefore ?? []).map((name) => caseId({ file: 'test/a.test.js', name })),
            broken_files: [],
          },
  };
  const session = {
    id: 's_1',
    state: 'reviewing',
    mode: 'explore',
    get snapshot() {
      return snapshot;
    },
    update: (change: Partial<Snapshot>) => void (snapshot = { ...snapshot, ...change }),
    save: () => undefined,
    emit: (event: EventBody) => void events.push(event),
  } as unknown as Session;
  const reason = await repeatGreen({
    services,
    session,
    workspace: view('tree'),
    signal: new AbortController().signal,
  });
  return { reason, runs, events, snapshot, session };
}

describe('green where the user has uncommitted work', () => {
  it('is not asked again in a clean project', async () => {
    const { reason, runs } = await play({ dirty: [], onTree: {} });
    expect({ reason, runs }).toEqual({ reason: null, runs: [] });
  });

  it.each([
    ['is there', {}],
    ['was there at the start', { dirty: [], dirtyAtStart: ['src/helper.js'] }],
  ])('is repeated without what %s, and kept', async (_, dirt) => {
    const { reason, runs, snapshot, events } = await play({ ...dirt, onTree: { a: true } });
    expect(reason).toBeNull();
    expect(runs.map(({ on, view }) => [on, view.overrides?.map(({ path }) => path)])).toEqual([
      ['tree', ['src/helper.js']],
    ]);
    expect(snapshot.green?.repeated).toMatchObject({ tree: 'e'.repeat(40), view: 'view', passed: 1, failed: [] });
    expect(snapshot.findings).toEqual([expect.stringContaining('without your uncommitted work')]);
    expect(events.map(({ type }) => type)).toEqual(['test.finished']);
  });

  it('is no finding where all of it is what config init has written', async () => {
    const settings = ['.fluffy/'];
    const scene = { dirty: settings, dirtyAtStart: settings, passedBefore: ['a'], onTree: { a: true } };
    const { reason, snapshot } = await play(scene);
    expect({ reason, repeated: snapshot.green?.repeated?.view }).toEqual({ reason: null, repeated: 'view' });
    expect(snapshot.findings).toEqual([]);
  });

  it('is refused when a test passes only with it, and says which', async () => {
    const { reason, snapshot, events } = await play({ onTree: { a: false }, onHead: {} });
    expect(reason).toMatch(
      /only together with uncommitted work of the user \(src\/helper\.js\).*test\/a\.test\.js › a fails/s,
    );
    expect(snapshot.green?.repeated).toBeUndefined();
    expect(snapshot.refused.gate).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'notice', code: 'tests_failed' });
  });

  it('is refused when a test that passed on HEAD fails', async () => {
    const { reason, runs } = await play({ onTree: { a: false }, onHead: { a: true }, passedBefore: ['a'] });
    expect(reason).toContain('a fails');
    expect(runs.map(({ on }) => on)).toEqual(['tree', 'head']);
  });

  it('is compared with HEAD where the suite could not be run before the task', async () => {
    const { reason, runs } = await play({ onTree: { a: false }, onHead: { a: true }, unknownBefore: true });
    expect(reason).toContain('a fails');
    expect(runs.map(({ on }) => on)).toEqual(['tree', 'head']);
  });

  it('holds when what fails fails on HEAD too: the user is about to mend it', async () => {
    const { reason, snapshot } = await play({
      onTree: { a: false, b: true },
      onHead: { a: false, b: true },
      passedBefore: ['a', 'b'],
    });
    expect(reason).toBeNull();
    expect(snapshot.findings).toContainEqual(expect.stringContaining('a failed before this session and still does'));
    expect(snapshot.green?.repeated?.failed).toEqual([{ file: 'test/a.test.js', name: 'a' }]);
  });

  it('is refused when a test fails that failed before only for the user’s own work', async () => {
    const { reason, runs } = await play({ onTree: { a: false }, onHead: { a: true }, failedBefore: ['a'] });
    expect(reason).toContain('a fails');
    expect(runs.map(({ on }) => on)).toEqual(['tree', 'head']);
  });

  it('leaves evidence that hangs together when what fails fails on HEAD too', async () => {
    const { session } = await play({
      onTree: { a: false, b: true },
      onHead: { a: false, b: true },
      passedBefore: ['a', 'b'],
    });
    const state = {
      branchRef: 'refs/heads/main',
      head: 'b'.repeat(40) as ObjectId,
      headTree: 'c'.repeat(40) as ObjectId,
    };
    const services = {
      audit: { head: () => ({ entries: 1, hash: 'a'.repeat(64) }) },
      clock: { monotonicMs: () => 0, nowMs: () => 9 },
      policy: () => policy,
      images: {},
    } as unknown as CommitsServices;
    const facts = commitFacts(services, session, { ...state, fileMode: true }, [], 'e'.repeat(40) as ObjectId);
    expect(facts.pre_existing.failed).toEqual([{ file: 'test/a.test.js', name: 'a' }]);
    expect(factsProblems(facts)).toEqual([]);
  });

  it('is of the test files that the tree has', async () => {
    const { runs } = await play({
      files: ['test/a.test.js', 'test/mine.test.js'],
      overrides: [
        { path: 'test/mine.test.js', entry: { kind: 'absent' } },
        { path: 'test/gone.test.js', entry: { kind: 'file', bytes: Buffer.from(''), executable: false } },
      ],
      onTree: { a: true },
    });
    const asked = runs[0]?.files.join('\n') ?? '';
    expect(asked).toContain('test/a.test.js');
    expect(asked).toContain('test/gone.test.js');
    expect(asked).not.toContain('test/mine.test.js');
  });
});
