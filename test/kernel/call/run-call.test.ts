import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditInput } from '../../../src/contracts/audit-entry.ts';
import type { FileChange } from '../../../src/contracts/change-set.ts';
import type { SessionId, Sha256 } from '../../../src/contracts/ids.ts';
import type { SessionStore } from '../../../src/contracts/ports/session-store.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { SessionMode, SessionState } from '../../../src/contracts/workflow-states.ts';
import { runCall } from '../../../src/kernel/call/run-call.ts';
import type { CallContext } from '../../../src/kernel/call/run-call.ts';
import { CapabilityStore, loadPolicy } from '../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';
import { Session } from '../../../src/kernel/session/session.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

const SIZE = 100;
const added = (path: string): FileChange => ({
  path,
  before: { kind: 'absent' },
  after: { kind: 'file', sha256: 'a'.repeat(64) as Sha256, size: SIZE, executable: false },
});

interface Scene {
  readonly state: SessionState;
  readonly mode?: SessionMode;
  readonly staged?: readonly string[];
  readonly ignored?: readonly string[];
  readonly exemption?: Snapshot['exemption'];
  /** What the sandbox changes in the overlay. */
  readonly commandChanges?: readonly string[];
  /** In place of the shipped policy. */
  readonly rules?: CompiledPolicy;
  /** What the sandbox answers in place of a command's end. */
  readonly answer?: object;
}

/** A session in the middle of its work; the workspace notes what is staged, the sandbox runs any command. */
function scene({
  state,
  mode = 'strict',
  staged = [],
  ignored = [],
  exemption = null,
  commandChanges = [],
  rules = policy,
  answer,
}: Scene) {
  const options: Snapshot['options'] = {
    mode,
    model: 'replay/x',
    approve: 'auto',
    limits: {},
    cwd: '',
    test_command: null,
    author: { name: 'Ada Example', email: 'ada@example.org' },
    interactive: true,
  };
  const session = new Session({
    row: { id: 's_session001' as SessionId, state, mode, status: 'active', title: '', commits: [] },
    snapshot: { ...newSnapshot(options, 0), exemption },
    messages: [],
    lastSeq: 0,
    store: { save: () => undefined } as unknown as SessionStore,
    clock: { nowMs: () => 0 },
  } as unknown as ConstructorParameters<typeof Session>[0]);
  const accepted: string[] = [];
  const records: AuditInput[] = [];
  const workspace = {
    resolve: (path: string) => Promise.resolve({ kind: 'ok', path, exists: true }),
    stat: () => Promise.resolve({ kind: 'absent' }),
    changes: () => Promise.resolve(staged.map(added)),
    isIgnored: (path: string) => Promise.resolve(ignored.includes(path)),
    overlay: async (run: (slot: number) => Promise<unknown>) => ({
      kind: 'completed',
      value: await run(0),
      changes: commandChanges.map(added),
      accept: (paths: ReadonlySet<string>) => {
        accepted.push(...paths);
        return Promise.resolve({ kind: 'staged', generation: 1 });
      },
      discard: () => Promise.resolve(),
    }),
  } as unknown as Workspace;
  const result = { exit: { kind: 'exited', code: 0 }, stdout: '', stderr: '', truncated: false, duration_ms: 1 };
  let count = 0;
  const context = {
    services: {
      options: { project_root: '/project' },
      clock: { monotonicMs: () => 0, nowMs: () => 0 },
      random: { id: (prefix: string) => `${prefix}_${(count += 1)}` },
      policy: () => rules,
      audit: { append: (entry: AuditInput) => records.push(entry), buffer: (entry: AuditInput) => records.push(entry) },
      capabilities: new CapabilityStore(() => `cap_${(count += 1)}`),
      humans: { wait: () => Promise.resolve({ kind: 'approve', signature: '', publicKey: '' }) },
      sandboxes: { tool: () => Promise.resolve({ kind: 'ok', result: answer ?? result, sandbox: 'x_1', stderr: '' }) },
      native: { run: () => Promise.resolve({ ok: true, text: 'read', summary: 'read' }) },
      digestOf: () => '',
    },
    session,
    workspace,
    baseline: {},
    signal: new AbortController().signal,
  } as unknown as CallContext;
  return { context, session, accepted, records, call: (tool: string, args: object) => callOf(context, tool, args) };
}

