import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEndpoint, providerEndpoints } from '../../../src/host/secrets/index.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { bundleProvider, startProviderChild } from '../../support/provider-child.ts';
import { startChatServer } from '../../support/wire/chat-server.ts';
import { startResponsesServer } from '../../support/wire/responses-server.ts';
import { turn } from '../../support/wire/script.ts';
import { request } from '../conformance.ts';

let directory: string;
let bundle: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-bundle-'));
  bundle = await bundleProvider('openai', directory);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

const script = [turn({ text: 'Reading.', calls: [{ tool: 'fs.read', input: { path: 'a' }, id: 'call_1' }] })];
const expected = {
  text: 'Reading.',
  calls: [{ id: 'call_1', tool: 'fs.read', ended: true }],
  ends: [{ stop: 'tool_calls' }],
};

describe('the bundled openai program', () => {
  test('speaks Responses to where the environment points', async () => {
    const server = await startResponsesServer(script);
    const env = { FLUFFY_OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-program-test' };
    const child = await startProviderChild({
      bundle,
      endpoint: findEndpoint(providerEndpoints({}, env), 'openai'),
      env,
    });
    expect(collectAnswer(await child.chat(request))).toMatchObject(expected);
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-program-test');
    expect(await child.close()).toBe(0);
    await server.close();
  });

  test("speaks Chat Completions to a provider of the user's configuration, without a key", async () => {
    const server = await startChatServer(script);
    const providers = { lab: { kind: 'openai-compatible' as const, base_url: `${server.url}/v1` } };
    const env = { OPENAI_API_KEY: 'sk-of-another' };
    const child = await startProviderChild({
      bundle,
      endpoint: findEndpoint(providerEndpoints(providers, env), 'lab'),
      env,
    });
    expect(collectAnswer(await child.chat(request))).toMatchObject(expected);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(await child.close()).toBe(0);
    await server.close();
  });
});
