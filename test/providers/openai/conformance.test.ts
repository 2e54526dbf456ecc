import { describe, expect, test } from 'vitest';
import type { ProviderGrant } from '../../../src/contracts/model/provider-config.ts';
import { openAiClient } from '../../../src/providers/openai/openai-client.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { useClientInProcess } from '../../support/provider-in-process.ts';
import type { ChatDialect } from '../../support/wire/chat-server.ts';
import { startChatServer } from '../../support/wire/chat-server.ts';
import { startResponsesServer } from '../../support/wire/responses-server.ts';
import { calls, turn } from '../../support/wire/script.ts';
import { describeConformance, request } from '../conformance.ts';

const grant = (wire: ProviderGrant['wire'], url: string, key: string | null = 'sk-test'): ProviderGrant => ({
  wire,
  base_url: `${url}/v1`,
  api_key: key,
  extra_ca: [],
});

describeConformance('openai, Responses', async (script, body) => {
  const server = await startResponsesServer(script);
  await useClientInProcess(server, grant('responses', server.url), openAiClient, body);
});

describeConformance('openai, Chat Completions', async (script, body) => {
  const server = await startChatServer(script);
  await useClientInProcess(server, grant('chat-completions', server.url), openAiClient, body);
});

describe('Chat Completions as compatible servers speak it', () => {
  const list = [
    { tool: 'fs.read', input: { path: 'a' } },
    { tool: 'fs.read', input: { path: 'b' } },
    { tool: 'plan.complete', rawArguments: '' },
  ];

  test.each<[string, ChatDialect]>([
    ['one number for every call', { sameIndex: true }],
    ['no ids', { noIds: true }],
    ['no ids, one number, whole calls', { noIds: true, sameIndex: true, wholeCalls: true }],
    ['no usage, no end mark, the wrong finish reason', { noUsage: true, noDone: true, finishIsStop: true }],
  ])('%s: the calls stay apart', async (_what, dialect) => {
    const server = await startChatServer([calls(...list)], dialect);
    await useClientInProcess(server, grant('chat-completions', server.url), openAiClient, async ({ chat }) => {
      const answer = collectAnswer(await chat(request));
      expect(answer.calls.map(({ tool, arguments: text }) => [tool, text])).toEqual([
        ['fs.read', '{"path":"a"}'],
        ['fs.read', '{"path":"b"}'],
        ['plan.complete', '{}'],
      ]);
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(3);
      expect(answer.ends).toEqual([{ type: 'done', stop: 'tool_calls' }]);
      expect(answer.usage?.input_tokens).toBeGreaterThan(0);
    });
  });

  test('a server without keys is sent none', async () => {
    const server = await startChatServer([turn({ text: 'hi' })]);
    await useClientInProcess(server, grant('chat-completions', server.url, null), openAiClient, async ({ chat }) => {
      await chat(request);
      expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    });
  });
});

describe('errors that have a code of their own', () => {
  const start = { responses: startResponsesServer, 'chat-completions': startChatServer };

  test.each([
    [400, 'context_length_exceeded', 'context_too_long'],
    [429, 'insufficient_quota', 'no_credit'],
    [400, 'model_not_found', 'unknown_model'],
  ])('%i %s is %s and not asked again', async (status, code, expected) => {
    for (const wire of ['responses', 'chat-completions'] as const) {
      const body = JSON.stringify({ error: { message: 'no', type: 'x', code, param: null } });
      const server = await start[wire]([{ kind: 'raw', status, contentType: 'application/json', body }]);
      await useClientInProcess(server, grant(wire, server.url), openAiClient, async ({ chat }) => {
        const { ends } = collectAnswer(await chat(request));
        expect(ends).toMatchObject([{ type: 'failed', code: expected, retryable: false }]);
      });
    }
  });
});
