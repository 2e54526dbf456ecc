/**
 * Keeps the first `headBytes` and the last `tailBytes` of a stream of any length, in memory of that size: the first and last output of a program show
 * why it failed.
 */
export class HeadTail {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headLength = 0;
  #tail: Buffer[] = [];
  #tailLength = 0;
  #total = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headLimit = headBytes;
    this.#tailLimit = tailBytes;
  }

  /** Number of pushed bytes, kept or not. */
  get total(): number {
    return this.#total;
  }

  get omitted(): number {
    return Math.max(0, this.#total - this.#headLimit - this.#tailLimit);
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const intoHead = Math.min(chunk.length, this.#headLimit - this.#headLength);
    if (intoHead > 0) {
      this.#head.push(Buffer.from(chunk.subarray(0, intoHead)));
      this.#headLength += intoHead;
    }
    const rest = chunk.subarray(Math.max(intoHead, chunk.length - this.#tailLimit));
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest));
    this.#tailLength += rest.length;
    // Chunks are merged now and then, so that a stream of single bytes does not keep a buffer for each.
    if (this.#tailLength > 2 * this.#tailLimit || this.#tail.length > 1024) {
      const merged = Buffer.concat(this.#tail);
      this.#tail = [merged.subarray(Math.max(0, merged.length - this.#tailLimit))];
      this.#tailLength = this.#tail[0]?.length ?? 0;
    }
  }

  /** The kept bytes, without a gap marker. */
  bytes(): Buffer {
    const { head, tail } = this.#kept();
    return Buffer.concat([head, tail]);
  }

  /** Decoded as UTF-8: malformed bytes are replaced, and characters cut by the gap are dropped. A marker gives the number of missing bytes. */
  text(): string {
    const { head, tail } = this.#kept();
    if (this.omitted === 0) return Buffer.concat([head, tail]).toString('utf8');
    const before = head.subarray(0, completeLength(head)).toString('utf8');
    const after = tail.subarray(firstBoundary(tail)).toString('utf8');
    return `${before}\n… ${this.omitted} bytes left out …\n${after}`;
  }

  #kept(): { head: Buffer; tail: Buffer } {
    const tail = Buffer.concat(this.#tail);
    return { head: Buffer.concat(this.#head), tail: tail.subarray(Math.max(0, tail.length - this.#tailLimit)) };
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Length without an incomplete character at the end. */
function completeLength(bytes: Buffer): number {
  let lead = bytes.length - 1;
  while (lead > 0 && bytes.length - lead < 4 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead];
  if (first === undefined || first < 0xc0) return bytes.length;
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return lead + wanted <= bytes.length ? bytes.length : lead;
}

function firstBoundary(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && isContinuation(bytes[at])) at += 1;
  return at;
}
