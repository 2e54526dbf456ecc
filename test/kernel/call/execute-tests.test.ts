import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileState } from '../../../src/contracts/change-set.ts';
import type { ProjectPath, SessionId, Sha256 } from '../../../src/contracts/ids.ts';
import type { TestJob } from '../../../src/contracts/ports/sandboxes.ts';
import type { SessionStore } from '../../../src/contracts/ports/session-store.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { SessionState } from '../../../src/contracts/workflow-states.ts';
import { BaselineRun } from '../../../src/kernel/proof/baseline-run.ts';
import { executeTests } from '../../../src/kernel/call/execute-tests.ts';
import type { ToolAnswer, Services } from '../../../src/kernel/services.ts';
import { nodeTest } from '../../../src/kernel/runners/node-test/runner.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';
import { Session } from '../../../src/kernel/session/session.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

type Files = Readonly<Record<string, string>>;

/** A view of the project with files staged on it. Its "tests" pass when the source is there and right. */
class View {
  readonly project: Files;
  readonly staged: Map<string, string>;

  constructor(project: Files, staged: Files = {}) {
    this.project = project;
    this.staged = new Map(Object.entries(staged));
  }

  get files(): Files {
    return { ...this.project, ...Object.fromEntries(this.staged) };
  }

  stateOf(files: Files, path: string): FileState {
    const text = files[path];
    if (text === undefined) return { kind: 'absent' };
    const sha256 = createHash('sha256').update(text).digest('hex') as Sha256;
    return { kind: 'file', sha256, size: text.length, executable: false };
  }

  asWorkspace(): Workspace {
    return {
      changes: () =>
        Promise.resolve(
          [...this.staged.keys()].map((path) => ({
            path,
            before: this.stateOf(this.project, path),
            after: this.stateOf(this.files, path),
          })),
        ),
      glob: () => Promise.resolve({ paths: Object.keys(this.files), truncated: false }),
      read: (path: ProjectPath) =>
        Promise.resolve({
          kind: 'file',
          bytes: Buffer.from(this.files[path] ?? ''),
          state: this.stateOf(this.files, path),
        }),
      stat: (path: ProjectPath) => Promise.resolve(this.stateOf(this.files, path)),
      stage: (path: ProjectPath, _before: FileState, bytes: Buffer) => {
        this.staged.set(path, bytes.toString());
        return Promise.resolve({ kind: 'staged', generation: 1 });
      },
      stagingDigest: () => Promise.resolve('0'.repeat(64)),
      isIgnored: () => Promise.resolve(false),
      overlay: async (run: (slot: unknown) => Promise<unknown>) => ({
        kind: 'completed',
        value: await run(this),
        changes: [],
        hidden: [],
        discard: () => Promise.resolve(),
      }),
    } as unknown as Workspace;
  }
}

