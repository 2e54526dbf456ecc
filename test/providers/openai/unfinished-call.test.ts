import { expect, test } from 'vitest';
import { openAiClient } from '../../../src/providers/openai/openai-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import { startResponsesServer } from '../../support/wire/responses-server.ts';
import { request } from '../conformance.ts';

const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'fs_read' };
const added = { type: 'response.output_item.added', item: { ...item, arguments: '' } };
const delta = { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"path":' };
const completed = (output: readonly unknown[]) => ({
  type: 'response.completed',
  response: { status: 'completed', output, usage: null },
});

test.each([
  ['a part of its arguments', [added, delta, completed([])]],
  [
    'a part of its arguments, and all of them at the end',
    [added, delta, completed([{ ...item, arguments: '{"path":"a"}' }])],
  ],
  ['no arguments and no end', [added, completed([])]],
  ['another call at the end', [added, completed([{ ...item, call_id: 'call_2', arguments: '{"path":"a"}' }])]],
])('a call with %s is not carried out', async (_, events) => {
  const body = events
    .map((event, index) => ({ ...event, output_index: 0, sequence_number: index }))
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
  const server = await startResponsesServer([{ kind: 'raw', status: 200, contentType: 'text/event-stream', body }]);
  const grant = { wire: 'responses' as const, base_url: `${server.url}/v1`, api_key: 'sk-test', extra_ca: [] };
  await useClientInProcess(server, grant, openAiClient, async ({ chat }) => {
    const { ends } = collectAnswer(await chat(request));
    expect(ends).toEqual([expect.objectContaining({ type: 'failed', code: 'protocol' })]);
  });
});