function callOf(context: CallContext, tool: string, args: object) {
  return runCall(context, { call_id: 'c1', tool, arguments: JSON.stringify(args) });
}

describe('what git ignores', () => {
  it.each([
    ['fs.write', { path: 'dist/a.js', content: 'x' }],
    ['fs.delete', { path: 'dist/a.js' }],
    ['fs.move', { from: 'src/a.js', to: 'dist/a.js' }],
  ])('is not changed by %s', async (tool, args) => {
    const { session, accepted, call } = scene({ state: 'code_writing', ignored: ['dist/a.js'] });
    const reply = await call(tool, args);
    expect(reply).toMatchObject({ ok: false });
    expect(reply.content).toContain('path_refused: dist/a.js is ignored by git');
    expect(accepted).toEqual([]);
    expect(session.snapshot.refused.policy).toBe(true);
  });
});

describe('tests that ask for a network', () => {
  it('are denied, not run without one', async () => {
    const { session, call } = scene({ state: 'code_writing' });
    const reply = await call('test.run', { network: true });
    expect(reply).toMatchObject({ ok: false });
    expect(reply.content).toContain('policy_denied: test.run with network is denied: policy opens no host to them');
    expect(session.snapshot.refused.policy).toBe(true);
    expect((await call('test.run', { network: false })).content).not.toContain('policy_denied');
  });
});

const EXEMPT = { category: 'documentation', affected_paths: ['README.md'], reason: 'a typo' };
const GRANTED = { category: 'documentation', paths: ['README.md'], reason: 'a typo' };

/** One that allows all of this, tied to what `constraints` says. */
function tiedTo(constraints: string): CompiledPolicy {
  const syscalls = 'fs.read, fs.list, plan.complete, fs.write, fs.delete, fs.move, shell.run, git.status, test.run';
  const tied = loadPolicy(
    `capabilities: [{ name: all, match: { syscall: [${syscalls}] }, action: allow, constraints: { ${constraints} } }]`,
    'p',
  );
  if (tied.kind !== 'ok') throw new Error(JSON.stringify(tied.errors));
  return tied.policy;
}

describe('an allow that is tied to something', () => {
  const NOWHERE = 'in a sandbox only, and this is done in none';
  const ELSEWHERE = 'in the sandbox integration-test only, not in code-executor';
  const TOKEN = 'with a capability token only';
  const DELETE = ['fs.delete', { path: 'src/a.js' }] as const;
  const READ = ['fs.read', { path: 'src/a.js' }] as const;

  it.each([
    ['require_sandbox: L2', READ, NOWHERE],
    ['require_sandbox: L2', ['fs.list', { path: 'src' }], NOWHERE],
    ['require_sandbox: L2', DELETE, null],
    ['require_sandbox: integration-test', DELETE, ELSEWHERE],
    ['require_sandbox: integration-test', ['git.status', {}], ELSEWHERE],
    ['require_capability_token: true', READ, TOKEN],
    ['require_capability_token: true', ['test.run', {}], TOKEN],
    ['require_capability_token: true', DELETE, null],
    ['max_file_size: 50', READ, null],
    ['max_file_size: 50', ['fs.write', { path: 'src/a.js', content: 'x'.repeat(51) }], 'would have 51 bytes'],
  ] as const)('%s: %j', async (constraints, [tool, args], why) => {
    const answer = { entries: 1 };
    const { session, records, call } = scene({ state: 'code_writing', rules: tiedTo(constraints), answer });
    const reply = await call(tool, args);
    if (why === null) expect(reply.content).not.toContain('policy_denied');
    else {
      expect(reply.content).toMatch(`policy_denied: Policy denies ${tool}: `);
      expect(reply.content).toContain(why);
      expect(session.snapshot.refused.policy).toBe(true);
      expect(session.snapshot.last_refusal).toMatchObject({ kind: 'policy', decision: 'deny' });
      expect(records).toContainEqual(expect.objectContaining({ event_type: 'syscall', policy_decision: 'denied' }));
    }
  });

  it.each([
    ['moves', ['fs.move', { from: 'src/a.js', to: 'src/b.js' }], 'src/b.js'],
    ['lets a command write', ['shell.run', { command: ['true'] }], 'src/a.js'],
  ] as const)('holds what it %s to its size', async (_title, [tool, args], changed) => {
    for (const [limit, held] of [
      [SIZE, true],
      [SIZE - 1, false],
    ] as const) {
      const { session, accepted, call } = scene({
        state: 'code_writing',
        rules: tiedTo(`max_file_size: ${limit}`),
        commandChanges: [changed],
        ...(tool === 'fs.move' ? { answer: { entries: 2 } } : {}),
      });
      const reply = await call(tool, args);
      expect([reply.content, reply.ok]).toEqual([expect.any(String), held]);
      expect(accepted).toEqual(held ? [changed] : []);
      if (!held) expect(reply.content).toContain('policy_denied');
      expect(session.snapshot.refused.policy).toBe(!held);
    }
  });
});

