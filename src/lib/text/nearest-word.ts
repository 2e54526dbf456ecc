/** Longer words are compared only by their first characters: a hint must not cost quadratic time. */
const MAX_COMPARED = 200;

/**
 * The word of `words` that was probably meant by `wanted`; null if none is close. Case does not count; of two equally close words the first one is
 * returned. `maxDistance` is the largest edit distance that still counts as close.
 */
export function nearestWord(
  wanted: string,
  words: Iterable<string>,
  maxDistance = typingErrorsIn(wanted),
): string | null {
  const cut = wanted.slice(0, MAX_COMPARED).toLowerCase();
  let best: string | null = null;
  let bestDistance = maxDistance + 1;
  for (const word of words) {
    if (Math.abs(word.length - cut.length) >= bestDistance) continue;
    const distance = editDistance(cut, word.toLowerCase());
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** The number of typing errors at which a word of this length is still recognised: one in three characters, at least one. */
export function typingErrorsIn(word: string): number {
  return Math.max(1, Math.floor(Math.min(word.length, MAX_COMPARED) / 3));
}

/**
 * Optimal string alignment distance: the minimum number of insertions, deletions, substitutions and swaps of two adjacent characters that turn `a`
 * into `b`, no part edited twice. Takes time proportional to the product of both lengths.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(substituted, (last[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
