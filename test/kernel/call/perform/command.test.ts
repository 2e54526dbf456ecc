import { describe, expect, it } from 'vitest';
import { callAll, callTool } from '../../../support/kernel/calls.ts';
import type { FakeTool } from '../../../support/kernel/fake-sandboxes.ts';
import { policyOf, shippedPolicy } from '../../../support/kernel/policies.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../../support/kernel/test-kernel.ts';

const POLICY = policyOf(`workspace: { test_globs: [test/], source_globs: [src/] }
capabilities:
  - { name: all, match: { syscall: [shell.run, fs.read, fs.write] }, action: allow }
  - { name: secret, match: { syscall: fs.read, path_glob: [.env] }, action: deny }
  - { name: kept, match: { syscall: fs.write, path_glob: [keep/] }, action: deny }
  - { name: ask, match: { syscall: fs.write, path_glob: [ask/] }, action: require_review }`);

const result = (code: number, more: object = {}) => ({
  exit: { kind: 'exited', code },
  stdout: '',
  stderr: '',
  truncated: false,
  duration_ms: 1,
  ...more,
});
const ended = (code: number, more: object = {}) => ({ results: [result(code, more)] });

const STAGING = { command: ['make'], effects: 'stage', timeout_ms: 5000 };

const writing =
  (...paths: readonly string[]): FakeTool =>
  ({ files }) => {
    for (const path of paths) files.set(path, { text: 'x', executable: false });
    return ended(0);
  };

async function run(work: FakeTool, options: TestKernelOptions = {}, input: object = STAGING) {
  const kernel = testKernel({
    state: 'exploring',
    mode: 'explore',
    policy: POLICY,
    files: { '.env': 'KEY=1', 'src/a.js': 'a' },
    ...options,
  });
  kernel.sandboxes.tools.set('shell.run', work);
  const reply = await callTool(kernel, 'shell.run', input);
  return { ...kernel, reply };
}

describe("the host's toolchains", () => {
  it.each([
    ['are given to commands', [{ name: 'go', path: ['/usr/local/go/bin'], env: { GOROOT: '/usr/local/go' } }]],
    ['are not named where there are none', []],
  ] as const)('%s', async (_, toolchains) => {
    const given: unknown[] = [];
    await run(
      ({ operation }) => {
        given.push((operation.params as { toolchains?: unknown }).toolchains);
        return ended(0);
      },
      { kernelOptions: { toolchains: toolchains.map((each) => ({ ...each, path: [...each.path] })) } },
    );
    const [{ path, env } = { path: undefined, env: undefined }] = toolchains;
    expect(given).toEqual([path === undefined ? undefined : { path, env }]);
  });
});