describe('an exemption', () => {
  it('is granted when nothing is staged', async () => {
    const { session, call } = scene({ state: 'test_writing' });
    expect(await call('workflow.request_exemption', EXEMPT)).toMatchObject({ ok: true });
    expect(session.state).toBe('exploring');
  });

  it('is not granted beside other staged work, which it would carry past the gates', async () => {
    const { session, call } = scene({ state: 'test_writing', staged: ['README.md', 'test/a.test.ts'] });
    const reply = await call('workflow.request_exemption', EXEMPT);
    expect(reply).toMatchObject({ ok: false });
    expect(reply.content).toContain('test/a.test.ts has changed in this session');
    expect(session.state).toBe('test_writing');
    expect(session.snapshot.exemption).toBeNull();
  });

  it.each([
    ['for types is granted where types can be told from code', 'src/a.d.ts', null, 'Types alone may change'],
    ['for types is refused in Python', 'src/a.py', null, 'no such check for Python'],
    ['for types is refused for markup', 'src/a.tsx', null, 'JSX becomes code'],
    ['for types is refused where types become code', 'src/a.d.ts', 'tsconfig.json', 'tsconfig.json:3 names a compiler'],
    ['for types is refused for what the policy does not name', 'src/a.ts', null, 'is not covered'],
  ])('%s', async (_name, path, settings, said) => {
    const { context, session, call } = scene({ state: 'test_writing' });
    const matches = settings === null ? [] : [{ path: settings, line: 3, text: '', context: false }];
    Object.assign(context.workspace, { grep: () => Promise.resolve({ kind: 'ok', matches, truncated: false }) });
    const reply = await call('workflow.request_exemption', {
      category: 'type_refactor',
      affected_paths: [path],
      reason: 'a type',
    });
    expect(reply.content).toContain(said);
    expect(session.state).toBe(reply.ok ? 'exploring' : 'test_writing');
  });

  it.each([
    ['README.md', true],
    ['src/a.ts', false],
  ])('holds a command to its paths: %s', async (path, open) => {
    const { accepted, call } = scene({
      state: 'exploring',
      mode: 'debug',
      exemption: GRANTED,
      commandChanges: [path],
    });
    expect(await call('shell.run', { command: ['true'] })).toMatchObject({ ok: open });
    expect(accepted).toEqual(open ? [path] : []);
  });
});

