import { describe, expect, it } from 'vitest';
import type { ToolSandboxResult } from '../../../../src/contracts/ports/sandboxes.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const SANDBOX = 'x_sandbox001';

/** A call of each way in which a tool runs in a sandbox. */
const CALLS = [
  ['fs.write', { path: 'src/a.js', content: 'b' }],
  ['fs.delete', { path: 'src/a.js' }],
  ['shell.run', { command: ['make'], effects: 'stage' }],
  ['shell.run', { command: ['make'], effects: 'discard' }],
  ['git.log', {}],
] as const;
const ON_OVERLAY = CALLS.slice(1);

const kernel = () => testKernel({ state: 'exploring', mode: 'explore', files: { 'src/a.js': 'a' }, answer: 'approve' });

const FAILURES: readonly (readonly [string, object, string])[] = [
  ['takes too long', { kind: 'timed-out', afterMs: 30_000 }, 'timeout: It was stopped after 30 s.'],
  ['takes too much memory', { kind: 'out-of-memory' }, 'out_of_memory: It used more memory than its sandbox has.'],
  ['is interrupted', { kind: 'cancelled' }, 'cancelled: It was interrupted.'],
  ['breaks', { kind: 'failed', reason: 'no such image' }, 'sandbox_failed: no such image'],
  ['answers with a code of its own', { kind: 'tool-error', code: 'you_win', message: 'x' }, 'sandbox_failed: x'],
  ['answers with an error', { kind: 'tool-error', code: 'not_found', message: 'gone' }, 'not_found: gone'],
  [
    'has more to say than fits',
    { kind: 'tool-error', code: 'ipc_unsendable', message: 'x' },
    'too_large: The call or its result is larger than',
  ],
];

describe.each(CALLS)('%s %j', (tool, input) => {
  it.each(FAILURES)('says so where its sandbox %s, and keeps nothing', async (_what, result, content) => {
    const made = kernel();
    made.sandboxes.tool = () => Promise.resolve({ sandbox: SANDBOX, ...result } as ToolSandboxResult);
    const reply = await callTool(made, tool, input);
    expect(reply).toMatchObject({ ok: false, content: expect.stringContaining(content) as string });
    expect([made.workspace.accepted, made.workspace.text('src/a.js')]).toEqual([[], 'a']);
  });

  it('ends the run where the disk is full', async () => {
    const made = kernel();
    made.sandboxes.tool = () => Promise.resolve({ kind: 'disk-full', sandbox: null });
    await expect(callTool(made, tool, input)).rejects.toMatchObject({ code: 'disk_full' });
  });
});

describe.each(ON_OVERLAY)('%s %j', (tool, input) => {
  it.each([
    [{ kind: 'moved' }, 'conflict: The project kept changing while this ran. Try again.'],
    [{ kind: 'refused', reason: 'a device node' }, 'sandbox_failed: Nothing of it counts: a device node'],
  ] as const)('is told that its overlay ended as %j', async (outcome, content) => {
    const made = kernel();
    Object.assign(made.workspace, {
      overlay: () => Promise.resolve(outcome),
      discarding: () => Promise.resolve(outcome),
    });
    expect(await callTool(made, tool, input)).toMatchObject({ ok: false, content });
  });
});
