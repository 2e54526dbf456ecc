/** A small seeded generator (mulberry32): the same seed gives the same tests on every machine. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  list<T>(minimum: number, maximum: number, make: () => T): T[] {
    return Array.from({ length: minimum + this.below(maximum - minimum + 1) }, make);
  }

  shuffle<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, key: this.next() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ value }) => value);
  }
}
