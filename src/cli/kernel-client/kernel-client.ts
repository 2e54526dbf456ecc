import { z } from 'zod';
import { fluffyEventSchema } from '../../contracts/events.ts';
import type { FluffyEvent } from '../../contracts/events.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { requests } from '../../contracts/session-protocol.ts';
import type { RequestMethod, RequestParams, RequestResult, SessionOptions } from '../../contracts/session-protocol.ts';
import { connectPeer, RpcFailure } from '../../ipc/index.ts';
import type { RpcPeer } from '../../ipc/index.ts';
import { CLI_HELLO } from '../cli-hello.ts';

const REQUEST_TIMEOUT_MS = 600_000;
const RECONNECT_WITHIN_MS = 120_000;
const RECONNECT_EVERY_MS = 200;

export interface KernelClientOptions {
  readonly socket: string;
  readonly onEvent: (event: FluffyEvent) => void;
  /** Told when the kernel went away and the connection is being made again. */
  readonly onReconnect: () => void;
  /** Told when it stands again. */
  readonly onBack?: () => void;
  /** Resolves when there is no hope of the kernel coming back, with why. */
  readonly givenUp: Promise<FluffyError>;
}

/**
 * The CLI's side of the session protocol. When the kernel dies it connects again and takes up the session behind the last event it has seen,
 * so that whoever listens sees one unbroken stream.
 */
export class KernelClient {
  readonly #options: KernelClientOptions;
  #peer: RpcPeer;
  #session: { readonly id: string; readonly options: SessionOptions } | null = null;
  #lastSeq = 0;
  #closed = false;

  private constructor(options: KernelClientOptions, peer: RpcPeer) {
    this.#options = options;
    this.#peer = peer;
  }

  static async connect(options: KernelClientOptions): Promise<KernelClient> {
    let client: KernelClient | null = null;
    const early: FluffyEvent[] = [];
    const peer = await open(options.socket, (event) => (client === null ? early.push(event) : client.#take(event)));
    client = new KernelClient(options, peer);
    for (const event of early) client.#take(event);
    client.#watch(peer);
    return client;
  }

  async request<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<RequestResult<M>> {
    try {
      const result = await this.#peer.request(method, params, {
        timeoutMs: REQUEST_TIMEOUT_MS,
        result: requests[method].result as z.ZodType,
      });
      return result as RequestResult<M>;
    } catch (error) {
      throw error instanceof RpcFailure ? fromKernel(error) : error;
    }
  }

  async start(options: SessionOptions): Promise<string> {
    const { session_id } = await this.request('session.start', { options });
    this.#session = { id: session_id, options };
    return session_id;
  }

  async resume(sessionId: string, fork: boolean, options: SessionOptions, afterSeq: number): Promise<string> {
    this.#lastSeq = afterSeq;
    const { session_id } = await this.request('session.resume', {
      session_id: sessionId,
      fork,
      after_seq: afterSeq,
      options,
    });
    this.#session = { id: session_id, options };
    return session_id;
  }

  close(): void {
    this.#closed = true;
    this.#peer.close();
  }

  #take(event: FluffyEvent): void {
    if (event.seq <= this.#lastSeq && event.session_id === this.#session?.id) return;
    this.#lastSeq = event.seq;
    this.#options.onEvent(event);
  }

  #watch(peer: RpcPeer): void {
    void peer.closed.then(() => (this.#closed ? undefined : this.#reconnect()));
  }

  async #reconnect(): Promise<void> {
    this.#options.onReconnect();
    const deadline = Date.now() + RECONNECT_WITHIN_MS;
    let givenUp = false;
    void this.#options.givenUp.then(() => {
      givenUp = true;
    });
    while (!this.#closed && !givenUp && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_EVERY_MS));
      const peer = await open(this.#options.socket, (event) => this.#take(event)).catch(() => null);
      if (peer === null) continue;
      this.#peer = peer;
      this.#watch(peer);
      if (this.#session !== null) {
        const { id, options } = this.#session;
        await this.request('session.resume', { session_id: id, fork: false, after_seq: this.#lastSeq, options }).catch(
          () => undefined,
        );
      }
      this.#options.onBack?.();
      return;
    }
  }
}

const eventParams = z.strictObject({ event: fluffyEventSchema });

function open(socket: string, onEvent: (event: FluffyEvent) => void): Promise<RpcPeer> {
  return connectPeer(socket, {
    hello: CLI_HELLO,
    onPeer: (peer) => peer.onEvent('session.event', eventParams, ({ event }) => onEvent(event)),
  });
}

/** The kernel's refusals cross the wire as code and message; the code is an entry of docs/errors.md. */
function fromKernel(failure: RpcFailure): FluffyError {
  const { message } = failure;
  return new FluffyError({
    code: 'kernel_refused',
    what: 'The kernel refused the request',
    why: message,
    fix: 'See docs/errors.md for the code named, or run fluffy doctor',
    exitCode: message.includes('session_not_found') || message.includes('review_not_found') ? EXIT.usage : EXIT.failed,
    cause: failure,
  });
}
