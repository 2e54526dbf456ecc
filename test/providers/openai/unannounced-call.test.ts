import { expect, test } from 'vitest';
import { openAiClient } from '../../../src/providers/openai/openai-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import { startResponsesServer } from '../../support/wire/responses-server.ts';
import { request } from '../conformance.ts';

const TEXT = '{"path":"a"}';
const item = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'fs_read' };
const added = { type: 'response.output_item.added', item: { ...item, arguments: '' } };
const delta = (text: string) => ({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: text });
const done = { type: 'response.output_item.done', item: { ...item, arguments: TEXT } };
const completed = { type: 'response.completed', response: { status: 'completed', output: [done.item], usage: null } };

test.each([
  ['with its end alone', [done]],
  ['in pieces before its start', [delta(TEXT), added, done]],
  ['in pieces without a start', [delta('{"path":'), delta('"a"}'), done]],
  ['in pieces, the first of them empty', [added, delta(''), delta(TEXT), done]],
  ['with its end, after an empty piece', [added, delta(''), done]],
])('a call whose arguments come %s has them once', async (_, events) => {
  const body = [...events, completed]
    .map((event, index) => ({ ...event, output_index: 0, sequence_number: index }))
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
  const server = await startResponsesServer([{ kind: 'raw', status: 200, contentType: 'text/event-stream', body }]);
  const grant = { wire: 'responses' as const, base_url: `${server.url}/v1`, api_key: 'sk-test', extra_ca: [] };
  await useClientInProcess(server, grant, openAiClient, async ({ chat }) => {
    const sent = await chat(request);
    expect(collectAnswer(sent)).toMatchObject({
      calls: [{ id: 'call_1', tool: 'fs.read', arguments: TEXT, ended: true }],
      ends: [{ type: 'done', stop: 'tool_calls' }],
    });
    expect(sent.filter((event) => event.type === 'call_delta' && event.arguments_delta === '')).toEqual([]);
  });
});
