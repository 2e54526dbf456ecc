import { setTimeout as sleep } from 'node:timers/promises';
import { BootstrapError } from './bootstrap-error.ts';
import { createAndStart, describeDeath, removeContainer, removeLabelled, stopContainer } from './container-life.ts';
import type { Engine } from './engine-request.ts';
import { firstPong, untilDead } from './health.ts';
import type { L1Options } from './l1-container.ts';
import { ping, type Pong } from './ping.ts';
import { decideRestart, type RestartPolicy } from './restart-budget.ts';

export interface Timing {
  readonly startTimeoutMs: number;
  readonly pingEveryMs: number;
  readonly pingTimeoutMs: number;
  /** Pings in a row without a pong after which the kernel counts as dead. */
  readonly missedPings: number;
  readonly restart: RestartPolicy;
}

export const TIMING: Timing = {
  startTimeoutMs: 30_000,
  pingEveryMs: 5_000,
  pingTimeoutMs: 5_000,
  missedPings: 3,
  restart: { maxRestarts: 3, windowMs: 5 * 60_000, backoffMs: 500 },
};

export type KernelEvent =
  | { readonly kind: 'started' | 'restarted'; readonly containerId: string; readonly pong: Pong }
  | { readonly kind: 'crashed'; readonly why: string }
  | { readonly kind: 'given-up'; readonly error: BootstrapError };

export interface StartKernelOptions {
  readonly engine: Engine;
  readonly l1: Omit<L1Options, 'pinned'>;
  /** Asked before each start: the engine refuses a mount of what is no longer there. */
  readonly pinned: () => NonNullable<L1Options['pinned']>;
  /** The kernel's socket as the host sees it. */
  readonly cliSocket: string;
  readonly onEvent: (event: KernelEvent) => void;
  readonly timing?: Timing;
}

export interface KernelHandle {
  /** Asks the kernel now. Rejects when it gives no pong. */
  ping(): Promise<Pong>;
  /** Ends the kernel in order, removes its container. Never rejects; no event follows. */
  stop(): Promise<void>;
}

const FIX = 'run `fluffy doctor`; sessions are kept: `fluffy --continue` takes the last one up again';

/**
 * Starts L1, waits for its first pong, and from then on keeps it alive: a container that has ended or gives no pong is replaced,
 * three times in five minutes, then given up. Containers that carry the same labels, left by a supervisor that died, go first.
 *
 * @throws BootstrapError `kernel_not_started` when it never gave a pong, however often it was tried
 */
export async function startKernel(options: StartKernelOptions): Promise<KernelHandle> {
  const { engine, l1, cliSocket, onEvent, timing = TIMING } = options;
  const stopping = new AbortController();
  const askForPong = (): Promise<Pong> => ping(cliSocket, timing.pingTimeoutMs);
  const healthy = Promise.withResolvers<void>();
  let id: string | null = null;
  let startedOnce = false;

  /** From create to death; resolves with why it died. */
  const live = async (): Promise<string> => {
    id = await createAndStart(engine, { ...l1, pinned: options.pinned() });
    const life = { engine, id, askForPong, stopping: stopping.signal };
    const pong = await firstPong(life, timing.startTimeoutMs);
    onEvent({ kind: startedOnce ? 'restarted' : 'started', containerId: id, pong });
    startedOnce = true;
    healthy.resolve();
    return untilDead(life, timing);
  };

  /** Life after life, until there are no restarts left; rejects when it is stopped. */
  const keepAlive = async (): Promise<BootstrapError> => {
    for (let restarts: readonly number[] = []; ;) {
      const seen = await live().catch((error: unknown) => messageOf(error));
      stopping.signal.throwIfAborted();
      const why = id === null ? seen : await describeDeath(engine, id, seen);
      await removeContainer(engine, id);
      id = null;
      onEvent({ kind: 'crashed', why });
      const decision = decideRestart(restarts, performance.now(), timing.restart);
      if (decision.kind === 'give-up')
        return new BootstrapError(startedOnce ? 'kernel_crashed' : 'kernel_not_started', why, FIX);
      restarts = decision.restarts;
      await sleep(decision.afterMs, undefined, { signal: stopping.signal });
    }
  };

  await removeLabelled(engine, l1.labels);
  const over = keepAlive().then(
    (error) => (startedOnce ? onEvent({ kind: 'given-up', error }) : healthy.reject(error)),
    (error: unknown) => healthy.reject(error),
  );
  await healthy.promise;
  return {
    ping: askForPong,
    async stop() {
      stopping.abort();
      await over;
      await stopContainer(engine, id);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
