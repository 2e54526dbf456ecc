const HEADER_BYTES = 8;

/**
 * Splits the engine's multiplexed log stream: frames of an 8-byte header (stream, three zeros, length as uint32 BE) and
 * that many bytes. It stores only one header, whatever length a frame claims.
 */
export class LogDemultiplexer {
  readonly #onText: (chunk: Buffer) => void;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  #payloadLeft = 0;

  /** `onText` gets the bytes of stdout and stderr in the order in which they arrive. */
  constructor(onText: (chunk: Buffer) => void) {
    this.#onText = onText;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#payloadLeft > 0) {
        const part = chunk.subarray(at, at + this.#payloadLeft);
        this.#onText(part);
        this.#payloadLeft -= part.length;
        at += part.length;
        continue;
      }
      const taken = Math.min(HEADER_BYTES - this.#headerFilled, chunk.length - at);
      chunk.copy(this.#header, this.#headerFilled, at, at + taken);
      this.#headerFilled += taken;
      at += taken;
      if (this.#headerFilled < HEADER_BYTES) return;
      this.#headerFilled = 0;
      this.#payloadLeft = this.#header.readUInt32BE(4);
    }
  }
}
