import { z } from 'zod';
import { ipcMessageSchema } from '../contracts/ipc-message.ts';
import type { IpcError, IpcMessage } from '../contracts/ipc-message.ts';
import { assertNever } from '../lib/assert-never.ts';
import type { CloseReason } from './close-reason.ts';
import type { FrameChannel } from './frame-channel.ts';
import { RpcFailure, errorForWire } from './rpc-failure.ts';

export interface RpcOptions {
  /** Requests of the other side being handled at once; more are answered `busy`. Default 64. */
  readonly maxHandling?: number;
  /** Requests of ours waiting for an answer at once; more reject. Default 256. */
  readonly maxWaiting?: number;
  /** Makes request ids, unique within the connection. Default: random UUIDs. */
  readonly nextId?: () => string;
  /** Called when a handler threw something unforeseen; the other side only learns `internal`. */
  readonly onHandlerFault?: (method: string, thrown: unknown) => void;
}

export interface RequestOptions {
  readonly timeoutMs?: number;
  /** Aborting rejects with the signal's reason and tells the other side to stop. */
  readonly signal?: AbortSignal;
}

export interface HandlerContext {
  readonly peer: RpcPeer;
  /** Aborted when the caller gave up or the connection ended. */
  readonly signal: AbortSignal;
}

interface Handler {
  readonly schema: z.ZodType;
  readonly handle: (params: unknown, context: HandlerContext) => unknown;
}

interface EventHandler {
  readonly schema: z.ZodType;
  readonly handle: (params: unknown) => void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The one event every peer understands: {id} of a request whose caller has given up. */
const CANCEL_METHOD = 'rpc.cancel';
const cancelSchema = z.strictObject({ id: z.string().max(64) });
/** Requests given up whose answer may still come. A peer that leaves this many unanswered is not answering at all. */
const MAX_ABANDONED = 1_024;

/**
 * Requests, responses and events, both ways, over a channel whose handshake is done. Requests are handled as they come, not
 * one after another; events and responses arrive in the order they were sent.
 */
export class RpcPeer {
  /** Resolves when the connection is over. Never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly #channel: FrameChannel;
  readonly #options: Required<RpcOptions>;
  readonly #requestHandlers = new Map<string, Handler>();
  readonly #eventHandlers = new Map<string, EventHandler>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #abandoned = new Set<string>();
  readonly #handling = new Map<string, AbortController>();
  #closeReason: CloseReason | null = null;

  constructor(channel: FrameChannel, options: RpcOptions = {}) {
    this.#channel = channel;
    this.#options = {
      maxHandling: 64,
      maxWaiting: 256,
      nextId: () => crypto.randomUUID(),
      onHandlerFault: () => undefined,
      ...options,
    };
    this.closed = channel.closed.then((reason) => this.#onClosed(reason));
    channel.receiveWith((value) => this.#take(value));
  }

  get open(): boolean {
    return this.#channel.open;
  }

  /** Answers `method`. The result must be JSON; a thrown RpcFailure or FluffyError is answered as an error. */
  onRequest<S extends z.ZodType>(
    method: string,
    schema: S,
    handle: (params: z.infer<S>, context: HandlerContext) => unknown,
  ): void {
    this.#requestHandlers.set(method, { schema, handle: handle as Handler['handle'] });
  }

  /** Handles events of `method`; unknown events are ignored, ill-formed ones end the connection. */
  onEvent<S extends z.ZodType>(method: string, schema: S, handle: (params: z.infer<S>) => void): void {
    this.#eventHandlers.set(method, { schema, handle: handle as EventHandler['handle'] });
  }

