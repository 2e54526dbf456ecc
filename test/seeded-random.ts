/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many rounds of a long suite to run: a sample, or all of it under FLUFFY_SOAK=1. */
export function rounds(sample: number, soak: number): number {
  return process.env['FLUFFY_SOAK'] === '1' ? soak : sample;
}

/** Time for a test that runs `rounds`. */
export const ROUNDS_TIMEOUT_MS = rounds(180_000, 3_600_000);
