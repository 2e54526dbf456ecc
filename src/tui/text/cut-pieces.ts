import type { RawPiece } from './span.ts';

/** A part of a line, from one UTF-16 unit up to another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Splits the pieces of one line where ranges begin and end, and changes those inside. Joined again they are the same line. Ranges are in order and do
 * not overlap.
 */
export function cutPieces(
  pieces: readonly RawPiece[],
  ranges: readonly Range[],
  change: (piece: RawPiece) => RawPiece,
): readonly RawPiece[] {
  if (ranges.length === 0) return pieces;
  const cut: RawPiece[] = [];
  let start = 0;
  let index = 0;
  for (const piece of pieces) {
    const end = start + piece.raw.length;
    let at = start;
    while (at < end) {
      while (index < ranges.length && (ranges[index]?.to ?? 0) <= at) index += 1;
      const range = ranges[index];
      const inside = range !== undefined && range.from <= at;
      const next = Math.min(end, inside ? range.to : (range?.from ?? end));
      const part = { ...piece, raw: piece.raw.slice(at - start, next - start) };
      cut.push(inside ? change(part) : part);
      at = next;
    }
    start = end;
  }
  return cut;
}
