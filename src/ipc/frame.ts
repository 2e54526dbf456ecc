import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { MAX_FRAME_BYTES, MAX_HEAD_BYTES, MAX_TAIL_BYTES } from '../contracts/ipc-message.ts';
import { MAX_JSON_DEPTH, scanJsonStructure } from '../lib/strict-json.ts';
import { TAILED_HEAD_DEPTH, liftLongTexts } from './tail.ts';

/**
 * What is on the wire, all numbers unsigned and big-endian:
 *
 *     plain     length of the head (4 bytes, top bit clear) | head
 *     tailed    length of the head (4 bytes, top bit set)   | length of the tail (4 bytes) | head | tail
 *
 * The head is UTF-8 JSON: of a plain frame the message, of a tailed one what `tail.ts` makes of it. Neither part may be empty, and
 * each has its limit, as have both together. Both lengths precede both parts, so a frame is refused before anything of it is kept.
 * A tailed frame is for connections that agreed on a version with tails.
 */
const WORD_BYTES = 4;
const TAIL_BIT = 0x8000_0000;
const FIRST_ALLOCATION_BYTES = 64 * 1024;

export interface EncodeOptions {
  /** Whether long texts may travel in a tail. */
  readonly tail: boolean;
}

/** Throws FluffyError `ipc_unsendable` for a value the other side would close the connection for. */
export function encodeFrame(value: unknown, options: EncodeOptions = { tail: false }): Buffer {
  const lifted = options.tail ? liftLongTexts(value) : null;
  const text = JSON.stringify(lifted === null ? value : lifted.head);
  const headBytes = Buffer.byteLength(text);
  const tailBytes = lifted?.bytes ?? 0;
  if (headBytes > MAX_HEAD_BYTES)
    throw unsendable(`it has ${headBytes} bytes of JSON, a frame holds ${MAX_HEAD_BYTES}`);
  if (headBytes + tailBytes > MAX_FRAME_BYTES) {
    throw unsendable(`it has ${headBytes + tailBytes} bytes, a frame holds ${MAX_FRAME_BYTES}`);
  }
  const headAt = lifted === null ? WORD_BYTES : 2 * WORD_BYTES;
  const frame = Buffer.allocUnsafe(headAt + headBytes + tailBytes);
  frame.writeUInt32BE(lifted === null ? headBytes : TAIL_BIT + headBytes, 0);
  if (lifted !== null) frame.writeUInt32BE(tailBytes, WORD_BYTES);
  let end = headAt + frame.write(text, headAt, 'utf8');
  if (scanJsonStructure(frame.subarray(headAt, end)).depth > (lifted === null ? MAX_JSON_DEPTH : TAILED_HEAD_DEPTH)) {
    throw unsendable(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  // Inside a string the quotes would be escaped, so this is a whole key.
  if (text.includes('{"__proto__":') || text.includes(',"__proto__":')) throw unsendable('it has a key __proto__');
  for (const each of lifted?.texts ?? []) end += frame.write(each, end, 'utf8');
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

export type FrameFault =
  'empty frame' | 'frame too large' | 'empty tail' | 'tail too large' | 'a tail that was not agreed on';

/** Gets a complete frame, valid during the call only; `tail` is null for a plain one. False: it is the last. */
export type FrameReceiver = (head: Buffer, tail: Buffer | null) => boolean;

interface Lengths {
  readonly head: number;
  readonly tail: number;
}

/** Cuts a byte stream into frames, however it was split or merged on the way. Memory follows what arrived, not what was announced. */
export class FrameDecoder {
  readonly #header = Buffer.alloc(2 * WORD_BYTES);
  #headerFilled = 0;
  #lengths: Lengths | null = null;
  #body: Buffer = Buffer.alloc(0);
  #bodyFilled = 0;
  #tails = false;

  /** Some bytes of a frame have come, and some are missing. */
  get partial(): boolean {
    return this.#headerFilled > 0;
  }

  /** From the next frame on one may have a tail. */
  acceptTails(): void {
    this.#tails = true;
  }

  /** Hands each complete frame to `onFrame`. After a fault the decoder must not be used again. */
  push(chunk: Buffer, onFrame: FrameReceiver): FrameFault | null {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#lengths === null) {
        offset += this.#fillHeader(chunk, offset);
        const lengths = readLengths(this.#header.subarray(0, this.#headerFilled), this.#tails);
        if (typeof lengths === 'string') return lengths;
        this.#lengths = lengths;
        continue;
      }
      const { head, tail } = this.#lengths;
      const missing = head + tail - this.#bodyFilled;
      const end = Math.min(offset + missing, chunk.length);
      const complete = end - offset === missing;
      const whole = complete && this.#bodyFilled === 0;
      if (!whole) this.#keep(chunk, offset, end, head + tail);
      const body = whole ? chunk.subarray(offset, end) : this.#body.subarray(0, this.#bodyFilled);
      offset = end;
      if (complete) {
        this.#reset();
        if (!onFrame(body.subarray(0, head), tail === 0 ? null : body.subarray(head))) return null;
      }
    }
    return null;
  }

  /** Up to the end of the word that is being read: whether there is a second one shows only then. */
  #fillHeader(chunk: Buffer, offset: number): number {
    const wanted = this.#headerFilled < WORD_BYTES ? WORD_BYTES : 2 * WORD_BYTES;
    const taken = Math.min(wanted - this.#headerFilled, chunk.length - offset);
    chunk.copy(this.#header, this.#headerFilled, offset, offset + taken);
    this.#headerFilled += taken;
    return taken;
  }

  #keep(chunk: Buffer, start: number, end: number, announced: number): void {
    const needed = this.#bodyFilled + (end - start);
    if (needed > this.#body.length) {
      const capacity = Math.min(announced, Math.max(needed, this.#body.length * 2, FIRST_ALLOCATION_BYTES));
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.#body.copy(grown, 0, 0, this.#bodyFilled);
      this.#body = grown;
    }
    chunk.copy(this.#body, this.#bodyFilled, start, end);
    this.#bodyFilled = needed;
  }

  #reset(): void {
    this.#headerFilled = 0;
    this.#lengths = null;
    this.#bodyFilled = 0;
    this.#body = Buffer.alloc(0);
  }
}

/** Null while the header is incomplete; a fault as soon as nothing that follows could make it valid. */
function readLengths(header: Buffer, tails: boolean): Lengths | FrameFault | null {
  if (header.length < WORD_BYTES) return null;
  const word = header.readUInt32BE(0);
  const tailed = word >= TAIL_BIT;
  if (tailed && !tails) return 'a tail that was not agreed on';
  const head = tailed ? word - TAIL_BIT : word;
  if (head === 0) return 'empty frame';
  if (head > MAX_HEAD_BYTES) return 'frame too large';
  if (!tailed) return { head, tail: 0 };
  if (header.length < 2 * WORD_BYTES) return null;
  const tail = header.readUInt32BE(WORD_BYTES);
  if (tail === 0) return 'empty tail';
  if (tail > MAX_TAIL_BYTES) return 'tail too large';
  return head + tail > MAX_FRAME_BYTES ? 'frame too large' : { head, tail };
}