  /** Rejects with RpcFailure, with the signal's reason, or with FluffyError `ipc_unsendable`. */
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  request<S extends z.ZodType>(
    method: string,
    params: unknown,
    options: RequestOptions & { readonly result: S },
  ): Promise<z.infer<S>>;
  async request(
    method: string,
    params: unknown,
    options: RequestOptions & { readonly result?: z.ZodType } = {},
  ): Promise<unknown> {
    options.signal?.throwIfAborted();
    if (!this.open) throw new RpcFailure({ kind: 'closed', reason: this.#closeReason ?? (await this.closed) });
    if (this.#waiting.size >= this.#options.maxWaiting) throw new RpcFailure({ kind: 'too-many-requests' });
    const id = this.#options.nextId();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const stopWatching = this.#watch(id, options);
    try {
      this.#channel.send({ type: 'request', id, method, params });
      return checkResult(await promise, options.result);
    } finally {
      stopWatching();
      this.#waiting.delete(id);
    }
  }

  /** False when the sender should wait for `drained` before it sends more. Throws FluffyError `ipc_unsendable`. */
  notify(method: string, params: unknown): boolean {
    return this.#channel.send({ type: 'event', method, params });
  }

  drained(): Promise<void> {
    return this.#channel.drained();
  }

  /** Lets what was sent go out, then closes; waiting requests reject. */
  close(): void {
    this.#channel.close();
  }

  /** Closes at once because the other side broke a rule that only the caller knows. */
  violate(rule: string): void {
    this.#channel.violate(rule);
  }

  #watch(id: string, { timeoutMs, signal }: RequestOptions): () => void {
    const giveUp = (error: unknown): void => {
      this.#waiting.get(id)?.reject(error);
      this.#abandon(id);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => giveUp(new RpcFailure({ kind: 'timed-out', afterMs: timeoutMs })), timeoutMs);
    return () => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    };
  }

  #abandon(id: string): void {
    if (!this.open || !this.#waiting.delete(id)) return;
    this.#abandoned.add(id);
    if (this.#abandoned.size > MAX_ABANDONED) this.violate('answers nothing');
    else this.#channel.send({ type: 'event', method: CANCEL_METHOD, params: { id } });
  }

  #take(value: unknown): void {
    const parsed = ipcMessageSchema.safeParse(value);
    if (!parsed.success) return this.violate('a message of unknown form');
    const message = parsed.data;
    switch (message.type) {
      case 'request':
        return this.#takeRequest(message);
      case 'response':
        return this.#takeResponse(message);
      case 'event':
        return this.#takeEvent(message);
      default:
        return assertNever(message);
    }
  }

  #takeResponse(message: Extract<IpcMessage, { type: 'response' }>): void {
    if (this.#abandoned.delete(message.id)) return;
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return this.violate('a response to no request');
    if (message.error !== undefined && message.result !== undefined) {
      return this.violate('a response with both result and error');
    }
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting.resolve(message.result);
    else waiting.reject(new RpcFailure({ kind: 'refused', error: message.error }));
  }

  #takeEvent(message: Extract<IpcMessage, { type: 'event' }>): void {
    if (message.method === CANCEL_METHOD) {
      const cancel = cancelSchema.safeParse(message.params);
      if (!cancel.success) return this.violate('a cancel without an id');
      this.#handling.get(cancel.data.id)?.abort(new Error('the caller gave up'));
      return;
    }
    const handler = this.#eventHandlers.get(message.method);
    if (handler === undefined) return;
    const params = handler.schema.safeParse(message.params);
    if (!params.success) return this.violate(`an ill-formed event ${message.method}`);
    try {
      handler.handle(params.data);
    } catch (thrown) {
      this.#options.onHandlerFault(message.method, thrown);
    }
  }

  #takeRequest(message: Extract<IpcMessage, { type: 'request' }>): void {
    const { id, method } = message;
    if (this.#handling.has(id)) return this.violate('two requests under one id');
    const handler = this.#requestHandlers.get(method);
    if (handler === undefined) return this.#refuse(id, 'unknown_method', `there is no method ${method}`);
    if (this.#handling.size >= this.#options.maxHandling) {
      return this.#refuse(id, 'busy', 'too many requests at once', true);
    }
    const params = handler.schema.safeParse(message.params);
    if (!params.success) return this.#refuse(id, 'invalid_params', z.prettifyError(params.error).slice(0, 2_000));
    void this.#handle(id, method, handler, params.data);
  }

  async #handle(id: string, method: string, handler: Handler, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#handling.set(id, controller);
    try {
      const result = await handler.handle(params, { peer: this, signal: controller.signal });
      this.#channel.send({ type: 'response', id, result: result === undefined ? {} : result });
    } catch (thrown) {
      const error = errorForWire(thrown);
      if (error.code === 'internal') this.#options.onHandlerFault(method, thrown);
      this.#respondError(id, error);
    } finally {
      this.#handling.delete(id);
    }
  }

  #refuse(id: string, code: string, message: string, retryable = false): void {
    this.#respondError(id, { code, message, retryable });
  }

  #respondError(id: string, error: IpcError): void {
    this.#channel.send({ type: 'response', id, error });
  }

  #onClosed(reason: CloseReason): CloseReason {
    this.#closeReason = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(new RpcFailure({ kind: 'closed', reason }));
    for (const controller of this.#handling.values()) controller.abort(new RpcFailure({ kind: 'closed', reason }));
    this.#waiting.clear();
    return reason;
  }
}

function checkResult(result: unknown, schema: z.ZodType | undefined): unknown {
  if (schema === undefined) return result;
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new RpcFailure({ kind: 'invalid-result', detail: z.prettifyError(parsed.error).slice(0, 2_000) });
}
