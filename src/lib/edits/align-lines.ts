/** Above this product of lengths the lines are not aligned: all count as replaced. */
const MAX_CELLS = 1_000_000;

/**
 * For each line of `after`, the index of the same line in `before`, or null for a new one; indexes increase. Common lines at both ends are aligned
 * first, the rest by a longest common subsequence.
 */
export function alignLines(before: readonly string[], after: readonly string[]): (number | null)[] {
  const aligned = new Array<number | null>(after.length).fill(null);
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) {
    aligned[head] = head;
    head += 1;
  }
  let tail = 0;
  while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    aligned[after.length - 1 - tail] = before.length - 1 - tail;
    tail += 1;
  }
  const left = before.slice(head, before.length - tail);
  const right = after.slice(head, after.length - tail);
  if (left.length * right.length > MAX_CELLS) return aligned;
  for (const [i, j] of commonSubsequence(left, right)) aligned[head + j] = head + i;
  return aligned;
}

/** Pairs of indexes of equal lines. */
function commonSubsequence(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
