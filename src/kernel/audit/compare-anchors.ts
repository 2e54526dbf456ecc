import type { ChainFault } from './verify-chain.ts';

/** The chain's head as the host signed it at one moment; the signature is already verified. */
export interface Anchor {
  /** Number of records in the chain at that moment. */
  readonly entries: number;
  /** Hash of the last of these records. */
  readonly head: string;
}

/**
 * Compares a chain with the signed anchors. A chain that is consistent in itself can still be rewritten, or an old
 * copy. Then its hashes differ from the signed hashes, or it has fewer records.
 */
export class AnchorComparison {
  readonly #anchors: readonly Anchor[];
  #next = 0;
  #agreedThrough: number;
  #conflict: Anchor | null = null;

  /** `start`: the record before the first one that the anchors cover. */
  constructor(anchors: readonly Anchor[], start = 0) {
    this.#agreedThrough = start;
    this.#anchors = anchors.filter(({ entries }) => entries > 0).toSorted((a, b) => a.entries - b.entries);
  }

  /** The records up to this one agree with the anchors. */
  get agreedThrough(): number {
    return this.#agreedThrough;
  }

  /** Must be called for every record of the chain, in order. */
  see(id: number, hash: string): void {
    for (let anchor = this.#anchors[this.#next]; anchor?.entries === id; anchor = this.#anchors[this.#next]) {
      this.#next += 1;
      if (anchor.head !== hash) this.#conflict ??= anchor;
      else if (this.#conflict === null) this.#agreedThrough = id;
    }
  }

  /** The contradiction between the anchors and a chain that ends with `entries` records; null if they agree. */
  fault(entries: number): ChainFault | null {
    if (this.#conflict !== null) {
      const reason = `rewritten: record ${this.#conflict.entries} is another than the one that was signed`;
      return { id: this.#agreedThrough + 1, reason };
    }
    const last = this.#anchors.at(-1);
    if (last === undefined || last.entries <= entries) return null;
    return { id: entries + 1, reason: `cut off: ${last.entries} records had been signed` };
  }
}
