import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { NETWORK_READY, networkReadySchema } from '../../src/contracts/sandbox/test-network.ts';
import { defineTool } from '../sdk/index.ts';

const PAUSE_MS = 25;
const ONE_ATTEMPT_MS = 1_000;

/** Waits until the services of a run accept connections on its loopback. */
export const networkReadyTool = defineTool(
  {
    name: NETWORK_READY,
    description: 'Waits until ports of the loopback accept connections.',
    input: networkReadySchema,
    outputMode: 'full',
  },
  async ({ ports, within_ms: withinMs }, { signal }) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const found = await Promise.all(ports.map((port) => accepts(port, deadline)));
    return { missing: ports.filter((_, index) => found[index] !== true) };
  },
);

async function accepts(port: number, deadline: AbortSignal): Promise<boolean> {
  while (!deadline.aborted) {
    if (await connects(port)) return true;
    await sleep(PAUSE_MS, undefined, { signal: deadline }).catch(() => undefined);
  }
  return false;
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: ONE_ATTEMPT_MS });
    const end = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
