import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model/model.ts';
import { googleClient } from '../../../src/providers/google/google-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import { startGoogleServer } from '../../support/wire/google-server.ts';
import { turn } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';
import { describeConformance, request } from '../conformance.ts';
import type { ProviderUnderTest } from '../conformance.ts';

async function use(script: Script, body: (provider: ProviderUnderTest) => Promise<void>): Promise<void> {
  const server = await startGoogleServer(script);
  const grant = { wire: 'generate-content', base_url: server.url, api_key: 'key-test', extra_ca: [] } as const;
  await useClientInProcess(server, { ...grant, extra_ca: [] }, googleClient, body);
}

describeConformance('google', use, { argumentsAreObjects: true, hasEventNames: false });

/** The first answer's call and its result, as the kernel sends them back. */
const later = (callId: string): ModelRequest['messages'] => [
  ...request.messages,
  { role: 'assistant', text: '', calls: [{ call_id: callId, tool: 'fs.read', arguments: '{"path":"a"}' }] },
  { role: 'tool', results: [{ call_id: callId, ok: true, content: 'a' }] },
];

test('the signature of a call goes back with it, and its result names the function', async () => {
  const call = turn({ thinking: 'Hm.', calls: [{ tool: 'fs.read', input: { path: 'a' } }] });
  await use([call, turn({ text: 'Done.' })], async ({ chat, server }) => {
    const [made] = collectAnswer(await chat(request)).calls;
    await chat({ ...request, messages: later(made?.id ?? '') });
    const body = JSON.stringify(server.requests[1]?.body);
    expect(body).toContain('"thoughtSignature":"signed fs.read"');
    expect(server.requests[1]?.body['contents']).toMatchObject([
      {},
      { role: 'model', parts: [{ functionCall: { name: 'fs_read', args: { path: 'a' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'fs_read', response: { output: 'a' } } }] },
    ]);
    expect(server.requests[1]?.headers['x-goog-api-key']).toBe('key-test');
  });
});

test.each([
  ['gemini-3-pro', true],
  ['gemini-2.5-pro', false],
])('%s is sent a call of another model as unsigned: %s', async (model, isMarked) => {
  await use([turn({ text: 'Done.' })], async ({ chat, server }) => {
    await chat({ ...request, model, messages: later('call_of_another') });
    expect(JSON.stringify(server.requests[0]?.body).includes('skip_thought_signature_validator')).toBe(isMarked);
  });
});

const json = 'application/json';
const error = (code: number, message: string, details: readonly object[] = []) =>
  ({
    kind: 'raw',
    status: code,
    contentType: json,
    body: JSON.stringify({ error: { code, message, details } }),
  }) as const;

test.each([
  [400, 'API key not valid. Please pass a valid API key.', 'auth'],
  [400, 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).', 'context_too_long'],
])('%i %s', async (status, message, code) => {
  await use([error(status, message)], async ({ chat }) => {
    expect(collectAnswer(await chat(request)).ends).toMatchObject([
      { type: 'failed', code, message, retryable: false },
    ]);
  });
});

test('an exhausted quota is waited for as long as its details say', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }];
  await use([error(429, 'Quota exceeded', details), turn({ text: 'Done.' })], async ({ chat, waitsMs }) => {
    expect(collectAnswer(await chat(request)).text).toBe('Done.');
    expect(waitsMs[0]).toBeGreaterThanOrEqual(1_500);
  });
});

test.each([
  ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, [{ type: 'done', stop: 'refusal' }]],
  ['a recited text', { candidates: [{ finishReason: 'RECITATION' }] }, [{ type: 'done', stop: 'refusal' }]],
])('%s is a refusal', async (_, chunk, ends) => {
  const body = `data: ${JSON.stringify(chunk)}\n\n`;
  await use([{ kind: 'raw', status: 200, contentType: 'text/event-stream', body }], async ({ chat }) => {
    expect(collectAnswer(await chat(request)).ends).toEqual(ends);
  });
});

test('a call that the service could not read is asked for again', async () => {
  const body = `data: ${JSON.stringify({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] })}\n\n`;
  const broken = { kind: 'raw', status: 200, contentType: 'text/event-stream', body } as const;
  await use([broken, turn({ text: 'Done.' })], async ({ chat }) => {
    expect(collectAnswer(await chat(request))).toMatchObject({ text: 'Done.', restarts: [{ code: 'server_error' }] });
  });
});