/** What node:test would report of one test file, canaries included. */
function reportOf(job: TestJob, passes: boolean): Buffer {
  const prefix = /"(canary_\d+)-0-pass"/.exec(job.files[0]?.content ?? '')?.[1] ?? '';
  const verdict = (name: string, pass: boolean) => ({
    event: pass ? 'pass' : 'fail',
    name,
    nesting: 0,
    file: '/fluffy/job/w00000.mjs',
  });
  const lines = [
    verdict('evicts', passes),
    verdict(`${prefix}-0-pass`, true),
    verdict(`${prefix}-0-fail`, false),
    { event: 'end' },
  ];
  return Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

const PROJECT: Files = { 'package.json': '{}' };
const TEST = { 'test/lru.test.js': 'corrected' };

/** `test.run` with these files staged. */
async function runTests(staged: Files, state: SessionState = 'test_writing', paths: readonly string[] = []) {
  const options = {
    mode: 'strict',
    model: 'replay/x',
    approve: 'auto',
    limits: {},
    cwd: '',
    test_command: { runner: 'node-test', cwd: '', args: [] },
    author: { name: 'Ada', email: 'ada@example.invalid' },
    interactive: false,
  } as const;
  const session = new Session({
    row: { id: 's_1' as SessionId, state, mode: 'strict', status: 'active', title: '', commits: [] },
    snapshot: {
      ...newSnapshot({ ...options, test_command: { ...options.test_command, args: [] } }, 0),
      baseline: { kind: 'known', passed: [], failed: [], broken_files: [] },
    },
    messages: [],
    lastSeq: 0,
    store: { save: () => undefined } as unknown as SessionStore,
    clock: { nowMs: () => 0 },
  } as unknown as ConstructorParameters<typeof Session>[0]);
  let count = 0;
  let open = 0;
  const services = {
    options: { project_root: '/project' },
    clock: { monotonicMs: () => 0, nowMs: () => 0 },
    random: { id: (prefix: string) => `${prefix}_${(count += 1)}` },
    policy: () => policy,
    audit: { append: () => undefined },
    workspaces: {
      scratch: () => {
        open += 1;
        return Promise.resolve({
          id: 's_2',
          workspace: new View(PROJECT).asWorkspace(),
          close: () => Promise.resolve(void (open -= 1)),
        });
      },
    },
    sandboxes: {
      test: ({ slot, job }: { slot: View; job: TestJob }) =>
        Promise.resolve({
          kind: 'ran',
          result: {
            exit: { kind: 'exited', code: 1 },
            durationMs: 1,
            output: '',
            report: reportOf(
              job,
              slot.files['src/lru.js'] === 'right' && slot.files['test/lru.test.js'] === 'corrected',
            ),
            reportTruncated: false,
          },
        }),
    },
  } as unknown as Services;
  const workspace = new View(PROJECT, staged).asWorkspace();
  const answer = await executeTests(
    services,
    session,
    workspace,
    new BaselineRun(),
    'c1',
    paths as readonly ProjectPath[],
    new AbortController().signal,
  );
  return { answer, session, open };
}

const textOf = (answer: ToolAnswer) => (answer.ok ? answer.text : answer.error.code);

describe('test.run in test_writing', () => {
  it('sees new tests fail for want of the source', async () => {
    const { answer, session } = await runTests(TEST);
    expect(textOf(answer)).toMatch(/^1 failed/);
    expect(session.state).toBe('code_writing');
  });

  it('sees a revised test fail without the source that was written before the revision', async () => {
    const { answer, session, open } = await runTests({ ...TEST, 'src/lru.js': 'right' });
    expect(textOf(answer)).toContain('ran without the source that is staged already');
    expect(session.state).toBe('code_writing');
    expect(open).toBe(0);
  });

  it('still wants a test that fails, whatever the source', async () => {
    const { answer, session, open } = await runTests({ 'src/lru.js': 'right' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'no_tests_written' } });
    expect(session.state).toBe('test_writing');
    expect(open).toBe(0);
  });

  it('takes what decides how tests run along, and notes it as it was seen', async () => {
    const { session } = await runTests({ ...TEST, 'src/lru.js': 'right', 'package.json': '{"type":"module"}' });
    expect(Object.keys(session.snapshot.red?.sensitive ?? {})).toEqual(['package.json']);
  });
});

describe('test.run that only informs', () => {
  it('tells of the run', async () => {
    const { answer, session } = await runTests({ ...TEST, 'src/lru.js': 'right' }, 'planning');
    expect(textOf(answer)).toMatch(/^0 failed, 1 passed/);
    expect(session.state).toBe('planning');
  });

  it.each([
    [['test/lru.test.ts'], ''],
    [['src', 'docs/a.md'], ''],
    [['src/lru-spec.ts'], ': src/lru.test.ts in place of src/lru-spec.ts'],
  ])('calls %j no run at all when no test is there, and says which names are collected', async (paths, names) => {
    const { answer } = await runTests(TEST, 'planning', paths);
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(answer.ok ? '' : answer.error.message).toBe(
      `No test file is at ${paths.join(', ')}. node-test collects ${nodeTest.pattern}${names}.`,
    );
  });
});
