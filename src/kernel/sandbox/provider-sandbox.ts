import { answerLengthLimit, modelEventSchema } from '../../contracts/model/model.ts';
import type { ModelEvent, ModelFailure, ModelRequest } from '../../contracts/model/model.ts';
import type { SandboxId } from '../../contracts/ids.ts';
import type { ProviderSandbox, SandboxFailure } from '../../contracts/ports/sandboxes.ts';
import { RpcFailure } from '../../ipc/index.ts';
import { diagnose } from './diagnose.ts';
import { describeFailure } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';
import { OperationWatch, failureOf } from './watch-operation.ts';

/** The program ends a request itself at its deadline; after this further time it is ended from outside. */
const DEADLINE_GRACE_MS = 5_000;

const TOO_LONG: SandboxFailure = { kind: 'failed', reason: 'the answer is longer than its token limit has room for' };

/**
 * A provider program for one run of a session. It serves one request at a time. A request that is aborted, exceeds its
 * time or length, or breaks the protocol ends the sandbox: its remaining output must not be taken for part of the next
 * answer.
 */
export class LiveProviderSandbox implements ProviderSandbox {
  readonly sandbox: SandboxId;
  readonly #services: SandboxServices;
  readonly #live: Sandbox;
  readonly #release: () => Promise<void>;
  #onEvent: ((event: ModelEvent) => void) | null = null;
  #over = false;

  /** `release` closes the sandbox and frees its place. */
  constructor(services: SandboxServices, live: Sandbox, release: () => Promise<void>) {
    this.sandbox = live.id;
    this.#services = services;
    this.#live = live;
    this.#release = release;
    live.peer.onEvent('model.event', modelEventSchema, (event) => this.#onEvent?.(event));
  }

  get over(): boolean {
    return this.#over;
  }

  /**
   * Resolves when the request has ended. By then `onEvent` got exactly one `done` or `failed`; if the sandbox broke,
   * that event is created here. Rejects only with the signal's reason.
   */
  async chat(request: ModelRequest, onEvent: (event: ModelEvent) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#onEvent !== null) throw new Error('a provider sandbox serves one request at a time');
    let ended = false;
    let length = 0;
    const tooLong = Promise.withResolvers<typeof TOO_LONG>();
    this.#onEvent = (event) => {
      length = event.type === 'restart' ? 0 : length + lengthOf(event);
      if (length > answerLengthLimit(request.max_output_tokens)) {
        return tooLong.resolve(TOO_LONG);
      }
      // Events after the end of a request are ignored.
      if (ended) return;
      ended = event.type === 'done' || event.type === 'failed';
      onEvent(event);
    };
    const limitMs = request.deadline_ms + DEADLINE_GRACE_MS;
    const watch = new OperationWatch(this.#services, this.#live, { deadlineMs: limitMs, signal });
    try {
      const failure = await Promise.race([this.#answered(request, watch, limitMs), tooLong.promise]);
      signal.throwIfAborted();
      if (failure !== null) this.#live.fail(describeFailure(failure));
      if (!ended) {
        onEvent({ type: 'failed', code: failureCode(failure), message: failureMessage(failure), retryable: false });
      }
      if (failure !== null) await this.close();
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      this.#onEvent = null;
      watch.stop();
    }
  }

  close(): Promise<void> {
    this.#over = true;
    return this.#release();
  }

  /** null if the program answered, with whatever answer. */
  async #answered(request: ModelRequest, watch: OperationWatch, limitMs: number): Promise<SandboxFailure | null> {
    const answered = this.#live.peer.request('model.chat', request).then(
      () => null,
      (error: unknown): SandboxFailure | Promise<SandboxFailure> =>
        error instanceof RpcFailure && error.outcome.kind === 'refused'
          ? { kind: 'failed', reason: error.message }
          : diagnose(this.#services, this.#live, error),
    );
    const interrupted = watch.interrupted.then((interruption) => failureOf(interruption, limitMs));
    return Promise.race([answered, interrupted]);
  }
}

function lengthOf(event: ModelEvent): number {
  if (event.type === 'text_delta') return event.text.length;
  return event.type === 'call_delta' ? event.arguments_delta.length : 0;
}

function failureCode(failure: SandboxFailure | null): ModelFailure {
  if (failure?.kind === 'timed-out') return 'timeout';
  return failure === TOO_LONG ? 'protocol' : 'program_failed';
}

function failureMessage(failure: SandboxFailure | null): string {
  if (failure === null) return 'the program that speaks to the provider ended the request without a result';
  const why = describeFailure(failure);
  return failureCode(failure) === 'program_failed' ? `the program that speaks to the provider failed: ${why}` : why;
}
