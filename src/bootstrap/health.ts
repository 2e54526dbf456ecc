import { setTimeout as sleep } from 'node:timers/promises';
import { ended } from './container-life.ts';
import type { Engine } from './engine-request.ts';
import type { Pong } from './ping.ts';

/** One container of the kernel, from its start on. */
export interface Life {
  readonly engine: Engine;
  readonly id: string;
  readonly askForPong: () => Promise<Pong>;
  readonly stopping: AbortSignal;
}

/** The first pong of a container just started. Rejects when it ends before, or takes longer than `timeoutMs`. */
export async function firstPong({ engine, id, askForPong, stopping }: Life, timeoutMs: number): Promise<Pong> {
  const pong = async (signal: AbortSignal): Promise<Pong> => {
    for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.5, 500)) {
      const answer = await askForPong().catch(() => null);
      if (answer !== null) return answer;
      await sleep(waitMs, undefined, { signal });
    }
  };
  const death = async (signal: AbortSignal): Promise<never> => {
    await ended(engine, id, signal);
    throw new Error('it ended before its first pong');
  };
  const late = async (signal: AbortSignal): Promise<never> => {
    await sleep(timeoutMs, undefined, { signal });
    throw new Error(`it gave no pong within ${timeoutMs} ms of its start`);
  };
  return firstOf([pong, death, late], stopping);
}

/** Resolves with what was seen from outside, when the container has ended or has stopped answering. */
export async function untilDead(
  { engine, id, askForPong, stopping }: Life,
  timing: { readonly pingEveryMs: number; readonly missedPings: number },
): Promise<string> {
  const death = (signal: AbortSignal): Promise<string> => ended(engine, id, signal).then(() => 'it ended');
  const silence = async (signal: AbortSignal): Promise<string> => {
    for (let missed = 0; missed < timing.missedPings;) {
      await sleep(timing.pingEveryMs, undefined, { signal });
      const pong = await askForPong().catch(() => null);
      missed = pong === null ? missed + 1 : 0;
    }
    return `it gave no pong ${timing.missedPings} times in a row`;
  };
  return firstOf([death, silence], stopping);
}

/** The first to settle; the others are aborted. */
async function firstOf<T>(races: readonly ((signal: AbortSignal) => Promise<T>)[], stopping: AbortSignal): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  try {
    return await Promise.race(races.map((race) => race(signal)));
  } finally {
    over.abort();
  }
}
