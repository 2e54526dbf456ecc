import { expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import { anthropicClient } from '../../../src/providers/anthropic/anthropic-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { turn } from '../../support/wire/script.ts';
import { request } from '../conformance.ts';

const thoughtful = turn({
  thinking: 'First the test, then the code.',
  text: 'Looking. ',
  calls: [{ tool: 'fs.read', input: { path: 'a' }, id: 'toolu_1' }],
});

/** Asks twice; the second request carries the first answer as the kernel kept it, after `change`. Returns that answer's blocks. */
async function blocksSentBack(change: (message: Extract<ModelMessage, { role: 'assistant' }>) => ModelMessage) {
  const server = await startAnthropicServer([{ ...thoughtful, cutAfterEvents: 6 }, thoughtful, turn({ text: 'done' })]);
  const grant = { wire: 'messages' as const, base_url: server.url, api_key: 'sk-test', extra_ca: [] };
  let blocks: unknown;
  await useClientInProcess(server, grant, anthropicClient, async ({ chat }) => {
    const answer = collectAnswer(await chat(request));
    expect(answer.text).toBe('Looking. ');
    const calls = answer.calls.map(({ id, tool, arguments: text }) => ({ call_id: id, tool, arguments: text }));
    const history: ModelMessage[] = [
      ...request.messages,
      change({ role: 'assistant', text: answer.text, calls }),
      { role: 'tool', results: [{ call_id: 'toolu_1', ok: true, content: 'a' }] },
    ];
    await chat({ ...request, messages: history });
    const { messages } = server.requests.at(-1)?.body as { messages: { content: unknown }[] };
    blocks = messages[1]?.content;
  });
  return blocks;
}

const call = { type: 'tool_use', id: 'toolu_1', name: 'fs_read', input: { path: 'a' } };

test('what a model thought before a call goes back with it, unchanged and in its place', async () => {
  expect(await blocksSentBack((message) => message)).toEqual([
    { type: 'thinking', thinking: 'First the test, then the code.', signature: 'signed:30' },
    { type: 'text', text: 'Looking.' },
    call,
  ]);
});

test('what a model thinks is passed on, and is no text of the answer', async () => {
  const server = await startAnthropicServer([thoughtful]);
  const grant = { wire: 'messages' as const, base_url: server.url, api_key: 'sk-test', extra_ca: [] };
  await useClientInProcess(server, grant, anthropicClient, async ({ chat }) => {
    const events = await chat(request);
    const thoughts = events.flatMap((event) => (event.type === 'thought_delta' ? [event.text] : []));
    expect(thoughts.join('')).toBe('First the test, then the code.');
    expect(collectAnswer(events).text).toBe('Looking. ');
  });
});

test('a thought is not put before an answer that is no longer the one it led to', async () => {
  expect(await blocksSentBack((message) => ({ ...message, text: 'Something else.' }))).toEqual([
    { type: 'text', text: 'Something else.' },
    call,
  ]);
});
