import { describe, expect, it } from 'vitest';
import { runForUser } from '../../../src/kernel/serve/run-for-user.ts';
import { callTool } from '../../support/kernel/calls.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

async function run(stdout: string, options: TestKernelOptions = {}, code = 0) {
  const kernel = testKernel({ files: { 'src/a.js': 'a' }, ...options });
  kernel.sandboxes.tools.set('shell.run', ({ files }) => {
    files.set('src/a.js', { text: 'changed', executable: false });
    const exit = { kind: 'exited', code };
    return { results: [{ exit, stdout, stderr: '', truncated: false, duration_ms: 1 }] };
  });
  await runForUser(kernel.services, kernel.session, 'ls -la', new AbortController().signal);
  return kernel;
}

describe('a command of the user', () => {
  it('is reported with what it printed, and what it changed is dropped', async () => {
    const { eventsOf, workspace, audit } = await run('a.js\n');
    expect(eventsOf('tool.started')).toMatchObject([{ tool: 'shell.run', by: 'user', input: { script: 'ls -la' } }]);
    expect(eventsOf('tool.finished')).toMatchObject([{ ok: true, summary: 'exited with 0', output: 'a.js\n' }]);
    expect(workspace.text('src/a.js')).toBe('a');
    const ofUser = audit.durable.filter(({ caller }) => caller === 'user');
    expect(ofUser.map(({ event_type: type }) => type)).toEqual(['syscall', 'tool_execute', 'tool_result']);
  });

  it('is a note in the conversation, which is no message of the user', async () => {
    const { session, eventsOf } = await run('a.js\n');
    expect(session.messages).toEqual([
      {
        role: 'user',
        author: 'kernel',
        text: expect.stringContaining('$ ls -la\nexited with 0\nstdout:\na.js') as string,
      },
    ]);
    expect(eventsOf('message.user')).toEqual([]);
  });

  it('says that it failed', async () => {
    const { eventsOf } = await run('', {}, 2);
    expect(eventsOf('tool.finished')).toMatchObject([{ ok: true, command_failed: true, summary: 'exited with 2' }]);
  });

  it('is bounded and without secrets, on the screen and in the conversation', async () => {
    const { session, eventsOf } = await run(`${'x'.repeat(100_000)}\n${TOKEN}\n`);
    const [shown = ''] = eventsOf('tool.finished').map(({ output }) => output ?? '');
    const [said = ''] = session.messages.map((message) => ('text' in message ? message.text : ''));
    for (const text of [shown, said]) {
      expect(text.length).toBeLessThan(20_000);
      expect(text).not.toContain(TOKEN);
    }
  });

  it('is refused where policy denies it, and the reason is shown', async () => {
    const policy = policyOf('capabilities: [{ name: no, match: { syscall: shell.run }, action: deny, reason: never }]');
    const { eventsOf, sandboxes, session } = await run('a', { policy });
    expect(sandboxes.operations).toEqual([]);
    expect(eventsOf('tool.finished')).toMatchObject([{ ok: false, error: { code: 'policy_denied' } }]);
    expect(session.snapshot.last_refusal).toMatchObject({ kind: 'policy' });
  });
});

it('a call of the model has neither mark nor output', async () => {
  const kernel = await run('x');
  await callTool(kernel, 'shell.run', { command: ['ls'] });
  expect(kernel.eventsOf('tool.started').at(-1)).not.toHaveProperty('by');
  expect(kernel.eventsOf('tool.finished').at(-1)).not.toHaveProperty('output');
});
