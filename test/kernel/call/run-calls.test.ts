import { describe, expect, it } from 'vitest';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';
import { callTool } from '../../support/kernel/calls.ts';
import { policyOf, shippedPolicy } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernel, TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const SIZE = 100;
const TEXT = 'x'.repeat(SIZE);

/** The project has one source file, of a known size. A person who is asked says yes. */
function kernelWith(options: TestKernelOptions): TestKernel {
  return testKernel({ files: { 'src/a.js': TEXT }, answer: 'approve', ...options });
}

/** A command that writes these files, each of the known size. */
function commandWrites({ sandboxes }: TestKernel, paths: readonly string[]): void {
  sandboxes.tools.set('shell.run', ({ files }) => {
    for (const path of paths) files.set(path, { text: TEXT, executable: false });
    const exit = { kind: 'exited', code: 0 };
    return { results: [{ exit, stdout: '', stderr: '', truncated: false, duration_ms: 1 }] };
  });
}

describe('what git ignores', () => {
  it.each([
    ['fs.write', { path: 'dist/a.js', content: 'x' }],
    ['fs.delete', { path: 'dist/a.js' }],
    ['fs.move', { from: 'src/a.js', to: 'dist/a.js' }],
  ])('is not changed by %s', async (tool, input) => {
    const kernel = kernelWith({ state: 'code_writing', ignored: ['dist/a.js'] });
    const reply = await callTool(kernel, tool, input);
    expect(reply).toMatchObject({ ok: false });
    expect(reply.content).toContain('path_refused: dist/a.js is ignored by git');
    expect(kernel.sandboxes.operations).toEqual([]);
    expect(kernel.session.snapshot.refused.policy).toBe(true);
  });
});

describe('tests that ask for a network', () => {
  it('are denied, not run without one', async () => {
    const kernel = kernelWith({ state: 'code_writing' });
    const reply = await callTool(kernel, 'test.run', { network: true });
    expect(reply).toMatchObject({ ok: false });
    expect(reply.content).toContain(
      'policy_denied: test.run with network is denied: the configuration of the user opens no host',
    );
    expect(kernel.session.snapshot.refused.policy).toBe(true);
    expect((await callTool(kernel, 'test.run', { network: false })).content).not.toContain('policy_denied');
  });
});

const EXEMPT = { category: 'documentation', affected_paths: ['README.md'], reason: 'a typo' };
const GRANTED = { category: 'documentation', paths: ['README.md'], reason: 'a typo' };

/** A policy that allows all of this, tied to `constraints`. */
function tiedTo(constraints: string): CompiledPolicy {
  const syscalls = 'fs.read, fs.list, plan.complete, fs.write, fs.delete, fs.move, shell.run, git.status, test.run';
  return policyOf(
    `capabilities: [{ name: all, match: { syscall: [${syscalls}] }, action: allow, constraints: { ${constraints} } }]`,
  );
}

describe('an allow that is tied to a constraint', () => {
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
  ] as const)('%s: %j', async (constraints, [tool, input], why) => {
    const kernel = kernelWith({ state: 'code_writing', policy: tiedTo(constraints) });
    const reply = await callTool(kernel, tool, input);
    if (why === null) {
      expect(reply.content).not.toContain('policy_denied');
      return;
    }
    expect(reply.content).toMatch(`policy_denied: Policy denies ${tool}: `);
    expect(reply.content).toContain(why);
    expect(kernel.session.snapshot.refused.policy).toBe(true);
    expect(kernel.session.snapshot.last_refusal).toMatchObject({ kind: 'policy', decision: 'deny' });
    expect(kernel.audit.records).toContainEqual(
      expect.objectContaining({ event_type: 'syscall', policy_decision: 'denied' }),
    );
  });

  it.each([
    ['moves', ['fs.move', { from: 'src/a.js', to: 'src/b.js' }], ['src/a.js', 'src/b.js']],
    ['lets a command write', ['shell.run', { command: ['true'], effects: 'stage' }], ['src/b.js']],
  ] as const)('limits the size of what it %s', async (_title, [tool, input], changed) => {
    for (const [limit, isOpen] of [
      [SIZE, true],
      [SIZE - 1, false],
    ] as const) {
      const kernel = kernelWith({ state: 'code_writing', policy: tiedTo(`max_file_size: ${limit}`) });
      commandWrites(kernel, ['src/b.js']);
      const reply = await callTool(kernel, tool, input);
      expect([reply.content, reply.ok]).toEqual([expect.any(String), isOpen]);
      expect(kernel.workspace.accepted).toEqual(isOpen ? changed : []);
      if (!isOpen) expect(reply.content).toContain('policy_denied');
      expect(kernel.session.snapshot.refused.policy).toBe(!isOpen);
    }
  });
});

