import type { Duplex } from 'node:stream';
import type { CloseReason } from './close-reason.ts';
import { FrameDecoder, encodeFrame } from './frame.ts';
import { readMessage } from './tail.ts';

export interface ChannelOptions {
  /** From a frame's first byte to its last. Default 10 s. */
  readonly partialFrameMs?: number;
  /** What may wait to be written to a reader that doesn't read. Default 32 MiB. */
  readonly maxUnsentBytes?: number;
  /** From `close` until the stream is destroyed, whatever is unsent. Default 1 s. */
  readonly lingerMs?: number;
}

const DEFAULTS = { partialFrameMs: 10_000, maxUnsentBytes: 32 * 1024 * 1024, lingerMs: 1_000 };

/** JSON values over a duplex stream, one frame each. Whatever goes wrong ends this connection and nothing else. */
export class FrameChannel {
  /** Resolves once, when the connection is over. Never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly #stream: Duplex;
  readonly #options: Required<ChannelOptions>;
  readonly #decoder = new FrameDecoder();
  readonly #resolveClosed: (reason: CloseReason) => void;
  #receive: (value: unknown) => void;
  #reason: CloseReason | null = null;
  #partialTimer: NodeJS.Timeout | null = null;
  #tails = false;

  /** Takes the stream over: nobody else may read it, write it or end it. `receive` gets each value, in order, synchronously. */
  constructor(stream: Duplex, receive: (value: unknown) => void, options: ChannelOptions = {}) {
    this.#stream = stream;
    this.#receive = receive;
    this.#options = { ...DEFAULTS, ...options };
    const { promise, resolve } = Promise.withResolvers<CloseReason>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    stream.on('error', (error: Error) => this.#end({ kind: 'transport', error }));
    stream.on('end', () => this.#end(this.#endOfInput()));
    stream.on('close', () => this.#end(this.#endOfInput()));
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  get open(): boolean {
    return this.#reason === null;
  }

  /** Hands all later values to another receiver, from the very next frame on. */
  receiveWith(receive: (value: unknown) => void): void {
    this.#receive = receive;
  }

  /** Both sides have agreed on it: from the next frame on, either way, long texts travel in tails. */
  useTails(): void {
    this.#tails = true;
    this.#decoder.acceptTails();
  }

  /**
   * False when the sender should wait for `drained` before it sends more; the value is on its way in either case.
   * Throws FluffyError `ipc_unsendable`. After the end it does nothing.
   */
  send(value: unknown): boolean {
    const frame = encodeFrame(value, { tail: this.#tails });
    if (!this.open) return true;
    const flowing = this.#stream.write(frame);
    if (this.#stream.writableLength > this.#options.maxUnsentBytes) this.violate('does not read what it is sent');
    return flowing;
  }

  /** Resolves when the stream wants more, at once if it does already, and when the connection ends. */
  async drained(): Promise<void> {
    if (!this.open || !this.#stream.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stream.once('drain', resolve);
    await Promise.race([promise, this.closed]);
    this.#stream.off('drain', resolve);
  }

  /** Lets what was sent go out, then closes. */
  close(): void {
    if (!this.open) return;
    this.#finish({ kind: 'local' });
    const linger = setTimeout(() => this.#stream.destroy(), this.#options.lingerMs);
    linger.unref();
    this.#stream.once('close', () => clearTimeout(linger));
    this.#stream.end(() => this.#stream.destroy());
  }

  /** Closes at once because the other side broke `rule`. */
  violate(rule: string): void {
    this.#end({ kind: 'violation', rule });
  }

  #take(chunk: Buffer): void {
    if (!this.open) return;
    const fault = this.#decoder.push(chunk, (head, tail) => {
      this.#stopPartialTimer();
      const parsed = readMessage(head, tail);
      if (parsed.ok) this.#receive(parsed.value);
      else this.violate(`a frame with ${parsed.reason}`);
      return this.open;
    });
    if (fault !== null) this.violate(fault);
    else if (this.open && this.#decoder.partial) this.#startPartialTimer();
  }

  #startPartialTimer(): void {
    this.#partialTimer ??= setTimeout(() => this.#partialDeadline(), this.#options.partialFrameMs);
  }

  /** After a stall of this process the rest may be waiting to be read: look once more before blaming the other side. */
  #partialDeadline(): void {
    const timer = this.#partialTimer;
    setImmediate(() => {
      if (this.#partialTimer === timer && timer !== null) this.violate('a frame that was not completed in time');
    });
  }

  #stopPartialTimer(): void {
    if (this.#partialTimer !== null) clearTimeout(this.#partialTimer);
    this.#partialTimer = null;
  }

  #endOfInput(): CloseReason {
    return this.#decoder.partial ? { kind: 'violation', rule: 'a frame that was cut off' } : { kind: 'remote' };
  }

  #end(reason: CloseReason): void {
    if (!this.open) return;
    this.#finish(reason);
    this.#stream.destroy();
  }

  #finish(reason: CloseReason): void {
    this.#reason = reason;
    this.#stopPartialTimer();
    this.#resolveClosed(reason);
  }
}
