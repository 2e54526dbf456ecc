import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import type { ProviderGrant } from '../../contracts/model/provider-config.ts';
import { connectPeer } from '../../ipc/index.ts';
import type { ModelClient } from './attempt.ts';
import type { RetryServices } from './chat-with-retries.ts';
import { gateFetch } from './gate-fetch.ts';
import { readGrant } from './read-grant.ts';
import { redactMessage } from './redact.ts';
import { serveModel } from './serve-model.ts';

declare const __FLUFFY_VERSION__: string | undefined;

/** Vendors send pings while a model thinks; a local model may read its prompt for minutes before the first byte. */
const STALL_TIMEOUT_MS = 300_000;

const systemServices: RetryServices = {
  maxAttempts: 8,
  nowMs: () => performance.now(),
  random: Math.random,
  nextId: randomUUID,
  sleep: async (ms, signal) => void (await delay(ms, undefined, { signal }).catch(() => undefined)),
};

/**
 * The life of a provider program: fetch the key, connect to the kernel, serve until the kernel disconnects. The sandbox fixes the paths of the
 * sockets; a test may pass another root directory as the only argument. Exits with 0 if the kernel closed, otherwise with 1 and a line on standard
 * error that contains no key.
 */
export async function runProvider(
  name: string,
  makeClient: (grant: ProviderGrant, fetch: typeof globalThis.fetch) => ModelClient,
): Promise<void> {
  const root = process.argv[2] ?? '';
  await main(async () => {
    const grant = await readGrant(`${root}${IN_L2.secretSocket}`);
    const { fetch } = gateFetch({
      gatePath: `${root}${IN_L2.egressSocket}`,
      extraCa: grant.extra_ca,
      stallTimeoutMs: STALL_TIMEOUT_MS,
    });
    const redact = (text: string): string => redactMessage(text, grant.api_key);
    await serveKernel(root, name, makeClient(grant, fetch), redact);
  });
}

/** The same for a program that needs no key and no network. */
export async function runOfflineProvider(name: string, client: ModelClient): Promise<void> {
  await main(() => serveKernel(process.argv[2] ?? '', name, client, (text) => redactMessage(text, null)));
}

async function serveKernel(
  root: string,
  name: string,
  client: ModelClient,
  redact: (text: string) => string,
): Promise<void> {
  const peer = await connectPeer(`${root}${IN_L2.kernelSocket}`, {
    hello: { plugin_name: `provider-${name}`, plugin_version: programVersion() },
    onPeer: (connected) => serveModel(connected, client, redact, systemServices),
  });
  await peer.closed;
}

/** Prints only the message of an error: the vendors' error objects contain the request with its key, and the kernel can read standard error. */
async function main(body: () => Promise<void>): Promise<never> {
  const fail = (error: unknown): never => {
    process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : 'unknown failure'}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    await body();
  } catch (error) {
    fail(error);
  }
  process.exit(0);
}

function programVersion(): string {
  return typeof __FLUFFY_VERSION__ === 'undefined' ? '0.0.0-source' : __FLUFFY_VERSION__;
}