describe('an exemption', () => {
  it('is granted when nothing is staged', async () => {
    const kernel = kernelWith({ state: 'test_writing' });
    expect(await callTool(kernel, 'workflow.request_exemption', EXEMPT)).toMatchObject({ ok: true });
    expect(kernel.session.state).toBe('exploring');
  });

  it('is not granted beside other staged work, which it would carry past the gates', async () => {
    const kernel = kernelWith({ state: 'test_writing', staged: { 'README.md': 'a', 'test/a.test.ts': 'b' } });
    const reply = await callTool(kernel, 'workflow.request_exemption', EXEMPT);
    expect(reply).toMatchObject({ ok: false });
    expect(reply.content).toContain('test/a.test.ts has changed in this session');
    expect(kernel.session.state).toBe('test_writing');
    expect(kernel.session.snapshot.exemption).toBeNull();
  });

  it.each([
    ['for types is granted where types can be told from code', 'src/a.d.ts', {}, 'Only types may change'],
    ['for types is refused in Python', 'src/a.py', {}, 'no such check for Python'],
    ['for types is refused for markup', 'src/a.tsx', {}, 'JSX becomes code'],
    [
      'for types is refused where types become code',
      'src/a.d.ts',
      { 'tsconfig.json': '{\n"compilerOptions": {\n"emitDecoratorMetadata": true' },
      'tsconfig.json:3 names a compiler',
    ],
    ['for types is refused for what the policy does not name', 'src/a.ts', {}, 'is not covered'],
  ])('%s', async (_name, path, files, expected) => {
    const kernel = kernelWith({ state: 'test_writing', files });
    const reply = await callTool(kernel, 'workflow.request_exemption', {
      category: 'type_refactor',
      affected_paths: [path],
      reason: 'a type',
    });
    expect(reply.content).toContain(expected);
    expect(kernel.session.state).toBe(reply.ok ? 'exploring' : 'test_writing');
  });

  it.each([
    ['README.md', true],
    ['src/b.ts', false],
  ])('limits a command to its paths: %s', async (path, isOpen) => {
    const kernel = kernelWith({ state: 'exploring', mode: 'debug', snapshot: { exemption: GRANTED } });
    commandWrites(kernel, [path]);
    expect(await callTool(kernel, 'shell.run', { command: ['true'], effects: 'stage' })).toMatchObject({ ok: isOpen });
    expect(kernel.workspace.accepted).toEqual(isOpen ? [path] : []);
  });
});

describe('a policy that changes while a call is under way', () => {
  const shut = policyOf('capabilities: [{ name: shut, match: { syscall: [shell.run] }, action: deny }]');

  /** A session whose policy becomes another one at the moment that `when` names. */
  function changing(when: 'in the sandbox' | 'at the review' | 'never') {
    let now = shippedPolicy();
    const kernel = kernelWith({ state: 'exploring', mode: 'debug', policy: () => now });
    commandWrites(kernel, ['src/b.ts']);
    const command = kernel.sandboxes.tools.get('shell.run');
    kernel.sandboxes.tools.set('shell.run', (run) => {
      if (when === 'in the sandbox') now = shut;
      return command?.(run);
    });
    kernel.session.subscribe((event) => {
      if (event.type === 'review.requested' && when === 'at the review') now = shut;
    });
    const call = () => callTool(kernel, 'shell.run', { command: ['true'], effects: 'stage' });
    return { call, accepted: kernel.workspace.accepted };
  }

  it('lets it finish under the policy that decided it, and decides the next under the new one', async () => {
    const { call, accepted } = changing('in the sandbox');
    expect(await call()).toMatchObject({ ok: true });
    expect(accepted).toEqual(['src/b.ts']);
    const next = await call();
    expect(next.content).toContain('policy_denied: Policy denies shell.run');
    expect(accepted).toEqual(['src/b.ts']);
  });

  it('limits what a human approved by the constraints of the new one', async () => {
    const asking = policyOf('capabilities: [{ name: a, match: { syscall: fs.move }, action: require_review }]');
    for (const limit of [SIZE, SIZE - 1]) {
      let now = asking;
      const kernel = kernelWith({ state: 'code_writing', policy: () => now });
      kernel.session.subscribe((event) => {
        if (event.type === 'review.requested') now = tiedTo(`max_file_size: ${limit}`);
      });
      const reply = await callTool(kernel, 'fs.move', { from: 'src/a.js', to: 'src/b.js' });
      expect([limit, reply.ok]).toEqual([limit, limit === SIZE]);
    }
  });

  it('denies what the new one denies, although a human approved it meanwhile', async () => {
    const { call, accepted } = changing('at the review');
    expect((await call()).content).toContain('policy_denied: Policy denies shell.run');
    expect(accepted).toEqual([]);
    expect(await changing('never').call()).toMatchObject({ ok: true });
  });
});

describe('the last refusal', () => {
  it('by policy is kept whole, with the path that was decided about', async () => {
    const kernel = kernelWith({ state: 'code_writing' });
    await callTool(kernel, 'fs.write', { path: '.git/hooks/pre-commit', content: 'x' });
    expect(kernel.session.snapshot.last_refusal).toMatchObject({
      kind: 'policy',
      call_id: 'c1',
      syscall: 'fs.write',
      target: '.git/hooks/pre-commit',
      decision: 'deny',
      policy: shippedPolicy().hash,
      rules: expect.arrayContaining([
        expect.objectContaining({ name: 'protect-git', layer: 'builtin', action: 'deny' }),
      ]) as unknown,
    });
  });

  it.each([
    ['by the state', 'planning', [], 'tool_unavailable'],
    ['because git ignores it', 'code_writing', ['src/a.js'], 'path_refused'],
  ] as const)('%s is kept in its own words', async (_name, state, ignored, code) => {
    const kernel = kernelWith({ state, ignored });
    await callTool(kernel, 'fs.write', { path: 'src/a.js', content: 'x' });
    expect(kernel.session.snapshot.last_refusal).toMatchObject({ kind: 'other', syscall: 'fs.write', code });
  });

  it('is no failure of another kind', async () => {
    const kernel = kernelWith({ state: 'code_writing' });
    await callTool(kernel, 'fs.write', { path: 'src/a.js' });
    expect(kernel.session.snapshot.last_refusal).toBeNull();
  });
});
