import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fluffyEventSchema } from '../../contracts/session/events.ts';
import type { FluffyEvent } from '../../contracts/session/events.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { requests } from '../../contracts/session/session-protocol.ts';
import type {
  RequestMethod,
  RequestParams,
  RequestResult,
  SessionOptions,
} from '../../contracts/session/session-protocol.ts';
import { connectPeer, RpcFailure } from '../../ipc/index.ts';
import type { RpcPeer } from '../../ipc/index.ts';
import { CLI_HELLO } from '../cli-hello.ts';
import { asLost, kernelDidNotComeBack, kernelError } from './kernel-error.ts';

const REQUEST_TIMEOUT_MS = 600_000;
const RECONNECT_WITHIN_MS = 120_000;
const RECONNECT_EVERY_MS = 100;
/** After this many kernel crashes during one request, the request counts as the cause. */
const MAX_ATTEMPTS = 3;

/** Sent again if the answer was lost with the kernel: these are idempotent; a message is deduplicated by its id. */
const REPEATABLE: ReadonlySet<RequestMethod> = new Set<RequestMethod>([
  'session.message',
  'session.interrupt',
  'session.reset',
  'session.set_mode',
  'session.set_model',
  'session.describe',
  'review.get',
  'review.diff',
  'kernel.ping',
]);

export interface KernelClientOptions {
  readonly socket: string;
  readonly onEvent: (event: FluffyEvent) => void;
  /** Called when the kernel is gone and reconnecting begins. */
  readonly onReconnect: () => void;
  /** Called when the connection is restored. */
  readonly onBack?: () => void;
  /** Resolves with the reason when the kernel will not be restarted. */
  readonly givenUp: Promise<FluffyError>;
}

export interface ResumeFrom {
  /** The last known event. */
  readonly afterSeq: number;
  /** The session keeps its own model, whatever the options say. */
  readonly keepModel: boolean;
}

interface Attached {
  readonly id: string;
  readonly options: SessionOptions;
}

/**
 * The CLI's side of the session protocol. When the kernel dies it reconnects and resumes the session after the last event it has seen, so that
 * listeners see one continuous stream. Requests without an answer are sent again if that is safe.
 */
export class KernelClient {
  /** Resolves if the kernel did not come back, or came back without the session. */
  readonly lost: Promise<FluffyError>;
  readonly #resolveLost: (error: FluffyError) => void;
  readonly #options: KernelClientOptions;
  /** The last event seen of each session. */
  readonly #seen = new Map<string, number>();
  #peer: RpcPeer;
  #reconnecting: Promise<void> | null = null;
  #session: Attached | null = null;
  /** Options of a session that is being started or resumed. */
  #entering: SessionOptions | null = null;
  #closed = false;

  private constructor(options: KernelClientOptions, peer: RpcPeer) {
    this.#options = options;
    this.#peer = peer;
    const { promise, resolve } = Promise.withResolvers<FluffyError>();
    this.lost = promise;
    this.#resolveLost = resolve;
  }

  /** Waits for a kernel that has died and is being restarted. Throws FluffyError `ipc_handshake_failed`, or why it does not come back. */
  static async connect(options: KernelClientOptions): Promise<KernelClient> {
    // Listening can begin later: no event comes before a session is requested.
    const peer = await connectPeer(options.socket, { hello: CLI_HELLO }).catch(async (error: unknown) => {
      if (!(error instanceof FluffyError) || error.code !== 'socket_unreachable') throw error;
      options.onReconnect();
      const back = await openAgain(options);
      options.onBack?.();
      return back;
    });
    const client = new KernelClient(options, peer);
    client.#listen(peer);
    client.#watch(peer);
    return client;
  }

  /** Throws FluffyError `kernel_refused`, or `kernel_lost` if a dead kernel may already have executed it. */
  async request<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<RequestResult<M>> {
    const sent = method === 'session.message' ? { message_id: crypto.randomUUID(), ...params } : params;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#ask(await this.#ready(), method, sent);
      if (answer.kind === 'answered') return answer.result as RequestResult<M>;
      if (this.#closed || attempt === MAX_ATTEMPTS || !REPEATABLE.has(method)) throw kernelError(answer.failure);
    }
  }

  start(options: SessionOptions): Promise<string> {
    return this.#enter('session.start', { options }, options);
  }

  /** `fork`: in a new session, without that many of the person's last messages. */
  async resume(
    sessionId: string,
    forked: boolean | { readonly withoutLast: number },
    options: SessionOptions,
    { afterSeq, keepModel }: ResumeFrom,
  ): Promise<string> {
    const fork = forked !== false;
    this.#seen.clear();
    if (!fork) this.#seen.set(sessionId, afterSeq);
    const keep = keepModel ? { keep_model: true as const } : {};
    const params = { session_id: sessionId, fork, after_seq: afterSeq, options, ...keep, ...withoutLast(forked) };
    const id = await this.#enter('session.resume', params, options);
    // The id of the latest session is known only now.
    if (!fork) this.#seen.set(id, Math.max(afterSeq, this.#seen.get(id) ?? 0));
    return id;
  }

