import {
  EVALUATE_METHOD,
  LOAD_METHOD,
  evaluateAnswerSchema,
  loadAnswerSchema,
} from '../../contracts/policy-extension.ts';
import type { EvaluateAnswer, ExtensionRequest, LoadAnswer, LoadRequest } from '../../contracts/policy-extension.ts';
import type { SandboxId } from '../../contracts/ids.ts';
import type { PolicySandbox } from '../../contracts/ports/policy-sandboxes.ts';
import { RpcFailure, describeClose } from '../../ipc/index.ts';
import type { CloseReason } from '../../ipc/index.ts';
import { diagnose } from './diagnose.ts';
import { describeFailure } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';

/** An answer after the limit is not used. It is awaited for this time, because it shows which extension was late. */
const LATE_ANSWER_MS = 50;

const REMOTE: CloseReason = { kind: 'remote' };

/** One `policy-sandbox`, from its handshake to its end. */
export class LivePolicySandbox implements PolicySandbox {
  readonly id: SandboxId;
  readonly ended: Promise<string>;
  readonly #services: SandboxServices;
  readonly #live: Sandbox;
  readonly #release: () => Promise<void>;

  /** `release` closes the sandbox. */
  constructor(services: SandboxServices, live: Sandbox, release: () => Promise<void>) {
    this.id = live.id;
    this.#services = services;
    this.#live = live;
    this.#release = release;
    this.ended = Promise.race([live.ended.then(() => null), live.peer.closed]).then(async (closed) => {
      if (closed?.kind === 'violation') return `its connection was ${describeClose(closed)}`;
      return describeFailure(
        await diagnose(services, live, new RpcFailure({ kind: 'closed', reason: closed ?? REMOTE })),
      );
    });
  }

  load(request: LoadRequest, limitMs: number): Promise<LoadAnswer> {
    return this.#within(this.#live.peer.request(LOAD_METHOD, request, { result: loadAnswerSchema }), limitMs);
  }

  async evaluate(request: ExtensionRequest, names: readonly string[], limitMs: number): Promise<EvaluateAnswer> {
    const over = new AbortController();
    const params = { request, names, limit_ms: limitMs };
    const answer = this.#live.peer.request(EVALUATE_METHOD, params, {
      result: evaluateAnswerSchema,
      signal: over.signal,
    });
    try {
      return await this.#within(answer, limitMs);
    } catch (error) {
      if (!(error instanceof Late)) throw error;
      const late = await this.#within(answer, LATE_ANSWER_MS).catch(() => null);
      if (late?.answers.some(({ kind }) => kind === 'failed') === true) return late;
      throw error;
    } finally {
      over.abort(new Error('it is not waited for any more'));
    }
  }

  async close(failure?: string): Promise<void> {
    if (failure !== undefined) this.#live.fail(failure);
    await this.#release();
  }

  async #within<T>(answer: Promise<T>, limitMs: number): Promise<T> {
    const over = new AbortController();
    const late = this.#services.clock.sleep(limitMs, over.signal).then(async () => {
      // If the kernel itself was busy, the answer has already arrived and is read before this continues.
      await new Promise((resolve) => setImmediate(resolve));
      throw new Late(limitMs);
    });
    late.catch(() => undefined);
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      throw error instanceof RpcFailure && error.outcome.kind === 'closed' ? new Error(await this.ended) : error;
    } finally {
      over.abort(new Error('it is not waited for any more'));
    }
  }
}

class Late extends Error {
  constructor(afterMs: number) {
    super(`no answer within ${afterMs} ms`);
  }
}
