import { describe, expect, it } from 'vitest';
import { sizeCheckOf } from '../../../src/kernel/call/authorise.ts';
import { callTool, useOf } from '../../support/kernel/calls.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const ASK = policyOf(
  'capabilities: [{ name: ask, match: { syscall: fs.write }, action: require_review, reason: why }]',
);
const WRITE = ['fs.write', { path: 'src/a.js', content: 'new' }] as const;
const kernelWith = (options: Parameters<typeof testKernel>[0]) =>
  testKernel({ files: { 'src/a.js': 'old' }, policy: ASK, ...options });

describe('a call that a person has to allow', () => {
  it('is shown whole, and performed when it is approved', async () => {
    const kernel = kernelWith({ answer: 'approve' });
    expect(await callTool(kernel, ...WRITE)).toMatchObject({ ok: true });
    expect(kernel.eventsOf('review.requested')).toMatchObject([
      { kind: 'policy', message: 'fs.write', reasons: ['why', 'src/a.js'], diff: JSON.stringify(WRITE[1], null, 2) },
    ]);
    expect(kernel.workspace.text('src/a.js')).toBe('new');
    expect(kernel.audit.durable.filter(({ caller }) => caller === 'user')).toMatchObject([
      { policy_decision: 'allowed', metadata: { signature: 'signature', public_key: 'key' } },
    ]);
  });

  it('is refused with the reason of a person who said no', async () => {
    const kernel = kernelWith({ answer: { reject: 'not this file' } });
    expect(await callTool(kernel, ...WRITE)).toMatchObject({
      ok: false,
      content: 'policy_denied: The user refused: not this file',
    });
    expect(kernel.sandboxes.operations).toEqual([]);
    expect(kernel.audit.durable.filter(({ caller }) => caller === 'user')).toMatchObject([
      { policy_decision: 'denied', deny_reason: 'not this file' },
    ]);
    expect(kernel.session.snapshot.last_refusal).toMatchObject({ kind: 'other', code: 'policy_denied' });
  });

  it('is refused at once where the run has no person', async () => {
    const kernel = kernelWith({ options: { interactive: false } });
    expect(await callTool(kernel, ...WRITE)).toMatchObject({
      ok: false,
      content: 'review_required: A human must allow fs.write, and this run has no terminal to ask on: why',
    });
    expect(kernel.eventsOf('review.requested')).toEqual([]);
  });

  it('is not shown if git ignores its path: no approval would help', async () => {
    const kernel = kernelWith({ answer: 'approve', ignored: ['src/a.js'] });
    expect((await callTool(kernel, ...WRITE)).content).toMatch(
      /^path_refused: src\/a\.js is ignored by git, so fs\.write on it/,
    );
    expect(kernel.eventsOf('review.requested')).toEqual([]);
  });
});

describe('the size of what a call wrote', () => {
  it('is refused for a path that policy was not asked about', () => {
    const check = sizeCheckOf({ use: useOf(...WRITE), decisions: new Map() });
    expect(check('src/other.js', 1)).toBe('policy was not asked about src/other.js');
  });
});

describe('policy', () => {
  it('sees the program and arguments of a command', async () => {
    const policy = policyOf(`capabilities:
  - { name: some, match: { syscall: shell.run, command: [[npm, test]] }, action: require_review, reason: a test }`);
    const kernel = kernelWith({ policy, options: { interactive: false } });
    const call = async (command: readonly string[]) => (await callTool(kernel, 'shell.run', { command })).content;
    expect(await call(['npm', 'test', '--bail'])).toMatch(/^review_required: .*a test$/);
    expect(await call(['npm', 'run', 'x'])).toContain('no rule allows shell.run');
  });

  it('sees each of several commands, and what becomes of their changes', async () => {
    const policy = policyOf(`capabilities:
  - { name: all, match: { syscall: shell.run, effects: discard }, action: allow }
  - { name: no, match: { syscall: shell.run, command: [[rm]] }, action: deny, reason: no rm }`);
    const kernel = kernelWith({ policy });
    const call = async (input: object) => (await callTool(kernel, 'shell.run', input)).content;
    expect(await call({ commands: [['ls'], ['/bin/rm', 'x']] })).toBe('policy_denied: Policy denies shell.run: no rm');
    expect(await call({ commands: [['ls'], ['ls', '-l']] })).toContain('exited with 0');
    expect(await call({ command: ['ls'], effects: 'stage' })).toContain('no rule allows shell.run');
  });

  it('decides about both names of a move and everything beneath, and the strictest decision counts', async () => {
    const policy = policyOf(`capabilities:
  - { name: all, match: { syscall: fs.move }, action: allow }
  - { name: kept, match: { syscall: fs.move, path_glob: [dst/sub/b.js] }, action: deny, reason: kept }`);
    const kernel = kernelWith({ policy, files: { 'src/a.js': '', 'src/sub/b.js': '' } });
    const reply = await callTool(kernel, 'fs.move', { from: 'src', to: 'dst' });
    expect(reply.content).toBe('policy_denied: Policy denies fs.move: kept');
    expect(kernel.session.snapshot.last_refusal).toMatchObject({ target: 'dst/sub/b.js' });
  });

  it('knows the plugin, the sandbox and the size of a write', async () => {
    const policy = policyOf(`capabilities:
  - { name: w, match: { syscall: fs.write, plugin: fs-tool, sandbox_template: code-executor }, action: allow, constraints: { max_file_size: 3 } }`);
    const kernel = kernelWith({ policy });
    expect(await callTool(kernel, ...WRITE)).toMatchObject({ ok: true });
    const tooLarge = await callTool(kernel, 'fs.write', { path: 'src/a.js', content: 'four' });
    expect(tooLarge.content).toContain('the file would have 4 bytes, more than the 3 that it allows');
  });
});
