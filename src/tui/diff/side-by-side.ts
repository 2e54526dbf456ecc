import { widestCells } from '../text/cells.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { RawPiece, Row } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import { SIGNS } from './line-signs.ts';
import type { DiffFile, DiffLine } from './read-diff.ts';

/** Minimum width for two columns of code. */
const SIDE_BY_SIDE_FROM = 140;
/** No terminal is wider. Output without a width limit is for a file or a pipe, one line below the other. */
const WIDEST_TERMINAL = 10_000;

/** For a file with lines on only one side, half of the terminal would be empty. */
export function isSideBySide({ added, removed }: DiffFile, width: number): boolean {
  const isTwoWide = width >= SIDE_BY_SIDE_FROM && width <= WIDEST_TERMINAL;
  return isTwoWide && added > 0 && removed > 0;
}

interface Line {
  readonly line: DiffLine;
  readonly pieces: readonly RawPiece[];
}

interface Columns {
  readonly edge: Row;
  readonly width: number;
  readonly digits: number;
}

/**
 * Lines of a hunk, the old file at the left and the new one at the right, with replaced lines beside each other. Both sides have their own number,
 * sign and continuation mark on every row, so that no text reaches the column in which the other side begins.
 */
export function sideBySideRows(lines: readonly Line[], columns: Columns): Row[] {
  return pairsOf(lines).flatMap(([old, fresh]) => pairRows(old, fresh, columns));
}

type Pair = readonly [old: Line | null, fresh: Line | null];

function pairsOf(lines: readonly Line[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      pairs.push([removed[at] ?? null, added[at] ?? null]);
    removed = [];
    added = [];
  };
  for (const each of lines) {
    if (each.line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(each);
    } else if (each.line.kind === 'added') added.push(each);
    else {
      flush();
      pairs.push([asInOldFile(each), each]);
    }
  }
  flush();
  return pairs;
}

/** A line of both files has a number in each. */
function asInOldFile({ line, pieces }: Line): Line {
  return { line: { ...line, number: line.oldNumber ?? line.number }, pieces };
}

const BETWEEN = own(' │ ', 'dim');

function pairRows(old: Line | null, fresh: Line | null, { edge, width, digits }: Columns): Row[] {
  const half = Math.floor((width - rowWidth(edge) - rowWidth([BETWEEN])) / 2);
  const left = cellRows(old, digits, half);
  const right = cellRows(fresh, digits, half);
  const nothing = [own(`${'⋯'.padStart(digits)}   `, 'dim')];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...edge,
    // Not blank if only the right side has a line: its text would be the first of its row.
    ...padded(left[index] ?? nothing, half),
    BETWEEN,
    ...(right[index] ?? []),
  ]);
}

function cellRows(side: Line | null, digits: number, width: number): Row[] {
  if (side === null) return [];
  const { sign, role, ground } = SIGNS[side.line.kind];
  const margin = (number: string): Row => [
    { ...own(`${number.padStart(digits)} `, 'dim'), ground },
    { ...own(`${sign} `, role), ground },
  ];
  const first = margin(String(side.line.number ?? ''));
  return hangingRows(spellOut(side.pieces), { first, rest: margin('↪'), breakAt: 'character' }, width);
}

function padded(row: Row, width: number): Row {
  return [...row, own(' '.repeat(Math.max(0, width - rowWidth(row))))];
}

/** The maximum width in any terminal: if the left side were wider than counted, the right one would be pushed over the edge. */
function rowWidth(row: Row): number {
  return row.reduce((sum, { text }) => sum + widestCells(text), 0);
}
