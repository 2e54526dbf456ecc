import type { Preemption } from '../../contracts/ports/admission.ts';
import type { OperationWatch } from './watch-operation.ts';

/** Allows an operation to be paused or ended after it has started; before that there is nothing to pause. */
export class PreemptionControl implements Preemption {
  readonly maxDurationMs: number;
  readonly #finished = Promise.withResolvers<void>();
  #watch: OperationWatch | null = null;

  constructor(maxDurationMs: number) {
    this.maxDurationMs = maxDurationMs;
  }

  attach(watch: OperationWatch): void {
    this.#watch = watch;
  }

  finish(): void {
    this.#watch = null;
    this.#finished.resolve();
  }

  async pause(): Promise<void> {
    if (this.#watch === null) throw new Error('it has not begun, or has ended');
    await this.#watch.pause();
  }

  async resume(): Promise<void> {
    await this.#watch?.resume();
  }

  async destroy(): Promise<void> {
    this.#watch?.preempt();
    await this.#finished.promise;
  }
}
