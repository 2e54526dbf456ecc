import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEndpoint, providerEndpoints } from '../../../src/host/secrets/index.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import type { ProviderChild } from '../../support/provider-child.ts';
import { bundleProvider, startProviderChild } from '../../support/provider-child.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import type { Script } from '../../support/wire/script.ts';
import { calls, turn } from '../../support/wire/script.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';
import { request } from '../conformance.ts';

let directory: string;
let bundle: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-bundle-'));
  bundle = await bundleProvider('anthropic', directory);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function withProgram(
  script: Script,
  body: (child: ProviderChild, server: WireServer) => Promise<void>,
): Promise<number | null> {
  const server = await startAnthropicServer(script);
  const env = { FLUFFY_ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-program-test' };
  const child = await startProviderChild({
    bundle,
    endpoint: findEndpoint(providerEndpoints({}, env), 'anthropic'),
    env,
  });
  try {
    await body(child, server);
  } finally {
    await server.close();
  }
  return await child.close();
}

describe('the bundled anthropic program', () => {
  test('answers through sockets and kernel socket alone, with the key of the socket', async () => {
    const input = { path: 'src/a.ts', content: 'x'.repeat(100_000) };
    const script = [
      turn({ text: 'Working.', calls: [{ tool: 'fs.write', input, id: 'call_1' }], chunkLength: 1_000 }),
      calls(),
    ];
    const code = await withProgram(script, async (child, server) => {
      const answer = collectAnswer(await child.chat({ ...request, max_output_tokens: 50_000 }));
      expect(answer.calls).toEqual([{ id: 'call_1', tool: 'fs.write', arguments: JSON.stringify(input), ended: true }]);
      expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-program-test');
      expect(child.socketEvents.slice(0, 2)).toMatchObject([{ kind: 'key-handed-over' }, { kind: 'allowed' }]);
    });
    expect(code).toBe(0);
  });

  test('asks again after a cut in the middle of a call, with real waits', async () => {
    const good = calls({ tool: 'fs.read', input: { path: 'a' }, id: 'call_1' });
    await withProgram([{ ...good, cutAfterEvents: 4 }, good], async (child) => {
      const answer = collectAnswer(await child.chat(request));
      expect(answer).toMatchObject({
        calls: [{ id: 'call_1' }],
        restarts: [{ code: 'connection' }],
        ends: [{ type: 'done' }],
      });
    });
  });

  test('stops when it is told to, and serves the next request', async () => {
    const slow = turn({ text: 'word '.repeat(500), betweenEventsMs: 5 });
    await withProgram([slow, turn({ text: 'next' })], async (child) => {
      const cancelled = child.chat(request, { onEvent: () => child.cancel() });
      await expect(cancelled).rejects.toMatchObject({ outcome: { kind: 'refused', error: { code: 'cancelled' } } });
      expect(collectAnswer(await child.chat(request))).toMatchObject({ text: 'next', ends: [{ type: 'done' }] });
    });
  });

  test('takes one request at a time', async () => {
    await withProgram([turn({ text: 'slow', beforeMs: 200 })], async (child) => {
      const first = child.chat(request);
      await expect(child.chat(request)).rejects.toMatchObject({ code: 'busy' });
      await first;
    });
  });
});
