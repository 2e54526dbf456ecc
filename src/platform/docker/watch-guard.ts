import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WatchGuardOptions {
  /** The runtime guard's socket. */
  readonly socketPath: string;
  readonly everyMs?: number;
  readonly signal: AbortSignal;
}

const EVERY_MS = 2_000;
/** Consecutive failures. A guard that is only busy still accepts connections. */
const MISSES = 3;

/** Resolves when no process listens on the guard's socket any more; rejects with the signal's reason. */
export async function untilGuardGone({ socketPath, everyMs = EVERY_MS, signal }: WatchGuardOptions): Promise<void> {
  for (let misses = 0; misses < MISSES;) {
    await sleep(everyMs, undefined, { signal });
    misses = (await takesConnections(socketPath)) ? 0 : misses + 1;
  }
}

async function takesConnections(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createConnection({ path });
    const answer = (listening: boolean): void => {
      probe.destroy();
      resolve(listening);
    };
    probe.once('connect', () => answer(true));
    probe.once('error', () => answer(false));
  });
}