describe('a policy that changes while a call is under way', () => {
  const closed = loadPolicy('capabilities: [{ name: shut, match: { syscall: [shell.run] }, action: deny }]', 'p');
  if (closed.kind !== 'ok') throw new Error('invalid');
  const shut: CompiledPolicy = closed.policy;

  /** A session whose policy becomes another one at the moment that `when` names. */
  function changing(when: 'in the sandbox' | 'while a human is asked' | 'never') {
    const made = scene({ state: 'exploring', mode: 'debug', commandChanges: ['src/a.ts'] });
    let now: CompiledPolicy = policy;
    const change = (at: typeof when) => {
      if (at === when) now = shut;
    };
    const { services } = made.context;
    const humans = {
      wait: () => {
        change('while a human is asked');
        return Promise.resolve({ kind: 'approve' });
      },
    };
    const sandboxes = {
      tool: (of: never) => {
        change('in the sandbox');
        return services.sandboxes.tool(of);
      },
    };
    const context = {
      ...made.context,
      services: { ...services, policy: () => now, humans, sandboxes },
    } as unknown as CallContext;
    const call = () => callOf(context, 'shell.run', { command: ['true'] });
    return { call, accepted: made.accepted };
  }

  it('lets it finish by the policy it was decided with, and decides the next by the new one', async () => {
    const { call, accepted } = changing('in the sandbox');
    expect(await call()).toMatchObject({ ok: true });
    expect(accepted).toEqual(['src/a.ts']);
    const next = await call();
    expect(next.content).toContain('policy_denied: Policy denies shell.run');
    expect(accepted).toEqual(['src/a.ts']);
  });

  it('holds what a human said yes to, to what the new one ties it to', async () => {
    const tied = (limit: number) => {
      const syscalls = '[shell.run, fs.move, fs.write]';
      const loadedTied = loadPolicy(
        `capabilities: [{ name: t, match: { syscall: ${syscalls} }, action: allow, constraints: { max_file_size: ${limit} } }]`,
        'p',
      );
      if (loadedTied.kind !== 'ok') throw new Error('invalid');
      return loadedTied.policy;
    };
    const asking = loadPolicy('capabilities: [{ name: a, match: { syscall: fs.move }, action: require_review }]', 'p');
    if (asking.kind !== 'ok') throw new Error('invalid');
    for (const limit of [SIZE, SIZE - 1]) {
      const made = scene({ state: 'code_writing', commandChanges: ['src/b.js'], answer: { entries: 2 } });
      let now: CompiledPolicy = asking.policy;
      const humans = {
        wait: () => {
          now = tied(limit);
          return Promise.resolve({ kind: 'approve' });
        },
      };
      const services = { ...made.context.services, policy: () => now, humans };
      const context = { ...made.context, services } as unknown as CallContext;
      const reply = await callOf(context, 'fs.move', { from: 'src/a.js', to: 'src/b.js' });
      expect([limit, reply.ok]).toEqual([limit, limit === SIZE]);
    }
  });

  it('denies what it has come to deny while a human was asked, although they said yes', async () => {
    const { call, accepted } = changing('while a human is asked');
    expect((await call()).content).toContain('policy_denied: Policy denies shell.run');
    expect(accepted).toEqual([]);
    expect(await changing('never').call()).toMatchObject({ ok: true });
  });
});

describe('the last refusal', () => {
  it('of policy is kept whole, with the path that was decided about', async () => {
    const { session, call } = scene({ state: 'code_writing' });
    await call('fs.write', { path: '.git/hooks/pre-commit', content: 'x' });
    expect(session.snapshot.last_refusal).toMatchObject({
      kind: 'policy',
      call_id: 'c1',
      syscall: 'fs.write',
      target: '.git/hooks/pre-commit',
      decision: 'deny',
      policy: policy.hash,
      rules: expect.arrayContaining([
        expect.objectContaining({ name: 'protect-git', layer: 'builtin', action: 'deny' }),
      ]) as unknown,
    });
  });

  it.each([
    ['by the state', 'planning', [], 'tool_unavailable'],
    ['because git ignores it', 'code_writing', ['src/a.js'], 'path_refused'],
  ] as const)('%s is kept in its own words', async (_name, state, ignored, code) => {
    const { session, call } = scene({ state, ignored });
    await call('fs.write', { path: 'src/a.js', content: 'x' });
    expect(session.snapshot.last_refusal).toMatchObject({ kind: 'other', syscall: 'fs.write', code });
  });

  it('is no failure of another kind', async () => {
    const { session, call } = scene({ state: 'code_writing' });
    await call('fs.write', { path: 'src/a.js' });
    expect(session.snapshot.last_refusal).toBeNull();
  });
});