  close(): void {
    this.#closed = true;
    this.#peer.close();
  }

  /**
   * Not simply sent again: a session created just before the kernel died would be created twice. If its first event arrived, the new connection
   * resumes it; otherwise it is abandoned.
   */
  async #enter<M extends 'session.start' | 'session.resume'>(
    method: M,
    params: RequestParams<M>,
    options: SessionOptions,
  ): Promise<string> {
    const before = this.#session;
    this.#entering = options;
    try {
      for (let attempt = 1; ; attempt += 1) {
        const peer = await this.#ready();
        if (this.#session !== null && this.#session !== before) return this.#session.id;
        const answer = await this.#ask(peer, method, params);
        if (answer.kind === 'answered') {
          const { session_id: id } = requests[method].result.parse(answer.result);
          this.#session = { id, options };
          return id;
        }
        if (this.#closed || attempt === MAX_ATTEMPTS) throw kernelError(answer.failure);
      }
    } finally {
      this.#entering = null;
    }
  }

  /** Throws every error except the loss of the connection. */
  async #ask(
    peer: RpcPeer,
    method: RequestMethod,
    params: unknown,
  ): Promise<{ kind: 'answered'; result: unknown } | { kind: 'lost'; failure: RpcFailure }> {
    try {
      const { result } = requests[method];
      const options = { timeoutMs: REQUEST_TIMEOUT_MS, result: result as z.ZodType };
      return { kind: 'answered', result: await peer.request(method, params, options) };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (error.outcome.kind === 'closed') return { kind: 'lost', failure: error };
      throw kernelError(error);
    }
  }

  #listen(peer: RpcPeer): void {
    peer.onEvent('session.event', eventParams, ({ event }) => this.#take(event));
  }

  #take(event: FluffyEvent): void {
    if (event.session_id === null) return this.#options.onEvent(event);
    if (event.seq <= (this.#seen.get(event.session_id) ?? 0)) return;
    this.#seen.set(event.session_id, event.seq);
    if (event.type === 'session.started' && this.#entering !== null) {
      this.#session = { id: event.session_id, options: this.#entering };
    }
    this.#options.onEvent(event);
  }

  #watch(peer: RpcPeer): void {
    void peer.closed.then(() => this.#ready().catch(() => undefined));
  }

  /** The connection, with the session resumed on it. Throws FluffyError if it cannot be restored. */
  async #ready(): Promise<RpcPeer> {
    if (!this.#closed && !this.#peer.open) this.#reconnecting ??= this.#reconnect();
    await this.#reconnecting;
    return this.#peer;
  }

  async #reconnect(): Promise<void> {
    this.#options.onReconnect();
    try {
      do
        this.#peer = await openAgain(
          this.#options,
          (opened) => this.#listen(opened),
          () => this.#closed,
        );
      while (!(await this.#takeUp(this.#peer)));
    } catch (error) {
      const why = asLost(error);
      if (!this.#closed) this.#resolveLost(why);
      throw why;
    }
    // Reset first: if this connection closes too, that must start a new reconnection.
    this.#reconnecting = null;
    this.#watch(this.#peer);
    this.#options.onBack?.();
  }

  /** False if the kernel was lost again meanwhile. */
  async #takeUp(peer: RpcPeer): Promise<boolean> {
    if (this.#session === null) return true;
    const { id, options } = this.#session;
    // The session may have another model since.
    const own = { keep_model: true as const };
    const params = { session_id: id, fork: false, after_seq: this.#seen.get(id) ?? 0, options, ...own };
    return (await this.#ask(peer, 'session.resume', params)).kind === 'answered';
  }
}

/** Tries until a kernel answers, it is given up, or the time is over. */
async function openAgain(
  { socket, givenUp }: Pick<KernelClientOptions, 'socket' | 'givenUp'>,
  onPeer: (peer: RpcPeer) => void = () => undefined,
  isClosed: () => boolean = () => false,
): Promise<RpcPeer> {
  const end = new AbortController();
  void givenUp.then((error) => end.abort(error));
  const deadline = setTimeout(() => end.abort(kernelDidNotComeBack(RECONNECT_WITHIN_MS)), RECONNECT_WITHIN_MS);
  try {
    for (;;) {
      await sleep(RECONNECT_EVERY_MS);
      end.signal.throwIfAborted();
      if (isClosed()) throw kernelDidNotComeBack(0);
      const peer = await connectPeer(socket, { hello: CLI_HELLO, onPeer }).catch(() => null);
      if (peer !== null) return peer;
    }
  } finally {
    clearTimeout(deadline);
  }
}

function withoutLast(forked: boolean | { readonly withoutLast: number }): { without_last?: number } {
  return typeof forked === 'boolean' ? {} : { without_last: forked.withoutLast };
}

const eventParams = z.strictObject({ event: fluffyEventSchema });
