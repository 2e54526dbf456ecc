import type { ChainFault } from './verify-chain.ts';

/** A moment at which the host signed the chain's head, already verified. */
export interface Anchor {
  /** Number of records the chain had. */
  readonly entries: number;
  /** Hash of the last of them. */
  readonly head: string;
}

/**
 * Follows the chain beside the anchors. A chain that is sound in itself can still be a rewritten one, or an old copy: then it has
 * other hashes than those that were signed, or fewer records.
 */
export class AnchorComparison {
  readonly #anchors: readonly Anchor[];
  #next = 0;
  #agreedThrough: number;
  #conflict: Anchor | null = null;

  /** `start`: the record before the first that the anchors are about. */
  constructor(anchors: readonly Anchor[], start = 0) {
    this.#agreedThrough = start;
    this.#anchors = anchors.filter(({ entries }) => entries > 0).toSorted((a, b) => a.entries - b.entries);
  }

  /** Records up to this one are as they were signed. */
  get agreedThrough(): number {
    return this.#agreedThrough;
  }

  /** To be called for every record of the chain, in order. */
  see(id: number, hash: string): void {
    for (let anchor = this.#anchors[this.#next]; anchor?.entries === id; anchor = this.#anchors[this.#next]) {
      this.#next += 1;
      if (anchor.head !== hash) this.#conflict ??= anchor;
      else if (this.#conflict === null) this.#agreedThrough = id;
    }
  }

  /** What the anchors have against a chain that ends with `entries` records, or null. */
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