describe('what a command changed', () => {
  it('is kept, and named', async () => {
    const { reply, workspace, sandboxes } = await run(writing('src/b.js', 'src/a.js'));
    expect(reply).toMatchObject({ ok: true, content: 'exited with 0\nchanged: src/a.js, src/b.js' });
    expect(workspace.accepted).toEqual(['src/a.js', 'src/b.js']);
    expect(sandboxes.operations).toMatchObject([{ program: 'tool:shell', deadlineMs: 15_000 }]);
  });

  it.each([
    ['policy denies', 'keep/a', {}],
    ['policy wants a person to allow', 'ask/a', {}],
    ['the state closes', 'src/b.js', { state: 'test_writing', mode: 'strict' }],
  ] as const)('is dropped as a whole if %s one of its paths', async (_, path, options) => {
    const { reply, workspace, session } = await run(writing('test/a.test.js', path), options);
    expect(reply).toMatchObject({
      ok: false,
      content: `policy_denied: The command changed ${path}, which is not open to writing now; nothing was kept.`,
    });
    expect(workspace.accepted).toEqual([]);
    expect(session.snapshot.refused.policy).toBe(true);
  });

  it.each([
    ['is kept where policy lets it be deleted', 'fs.write, fs.delete', true],
    ['is dropped where policy only lets it be written', 'fs.write', false],
  ])('and is gone: %s', async (_, syscalls, isOpen) => {
    const policy = policyOf(`workspace: { test_globs: [test/], source_globs: [src/] }
capabilities: [{ name: some, match: { syscall: [shell.run, fs.read, ${syscalls}] }, action: allow }]`);
    const remove: FakeTool = ({ files }) => {
      files.delete('src/a.js');
      return ended(0);
    };
    const { reply, workspace } = await run(remove, { policy });
    expect(reply.ok).toBe(isOpen);
    expect(workspace.accepted).toEqual(isOpen ? ['src/a.js'] : []);
    if (!isOpen) expect(reply.content).toContain('The command changed src/a.js, which is not open to writing now');
  });

  it('is dropped where git ignores it, and the rest is kept', async () => {
    const { reply, workspace } = await run(writing('keep/cache', 'src/b.js'), { ignored: ['keep/cache'] });
    expect(reply).toMatchObject({ ok: true, content: 'exited with 0\nchanged: src/b.js' });
    expect(workspace.accepted).toEqual(['src/b.js']);
  });

  it('is dropped if the sandbox answers with no result', async () => {
    const { reply, workspace } = await run((of) => {
      writing('src/b.js')(of);
      return { exit: 0 };
    });
    expect(reply).toMatchObject({
      ok: false,
      content: 'sandbox_failed: The sandbox returned an invalid result for shell.run.',
    });
    expect(workspace.accepted).toEqual([]);
  });
});

