import type { EvaluateAnswer, ExtensionRequest } from '../../src/contracts/policy-extension.ts';
import { MAX_FAILURE_CHARACTERS } from '../../src/contracts/policy-extension.ts';
import { oneLine } from '../../src/lib/text/one-line.ts';
import { fromWorkerSchema } from './worker-messages.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** The part of a worker thread without permissions that is used here. */
export interface IsolatedWorker {
  postMessage(message: ToWorker): void;
  onMessage(listener: (data: unknown) => void): void;
  /** An uncaught exception. The worker cannot be used any more. */
  onError(listener: (message: string) => void): void;
  terminate(): void;
}

export type ExtensionOutcome = EvaluateAnswer['answers'][number];

/** An extension in its own worker; gets one request at a time. A failure is final: its worker is terminated. */
export class ExtensionHost {
  readonly name: string;
  readonly #worker: IsolatedWorker;
  #failure: string | null = null;
  #asked = 0;
  #waiting: ((message: FromWorker) => void) | null = null;

  constructor(name: string, worker: IsolatedWorker) {
    this.name = name;
    this.#worker = worker;
    worker.onMessage((data) => this.#take(data));
    worker.onError((message) => this.#fail(`it threw outside of its function: ${message}`));
  }

  /** Why it cannot be used, or null. */
  get failure(): string | null {
    return this.#failure;
  }

  async load(source: string, limitMs: number): Promise<void> {
    const message = await this.#roundTrip({ kind: 'load', name: this.name, source }, limitMs);
    if (message === null || message.kind === 'loaded') return;
    this.#fail(message.kind === 'refused' ? message.what : 'it sent a message that was not requested');
  }

  async evaluate(request: ExtensionRequest, limitMs: number): Promise<ExtensionOutcome> {
    this.#asked += 1;
    const id = this.#asked;
    const message = await this.#roundTrip({ kind: 'evaluate', id, request }, limitMs);
    if (message !== null) {
      if (message.kind === 'answered' && message.id === id)
        return { kind: 'answered', name: this.name, answer: message.answer };
      this.#fail(
        message.kind === 'failed' && message.id === id ? message.what : 'it sent a message that was not requested',
      );
    }
    return { kind: 'failed', name: this.name, failure: this.#failure ?? 'it ended' };
  }

  /** Null after a failure. */
  async #roundTrip(message: ToWorker, limitMs: number): Promise<FromWorker | null> {
    if (this.#failure !== null) return null;
    const { promise, resolve } = Promise.withResolvers<FromWorker | null>();
    this.#waiting = resolve;
    const timer = setTimeout(() => this.#fail(`no answer within ${limitMs} ms`), limitMs);
    this.#onFailed = () => resolve(null);
    this.#worker.postMessage(message);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
      this.#onFailed = null;
    }
  }

  #onFailed: (() => void) | null = null;

  #take(data: unknown): void {
    const parsed = fromWorkerSchema.safeParse(data);
    if (!parsed.success) return this.#fail('its answer is malformed');
    if (this.#waiting === null) return this.#fail('it sent a message that was not requested');
    this.#waiting(parsed.data);
  }

  #fail(failure: string): void {
    if (this.#failure !== null) return;
    this.#failure = oneLine(failure, MAX_FAILURE_CHARACTERS);
    this.#worker.terminate();
    this.#onFailed?.();
  }
}
