import type { Admission, AdmissionRequest, Preemption } from '../../contracts/ports/admission.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { chooseNext } from './choose-next.ts';
import type { SchedulerLimits } from './choose-next.ts';
import { decidePreemption } from './decide-preemption.ts';
import { emptyQueue, enqueue, finish, forget, pause, start } from './task-queue.ts';
import type { TaskQueue } from './task-queue.ts';
import { isFinished } from './task.ts';
import type { TaskSpec } from './task.ts';

export interface SchedulerOptions {
  readonly limits: SchedulerLimits;
  readonly clock: Clock;
  /** Share of memory in use, 0 to 1. */
  readonly memoryUsage: () => number;
}

export type TaskOutcome<T> =
  | { readonly kind: 'completed'; readonly value: T }
  | { readonly kind: 'failed'; readonly reason: string; readonly error?: unknown }
  | { readonly kind: 'cancelled' };

interface Entry {
  readonly onStart: () => void;
  readonly onFail: (reason: string) => void;
  readonly preemption: Preemption | null;
}

/**
 * Starts tasks by the pure decisions in this folder. It runs after arrivals, ends and released places, never by a
 * timer.
 */
export class Scheduler implements Admission {
  readonly #options: SchedulerOptions;
  readonly #entries = new Map<string, Entry>();
  #queue: TaskQueue = emptyQueue;
  #count = 0;
  #preempting = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Waits for a place and holds it until the returned function is called. */
  async enter(request: AdmissionRequest): Promise<() => void> {
    request.signal?.throwIfAborted();
    this.#count += 1;
    const id = `place-${this.#count}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#add(
      {
        id,
        type: 'tool_run',
        priority: request.priority,
        template: request.template,
        dependencies: [],
        preemptibleWithinMs: request.preemption?.maxDurationMs ?? null,
      },
      { onStart: resolve, onFail: (reason) => reject(new Error(reason)), preemption: request.preemption ?? null },
    );
    const onAbort = (): void => {
      reject(request.signal?.reason);
      this.#finish(id, { kind: 'cancelled' });
      this.#drop(id);
    };
    request.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      request.signal?.removeEventListener('abort', onAbort);
    }
    return () => {
      this.#finish(id, { kind: 'completed' });
      this.#drop(id);
    };
  }

  /**
   * Runs `work` when its dependencies are completed and there is room. Never rejects: an exception of `work` is a
   * failure, and its dependents fail too. Throws for a known task id or an unknown dependency.
   */
  run<T>(spec: TaskSpec, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<TaskOutcome<T>> {
    const { promise, resolve } = Promise.withResolvers<TaskOutcome<T>>();
    const abort = new AbortController();
    let started = false;
    const settle = (outcome: TaskOutcome<T>): void => {
      signal?.removeEventListener('abort', cancel);
      this.#finish(
        spec.id,
        outcome.kind === 'failed' ? { kind: 'failed', reason: outcome.reason } : { kind: outcome.kind },
      );
      resolve(outcome);
    };
    // Work that has started keeps its place until it has ended.
    const cancel = (): void => {
      abort.abort(signal?.reason);
      if (!started) settle({ kind: 'cancelled' });
    };
    const begin = async (): Promise<void> => {
      started = true;
      try {
        const value = await work(abort.signal);
        settle(abort.signal.aborted ? { kind: 'cancelled' } : { kind: 'completed', value });
      } catch (error) {
        const reason = messageOf(error);
        settle(abort.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', reason, error });
      }
    };
    this.#add(spec, {
      onStart: () => void begin(),
      onFail: (reason) => resolve({ kind: 'failed', reason }),
      preemption: null,
    });
    if (signal?.aborted === true) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    return promise;
  }

  /** Forgets a finished task; later tasks can no longer depend on it. */
  forget(id: string): void {
    this.#drop(id);
  }

  #add(spec: TaskSpec, entry: Entry): void {
    const outcome = enqueue(this.#queue, spec, this.#options.clock.monotonicMs());
    if (outcome.kind === 'rejected') throw new Error(`task ${spec.id} was rejected: ${outcome.reason}`);
    this.#entries.set(spec.id, entry);
    this.#update(outcome.queue);
  }

  #finish(id: string, outcome: Parameters<typeof finish>[2]): void {
    this.#update(finish(this.#queue, id, outcome));
  }

  #drop(id: string): void {
    this.#queue = forget(this.#queue, id);
    if (!this.#queue.tasks.has(id)) this.#entries.delete(id);
  }

  /** Stores the new queue, reports failures to tasks, and starts what there is room for. */
  #update(queue: TaskQueue): void {
    const before = this.#queue;
    this.#queue = queue;
    for (const task of queue.tasks.values()) {
      const known = before.tasks.get(task.id);
      if (task.state.kind !== 'failed' || (known !== undefined && isFinished(known))) continue;
      this.#entries.get(task.id)?.onFail(task.state.reason);
    }
    this.#startWhatFits();
  }

  #startWhatFits(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const task of chooseNext(this.#queue, this.#options.limits, nowMs)) {
      const entry = this.#entries.get(task.id);
      this.#queue = start(this.#queue, task.id, nowMs);
      if (task.state.kind === 'paused') void this.#resume(task.id, entry?.preemption ?? null);
      else entry?.onStart();
    }
    void this.#preempt();
  }

  async #resume(id: string, preemption: Preemption | null): Promise<void> {
    // A task that cannot resume is ended, so that its place is freed.
    await preemption?.resume().catch(() => preemption.destroy().catch(() => this.#finish(id, { kind: 'cancelled' })));
  }

  /** One at a time: the next decision depends on the result of this one. */
  async #preempt(): Promise<void> {
    if (this.#preempting) return;
    const { limits, clock, memoryUsage } = this.#options;
    const decision = decidePreemption(this.#queue, limits, clock.monotonicMs(), memoryUsage());
    if (decision.kind === 'none' || decision.kind === 'wait') return;
    const preemption = this.#entries.get(decision.task)?.preemption ?? null;
    if (preemption === null) return;
    this.#preempting = true;
    try {
      if (decision.kind === 'destroy') {
        await preemption.destroy();
        if (this.#queue.tasks.get(decision.task)?.state.kind === 'running') return;
      } else {
        await preemption.pause();
        this.#queue = pause(this.#queue, decision.task, clock.monotonicMs());
      }
    } catch {
      // The task could not be paused or ended: the waiting task keeps waiting for a free place.
      return;
    } finally {
      this.#preempting = false;
    }
    this.#startWhatFits();
  }
}