describe('what a command changed without effects', () => {
  it.each(['idle', 'planning', 'test_writing', 'code_writing', 'validating', 'reviewing', 'exploring'] as const)(
    'is dropped, and the command is open under the shipped policy in %s',
    async (state) => {
      const kernel = testKernel({ state, files: { 'src/a.js': 'a' } });
      kernel.sandboxes.tools.set('shell.run', writing('src/b.js', 'node_modules/x', '.git/config'));
      const reply = await callTool(kernel, 'shell.run', { script: 'make > src/b.js' });
      expect(reply).toMatchObject({ ok: true, content: 'exited with 0' });
      expect(kernel.workspace.accepted).toEqual([]);
      expect(kernel.sandboxes.operations[0]?.params).toEqual({
        commands: [['sh', '-c', 'make > src/b.js']],
        timeout_ms: 60_000,
      });
    },
  );

  it('is nothing that a running one waits for: two of a message run side by side', async () => {
    const kernel = testKernel({ state: 'planning' });
    const begun: (() => void)[] = [];
    kernel.sandboxes.tools.set('shell.run', () => {
      const { promise, resolve } = Promise.withResolvers<object>();
      begun.push(() => resolve(ended(0)));
      if (begun.length === 2) for (const end of begun) end();
      return promise;
    });
    const call = { tool: 'shell.run', input: { command: ['ls'] } };
    expect(await callAll(kernel, [call, call])).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

describe('what is staged in strict mode', () => {
  const format = { command: ['prettier', '--write', '.'], effects: 'stage' };

  it('is what a formatter changed where the state lets files be written', async () => {
    const policy = shippedPolicy();
    const open = await run(writing('src/a.js'), { state: 'code_writing', mode: 'strict', policy }, format);
    expect(open.reply).toMatchObject({ ok: true, content: 'exited with 0\nchanged: src/a.js' });
    const shut = await run(writing('src/a.js'), { state: 'test_writing', mode: 'strict', policy }, format);
    expect(shut.reply.content).toContain('policy_denied: The command changed src/a.js');
    expect(shut.workspace.accepted).toEqual([]);
  });

  it.each([
    ['code_writing', { command: ['make'], effects: 'stage' }, 'policy_denied: Policy denies shell.run'],
    ['planning', format, 'tool_unavailable: shell.run is not open in state planning. Changes can be staged where'],
    ['reviewing', format, 'call git.commit'],
  ] as const)('is nothing in %s of %j', async (state, input, why) => {
    const { reply, sandboxes } = await run(
      writing('src/a.js'),
      { state, mode: 'strict', policy: shippedPolicy() },
      input,
    );
    expect(reply.content).toContain(why);
    expect(sandboxes.operations).toEqual([]);
  });

  it('waits for a person in explore mode, but for formatters', async () => {
    const options = { policy: shippedPolicy(), options: { interactive: false } };
    const make = await run(writing('src/a.js'), options);
    expect(make.reply.content).toContain('review_required: A human must allow shell.run');
    expect((await run(writing('src/a.js'), options, format)).reply).toMatchObject({ ok: true });
  });
});

describe('what a command sees and says', () => {
  it('is nothing of the files that the model may not read; a failure names them', async () => {
    const seen: boolean[] = [];
    const { reply } = await run(({ files }) => {
      seen.push(files.has('.env'), files.has('src/a.js'));
      return ended(1, { stderr: 'no .env' });
    });
    expect(seen).toEqual([false, true]);
    expect(reply).toMatchObject({ ok: true, content: expect.stringContaining('.env (rule secret)') as unknown });
    expect((await run(() => ended(0))).reply.content).not.toContain('.env');
  });

  it.each([
    [ended(3, { stdout: 'out', stderr: 'err' }), 'exited with 3\nstdout:\nout\nstderr:\nerr'],
    [ended(0, { exit: { kind: 'signalled', signal: 'SIGKILL' } }), 'ended by SIGKILL'],
    [ended(0, { exit: { kind: 'timed-out', after_ms: 5000 } }), 'stopped after 5000 ms'],
    [ended(0, { exit: { kind: 'not-started', reason: 'no such file' } }), 'not started: no such file'],
  ])('is %j in words', async (result, words) => {
    expect((await run(() => result, { files: {} })).reply).toMatchObject({ ok: true, content: words });
  });

  it('names each of several commands, and which were not run', async () => {
    const input = { commands: [['ls'], ['false'], ['pwd']] };
    const results = [result(0, { stdout: 'a' }), result(1)];
    const { reply } = await run(() => ({ results }), { files: {} }, input);
    expect(reply.content).toBe('$ ls\nexited with 0\nstdout:\na\n$ false\nexited with 1\n$ pwd\nnot run');
    expect((await run(() => ({ results: [...results, ...results] }), {}, input)).reply.content).toContain(
      'invalid result',
    );
  });

  it.each([{}, { command: ['ls'], script: 'ls' }])(
    'is exactly one of command, commands and script: %j',
    async (input) => {
      expect((await run(() => ended(0), {}, input)).reply.content).toContain(
        'exactly one of command, commands and script',
      );
    },
  );
});

describe('a sandbox that fails', () => {
  it.each([
    [{ kind: 'timed-out', afterMs: 5000 }, 'timeout: It was stopped after 5 s.'],
    [{ kind: 'out-of-memory' }, 'out_of_memory: It used more memory than its sandbox has.'],
    [{ kind: 'cancelled' }, 'cancelled: It was interrupted.'],
    [{ kind: 'failed', reason: 'it died' }, 'sandbox_failed: it died'],
    [{ kind: 'tool-error', code: 'not_found', message: 'no make' }, 'not_found: no make'],
    [
      { kind: 'tool-error', code: 'ipc_unsendable', message: 'x' },
      'too_large: The call or its result is larger than one message (12 MiB), of which 8 MiB can be file content, old and new together; nothing was written. Work on less at once: fs.edit changes a part of a file, and fs.delete first makes room for a whole new content.',
    ],
    [{ kind: 'tool-error', code: 'made_up', message: 'x' }, 'sandbox_failed: x'],
  ] as const)('with %j leaves nothing', async (outcome, content) => {
    const kernel = testKernel({ state: 'exploring', mode: 'explore', policy: POLICY });
    kernel.sandboxes.tool = () => Promise.resolve({ sandbox: kernel.session.id as never, ...outcome });
    expect(await callTool(kernel, 'shell.run', { command: ['make'], effects: 'stage' })).toMatchObject({
      ok: false,
      content,
    });
    expect(kernel.workspace.accepted).toEqual([]);
  });
});
