import { MAX_FRAME_BYTES } from '../contracts/ipc-message.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { EXIT } from '../contracts/exit-codes.ts';
import { MAX_JSON_DEPTH, scanJsonStructure } from '../lib/strict-json.ts';

/**
 * A frame is a 4-byte big-endian length and that many bytes of UTF-8 JSON. Lengths stay below 2^23, so the length's top bit is
 * always clear; it is kept free to announce a frame that carries bytes after its JSON.
 */
const HEADER_BYTES = 4;
const FIRST_ALLOCATION_BYTES = 64 * 1024;

/** Throws FluffyError `ipc_unsendable` for a value the other side would close the connection for. */
export function encodeFrame(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  if (length > MAX_FRAME_BYTES) throw unsendable(`it has ${length} bytes of JSON, a frame holds ${MAX_FRAME_BYTES}`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, HEADER_BYTES, 'utf8');
  if (scanJsonStructure(frame.subarray(HEADER_BYTES)).depth > MAX_JSON_DEPTH) {
    throw unsendable(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  // Inside a string the quotes would be escaped, so this is a key.
  if (text.includes('"__proto__":')) throw unsendable('it has a key __proto__');
  return frame;
}

function unsendable(why: string): FluffyError {
  return new FluffyError({
    code: 'ipc_unsendable',
    what: 'A message could not be sent',
    why,
    fix: 'Make it smaller, or report this as a bug',
    exitCode: EXIT.failed,
  });
}

export type FrameFault = 'empty frame' | 'frame too large';

/** Cuts a byte stream into payloads, however it was split or merged on the way. Memory follows what arrived, not what was announced. */
export class FrameDecoder {
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  #payload: Buffer = Buffer.alloc(0);
  #payloadFilled = 0;
  #payloadLength = -1;

  /** Some bytes of a frame have come, and some are missing. */
  get partial(): boolean {
    return this.#headerFilled > 0;
  }

  /**
   * Hands each complete payload to `onPayload`, valid during that call only; a payload answered with false is the last.
   * After a fault the decoder must not be used again.
   */
  push(chunk: Buffer, onPayload: (payload: Buffer) => boolean): FrameFault | null {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#payloadLength < 0) {
        const taken = Math.min(HEADER_BYTES - this.#headerFilled, chunk.length - offset);
        chunk.copy(this.#header, this.#headerFilled, offset, offset + taken);
        this.#headerFilled += taken;
        offset += taken;
        if (this.#headerFilled < HEADER_BYTES) return null;
        const length = this.#header.readUInt32BE(0);
        if (length === 0) return 'empty frame';
        if (length > MAX_FRAME_BYTES) return 'frame too large';
        this.#payloadLength = length;
      }
      const missing = this.#payloadLength - this.#payloadFilled;
      const end = Math.min(offset + missing, chunk.length);
      const complete = end - offset === missing;
      const whole = complete && this.#payloadFilled === 0;
      if (!whole) this.#keep(chunk, offset, end);
      const payload = whole ? chunk.subarray(offset, end) : this.#payload.subarray(0, this.#payloadFilled);
      offset = end;
      if (complete) {
        this.#reset();
        if (!onPayload(payload)) return null;
      }
    }
    return null;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const needed = this.#payloadFilled + (end - start);
    if (needed > this.#payload.length) {
      const capacity = Math.min(
        this.#payloadLength,
        Math.max(needed, this.#payload.length * 2, FIRST_ALLOCATION_BYTES),
      );
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#payload.copy(grown, 0, 0, this.#payloadFilled);
      this.#payload = grown;
    }
    chunk.copy(this.#payload, this.#payloadFilled, start, end);
    this.#payloadFilled = needed;
  }

  #reset(): void {
    this.#headerFilled = 0;
    this.#payloadLength = -1;
    this.#payloadFilled = 0;
    this.#payload = Buffer.alloc(0);
  }
}
