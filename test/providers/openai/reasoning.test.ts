import { describe, expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../../src/contracts/model/model.ts';
import { openAiClient } from '../../../src/providers/openai/openai-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import { startChatServer } from '../../support/wire/chat-server.ts';
import { startResponsesServer } from '../../support/wire/responses-server.ts';
import { turn } from '../../support/wire/script.ts';
import { request } from '../conformance.ts';

const thoughtful = turn({
  thinking: 'First the test.',
  calls: [{ tool: 'fs.read', input: { path: 'a' }, id: 'call_1' }],
});
const thinking: ModelRequest = { ...request, reasoning: true };

const answered: ModelMessage[] = [
  ...request.messages,
  {
    role: 'assistant',
    text: '',
    calls: [{ call_id: 'call_1', tool: 'fs.read', arguments: '{"path":"a"}' }],
  },
  { role: 'tool', results: [{ call_id: 'call_1', ok: true, content: 'a' }] },
];

/** What is sent after an answer that was thought about. */
async function sentAfter(next: Partial<ModelRequest>) {
  const server = await startResponsesServer([thoughtful, turn({ text: 'Done.' })]);
  const grant = { wire: 'responses', base_url: `${server.url}/v1`, api_key: 'sk-test', extra_ca: [] } as const;
  let input: readonly unknown[] = [];
  let ends: readonly unknown[] = [];
  await useClientInProcess(server, { ...grant, extra_ca: [] }, openAiClient, async ({ chat }) => {
    await chat(thinking);
    ({ ends } = collectAnswer(await chat({ ...thinking, messages: answered, ...next })));
    input = server.requests[1]?.body['input'] as readonly unknown[];
  });
  return { input, ends };
}

const item = { type: 'reasoning', id: 'rs_0', summary: [], encrypted_content: 'sealed:0' };

describe('encrypted reasoning', () => {
  test('goes back unchanged, before the calls that it led to', async () => {
    const { input, ends } = await sentAfter({});
    expect(input.slice(1, 3)).toMatchObject([item, { type: 'function_call', call_id: 'call_1' }]);
    expect(ends).toEqual([{ type: 'done', stop: 'end_turn' }]);
  });

  test('is not sent to another model, for which it means nothing', async () => {
    const { input, ends } = await sentAfter({ model: 'another-1' });
    expect(JSON.stringify(input)).not.toContain('sealed');
    expect(ends).toEqual([{ type: 'done', stop: 'end_turn' }]);
  });

  test('is still there after a request of another kind', async () => {
    const server = await startResponsesServer([thoughtful, turn({ text: 'A summary.' }), turn({ text: 'Done.' })]);
    const grant = { wire: 'responses' as const, base_url: `${server.url}/v1`, api_key: 'sk-test', extra_ca: [] };
    await useClientInProcess(server, grant, openAiClient, async ({ chat }) => {
      await chat(thinking);
      await chat({ ...request, tools: [] });
      const last = collectAnswer(await chat({ ...thinking, messages: answered }));
      expect(last.ends).toEqual([{ type: 'done', stop: 'end_turn' }]);
    });
  });

  test('is not asked of a model that does not think: it would refuse the request', async () => {
    const server = await startResponsesServer([turn({ text: 'Done.' })]);
    const grant = { wire: 'responses' as const, base_url: `${server.url}/v1`, api_key: 'sk-test', extra_ca: [] };
    await useClientInProcess(server, grant, openAiClient, async ({ chat }) => {
      await chat({ ...request, reasoning: false, effort: 'high' });
      expect(server.requests[0]?.body).not.toHaveProperty('include');
      expect(server.requests[0]?.body).not.toHaveProperty('reasoning');
    });
  });
});

test.each([
  ['responses', startResponsesServer, { reasoning: { effort: 'low' } }],
  ['chat-completions', startChatServer, { reasoning_effort: 'low' }],
] as const)('an effort goes over %s in the words of that wire', async (wire, start, expected) => {
  const server = await start([turn({ text: 'Done.' })]);
  const grant = { wire, base_url: `${server.url}/v1`, api_key: 'sk-test', extra_ca: [] };
  await useClientInProcess(server, grant, openAiClient, async ({ chat }) => {
    await chat({ ...thinking, effort: 'low' });
    expect(server.requests[0]?.body).toMatchObject(expected);
  });
});
