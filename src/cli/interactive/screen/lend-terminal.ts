import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { LendTerminal } from '../../../tui/components/app.tsx';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { ReflowGuard } from './reflow.ts';

export interface LendParts {
  /** Suspends drawing until its callback resolves. */
  readonly suspend: LendTerminal;
  readonly store: Pick<ViewStore, 'hold'>;
  readonly input: Pick<ReadStream, 'pause'>;
  readonly reflow: Pick<ReflowGuard, 'setAway'>;
}

export type Lend = <T>(use: () => Promise<T>) => Promise<T>;

/**
 * Gives the terminal to another program until `use` resolves: meanwhile nothing is read from or written to it. Events are kept and drawn afterwards:
 * a frame that Ink leaves out would lose its rows of the scrollback, and a card would count as seen. One program at a time.
 */
export function lendTerminal(parts: Promise<LendParts>): Lend {
  let before: Promise<unknown> = Promise.resolve();
  return (use) => {
    const lent = before.then(async () => lendOnce(await parts, use));
    before = lent.catch(() => undefined);
    return lent;
  };
}

async function lendOnce<T>({ suspend, store, input, reflow }: LendParts, use: () => Promise<T>): Promise<T> {
  const used = Promise.withResolvers<T>();
  used.promise.catch(() => undefined);
  const release = store.hold();
  reflow.setAway(true);
  try {
    await suspend(async () => {
      await stopReading(input);
      await use().then(used.resolve, used.reject);
    });
  } finally {
    reflow.setAway(false);
    release();
  }
  return used.promise;
}

/**
 * Ink no longer listens, but the process would continue to read and take keys away from the other program. Node notices a tick later that nobody
 * listens, and only then accepts a pause, which takes effect another tick later.
 */
async function stopReading(input: Pick<ReadStream, 'pause'>): Promise<void> {
  await nextTurn();
  input.pause();
  await nextTurn();
}
