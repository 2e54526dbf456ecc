import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelEvent } from '../../src/contracts/model/model.ts';
import type { ProviderGrant } from '../../src/contracts/model/provider-config.ts';
import { openEgressGate, parseHostRule } from '../../src/host/egress-gate/index.ts';
import type { ModelClient } from '../../src/providers/shared/attempt.ts';
import { chatWithRetries } from '../../src/providers/shared/chat-with-retries.ts';
import { gateFetch } from '../../src/providers/shared/gate-fetch.ts';
import type { ProviderUnderTest } from '../providers/conformance.ts';
import type { WireServer } from './wire/wire-server.ts';

/** Runs a client against a scripted model through a real gate, in this process; the waits between attempts take no time. */
export async function useClientInProcess(
  server: WireServer,
  grant: ProviderGrant,
  makeClient: (grant: ProviderGrant, fetch: typeof globalThis.fetch) => ModelClient,
  body: (provider: ProviderUnderTest) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-provider-'));
  const gatePath = join(directory, 'egress.sock');
  const rule = parseHostRule(`127.0.0.1:${server.port}`);
  const allow = rule.kind === 'rule' ? [rule.rule] : [];
  const gate = await openEgressGate({ socketPath: gatePath, allow, onDecision: () => undefined });
  const network = gateFetch({ gatePath, extraCa: [], stallTimeoutMs: 30_000 });
  const client = makeClient(grant, network.fetch);
  const waitsMs: number[] = [];
  let ids = 0;
  const services = {
    maxAttempts: 8,
    nowMs: () => performance.now(),
    random: () => 0.5,
    nextId: () => `made-${(ids += 1)}`,
    sleep: (ms: number) => {
      waitsMs.push(ms);
      return Promise.resolve();
    },
  };
  try {
    await body({
      server,
      waitsMs,
      chat: async (request, signal = new AbortController().signal) => {
        const events: ModelEvent[] = [];
        const send = (event: ModelEvent): Promise<void> => Promise.resolve(void events.push(event));
        await chatWithRetries({ client, request, send, signal, services });
        return events;
      },
    });
  } finally {
    network.close();
    await gate.close();
    await server.close();
    await rm(directory, { recursive: true });
  }
}
