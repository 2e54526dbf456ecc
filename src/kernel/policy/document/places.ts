/** Line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Offsets at which the lines of a text begin, in ascending order. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The place of an offset. A negative offset gives the beginning of the text. */
export function placeOf(starts: readonly number[], offset: number): Place {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (starts[low] as number)) + 1 };
}
