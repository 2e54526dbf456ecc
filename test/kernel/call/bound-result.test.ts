import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { boundTogether } from '../../../src/kernel/call/bound-result.ts';
import { KERNEL } from '../../../src/kernel/tools/plugins.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';
import { ANY_STATE, NEXT_TASK } from '../../../src/kernel/tools/shared/states.ts';
import { answer } from '../../../src/kernel/tools/tool-answer.ts';
import { defineTool } from '../../../src/kernel/tools/tool.ts';
import type { ResultLimit } from '../../../src/kernel/tools/tool.ts';
import { callTool } from '../../support/kernel/calls.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const LINES = Array.from({ length: 2_000 }, (_, line) => `line ${line} of the output`).join('\n');

const POLICY = policyOf(`version: 1
capabilities:
  - name: look-back
    match: { syscall: [history.wordy, output.read] }
    action: allow
`);

/** A tool that says a lot, and its reply. */
async function replyOf(result: ResultLimit, text: string) {
  const wordy = defineTool({
    name: 'history.wordy',
    description: 'Says a lot.',
    input: z.strictObject({}),
    place: 'kernel',
    effect: 'read',
    plugin: KERNEL,
    states: ANY_STATE,
    opens: NEXT_TASK,
    result,
    perform: () => answer(text, 'said'),
  });
  const kernel = testKernel({ services: { tools: () => TOOLS.with(wordy) }, policy: POLICY });
  const reply = await callTool(kernel, 'history.wordy', {});
  return { ...kernel, reply };
}

describe('a result that is too long', () => {
  it.each([
    ['head', /^line 0 of.*characters left out.*…$/s],
    ['tail', /^line 0 of.*characters left out.*line 1999 of the output$/s],
    ['ends', /^line 0 of.*characters left out.*line 1999 of the output$/s],
  ] as const)('keeps its %s, at ends of lines', async (keep, expected) => {
    const { reply } = await replyOf({ maxTokens: 500, keep }, LINES);
    expect(reply.content).toMatch(expected);
    expect(reply.content.length).toBeLessThan(2_200);
    for (const line of reply.content.split('\n')) expect(line).toMatch(/^line \d+ of the output$|left out/);
  });

  it('can be read on where it was cut', async () => {
    const { reply, session } = await replyOf({ maxTokens: 500, keep: 'head' }, LINES);
    const [, reference = '', offset = ''] = /reference (\S+) and offset (\d+)/.exec(reply.content) ?? [];
    expect(session.archive.output(reference)).toBe(LINES);
    const kernel = { context: { ...testKernel().context, session } };
    const rest = await callTool(kernel, 'output.read', { reference, offset: Number(offset), limit: 40 });
    expect(`${reply.content.split('\n…')[0] ?? ''}${rest.content}`).toContain(LINES.slice(0, Number(offset) + 40));
  });

  it('is kept without secrets', async () => {
    const secret = `sk-${'a1B2'.repeat(12)}`;
    const { session, reply } = await replyOf({ maxTokens: 500, keep: 'head' }, `${LINES}\n${secret}`);
    const [, reference = ''] = /reference (\S+) and/.exec(reply.content) ?? [];
    expect(session.archive.output(reference)).toMatch(/line 1999 of the output\n/);
    expect(session.archive.output(reference)).not.toContain(secret);
  });

  it('is left alone when it fits', async () => {
    expect((await replyOf({ maxTokens: 500, keep: 'head' }, 'short')).reply.content).toBe('short');
  });
});

describe('the results of one message', () => {
  it('share the room: small ones stay whole, large ones are cut alike', () => {
    const { context } = testKernel();
    const replies = [100, 50_000, 60_000].map((length, index) => ({
      call_id: `c${index}`,
      ok: true,
      content: 'x'.repeat(length),
    }));
    const bounded = boundTogether(context, replies, 20_100).map(({ content }) => content.length);
    expect(bounded[0]).toBe(100);
    expect(bounded[1]).toBeGreaterThan(9_900);
    expect(Math.max(...bounded)).toBeLessThan(10_300);
  });
});
