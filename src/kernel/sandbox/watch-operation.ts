import type { SandboxFailure } from '../../contracts/ports/sandboxes.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { Deadline } from './deadline.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';

/** What can end an operation, apart from its own result. */
export type Interruption =
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' }
  /** It wrote more than it may. */
  | { readonly kind: 'disk' }
  /** While it ran, the free disk space fell by much more than it may write. */
  | { readonly kind: 'disk-fell' }
  | { readonly kind: 'disk-full' }
  /** A more urgent task needed its place. */
  | { readonly kind: 'preempted' };

export interface WatchOptions {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Limits of the out directory of a test run. */
  readonly outBounds?: { readonly maxBytes: number; readonly maxEntries: number };
}

/** The time between two counts is at least this many times the duration of one count. */
const COUNTING_SHARE = 10;

/**
 * A deleted file that a program holds open takes space that no directory shows. Other programs write to the disk too,
 * so this limit is far above the visible limits.
 */
export const MAX_FALL_BYTES = 4 * 1024 ** 3;

/** Watches an operation from outside: its time, its caller, its disk use. */
export class OperationWatch {
  /** Resolves with the first reason to end the operation; never if there is none. */
  readonly interrupted: Promise<Interruption>;
  readonly #sandbox: Sandbox;
  readonly #deadline: Deadline;
  readonly #over = new AbortController();
  readonly #interrupt: (interruption: Interruption) => void;

  constructor(services: SandboxServices, sandbox: Sandbox, options: WatchOptions) {
    const { promise, resolve } = Promise.withResolvers<Interruption>();
    this.interrupted = promise;
    this.#interrupt = resolve;
    this.#sandbox = sandbox;
    this.#deadline = new Deadline(services.clock, options.deadlineMs);
    void this.#deadline.expired.then(() => resolve({ kind: 'timed-out' }));
    if (options.signal.aborted) resolve({ kind: 'cancelled' });
    const onAbort = (): void => resolve({ kind: 'cancelled' });
    options.signal.addEventListener('abort', onAbort, { once: true });
    this.#over.signal.addEventListener('abort', () => options.signal.removeEventListener('abort', onAbort));
    if (sandbox.spec.slot !== null || options.outBounds !== undefined) {
      void this.#watchDisk(services, options).catch(() => undefined);
    }
  }

  /** Pause and resume succeed, or change nothing. The deadline does not run in between. */
  async pause(): Promise<void> {
    await this.#sandbox.pause();
    this.#deadline.pause();
  }

  async resume(): Promise<void> {
    await this.#sandbox.unpause();
    this.#deadline.resume();
  }

  preempt(): void {
    this.#interrupt({ kind: 'preempted' });
  }

  stop(): void {
    this.#deadline.cancel();
    this.#over.abort();
  }

  async #watchDisk(services: SandboxServices, { outBounds }: WatchOptions): Promise<void> {
    const { id, spec } = this.#sandbox;
    const atFirst = await freeBytes(services);
    let tookMs = 0;
    for (;;) {
      // Counting a large tree must not take all the kernel's time.
      await services.clock.sleep(Math.max(services.timing.diskPollMs, COUNTING_SHARE * tookMs), this.#over.signal);
      const startedMs = services.clock.monotonicMs();
      // An operation whose use cannot be counted is ended.
      const usage = await Promise.all([
        spec.slot === null ? 'within' : services.slotUsage?.(spec.slot),
        outBounds === undefined ? 'within' : services.directories.outUsage(id, outBounds),
      ]).catch(() => ['exceeded']);
      const fell = atFirst - (await freeBytes(services));
      tookMs = services.clock.monotonicMs() - startedMs;
      if (usage.includes('disk-full')) return this.#interrupt({ kind: 'disk-full' });
      if (usage.includes('exceeded')) return this.#interrupt({ kind: 'disk' });
      if (fell > MAX_FALL_BYTES) return this.#interrupt({ kind: 'disk-fell' });
    }
  }
}

/** NaN if it cannot be read; then only the limits of visible files apply. */
async function freeBytes({ freeBytes: read }: SandboxServices): Promise<number> {
  return (await read?.().catch(() => Number.NaN)) ?? Number.NaN;
}

export function failureOf(interruption: Interruption, deadlineMs: number): SandboxFailure {
  switch (interruption.kind) {
    case 'timed-out':
      return { kind: 'timed-out', afterMs: deadlineMs };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'disk':
      return { kind: 'failed', reason: 'it wrote more than a sandbox may' };
    case 'disk-fell':
      return {
        kind: 'failed',
        reason: `${MAX_FALL_BYTES / 1024 ** 3} GiB of the disk went while it ran: files count that a program has deleted and still writes to. Where something else filled the disk, run it again`,
      };
    case 'disk-full':
      return { kind: 'disk-full' };
    case 'preempted':
      return { kind: 'failed', reason: 'it was ended to make room for something more urgent' };
    default:
      return assertNever(interruption);
  }
}
