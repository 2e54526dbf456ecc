interface Sequence<T> {
  readonly length: number;
  readonly [index: number]: T;
}

/**
 * The indexes at which `wanted`, which is not empty, occurs in `all`, overlapping or not. Knuth, Morris and Pratt: linear in the sum of the lengths
 * for any content.
 */
export function occurrences<T>(all: Sequence<T>, wanted: Sequence<T>, overlapping: boolean): number[] {
  const borders = bordersOf(wanted);
  const places: number[] = [];
  let same = 0;
  for (let at = 0; at < all.length; at += 1) {
    while (same > 0 && all[at] !== wanted[same]) same = borders[same - 1] ?? 0;
    if (all[at] === wanted[same]) same += 1;
    if (same < wanted.length) continue;
    places.push(at + 1 - same);
    same = overlapping ? (borders[same - 1] ?? 0) : 0;
  }
  return places;
}

/** For each prefix of `wanted`, the length of its longest shorter prefix that is also its suffix. */
function bordersOf<T>(wanted: Sequence<T>): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let same = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (same > 0 && wanted[at] !== wanted[same]) same = borders[same - 1] ?? 0;
    if (wanted[at] === wanted[same]) same += 1;
    borders[at] = same;
  }
  return borders;
}
