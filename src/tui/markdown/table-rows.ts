import type { Tokens } from 'marked';
import { widestCells } from '../text/cells.ts';
import { rowCells } from '../text/cut-row.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Row, Span } from '../text/span.ts';
import { inlineSpans } from './inline-spans.ts';

const GAP = 2;
/** A narrower column would break most words. */
const MIN_COLUMN = 10;

interface Place {
  readonly margin: Row;
  readonly width: number;
}
type Cell = readonly Span[];
type Align = Tokens.Table['align'][number];

/** A table in columns, with longer cells on several rows. In a terminal that is too narrow, each row becomes lines of `heading: cell`. */
export function tableRows(
  { header, rows, align }: Pick<Tokens.Table, 'header' | 'rows' | 'align'>,
  { margin, width }: Place,
): Row[] {
  const titles = header.map(({ tokens }) => inlineSpans(tokens, 'strong'));
  const cells = rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens)));
  const natural = titles.map((title, column) =>
    Math.max(1, cellsOf(title), ...cells.map((row) => cellsOf(row[column] ?? []))),
  );
  const widths = fittingWidths(natural, width - rowCells(margin) - GAP * (titles.length - 1));
  if (widths === null) return cells.flatMap((row, index) => stacked(titles, row, index, { margin, width }));
  const drawn = cells.map((row) => lines(row, widths, align, margin));
  const isTall = drawn.some(({ length }) => length > 1);
  const rule = [...margin, own(widths.map((cell) => '─'.repeat(cell)).join(' '.repeat(GAP)), 'dim')];
  const body = drawn.flatMap((row, index) => (isTall && index > 0 ? [margin, ...row] : row));
  return [...lines(titles, widths, align, margin), rule, ...body];
}

function cellsOf(cell: Cell): number {
  return widestCells(cell.map(({ text }) => text).join(''));
}

/** Columns that need less than an equal share get what they need, the others share the rest. null if that is too little. */
function fittingWidths(natural: readonly number[], room: number): readonly number[] | null {
  let left = room;
  const widths = [...natural];
  const byNeed = natural.map((cells, column) => ({ cells, column })).sort((a, b) => a.cells - b.cells);
  for (const [index, { cells, column }] of byNeed.entries()) {
    const share = Math.floor(left / (byNeed.length - index));
    if (cells > share && share < MIN_COLUMN) return null;
    widths[column] = Math.min(cells, share);
    left -= Math.min(cells, share);
  }
  return widths;
}

/** One row of a table, on as many terminal rows as its longest cell needs. */
function lines(row: readonly Cell[], widths: readonly number[], align: readonly Align[], margin: Row): Row[] {
  const columns = widths.map((width, column) =>
    hangingRows(row[column] ?? [], { first: [], rest: [], breakAt: 'blank' }, width),
  );
  const height = Math.max(1, ...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, index) => [
    ...margin,
    ...columns.flatMap((column, at) =>
      padded(column[index] ?? [], {
        width: widths[at] ?? 0,
        align: align[at] ?? null,
        isLast: at === widths.length - 1,
      }),
    ),
  ]);
}

function padded(cell: Row, { width, align, isLast }: { width: number; align: Align; isLast: boolean }): Row {
  const free = Math.max(0, width - rowCells(cell));
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  const behind = isLast ? 0 : free - before + GAP;
  return [...blanks(before), ...cell, ...blanks(behind)];
}

function blanks(count: number): Row {
  return count === 0 ? [] : [own(' '.repeat(count))];
}

function stacked(titles: readonly Cell[], row: readonly Cell[], index: number, { margin, width }: Place): Row[] {
  const rest = [...margin, own(' '.repeat(GAP))];
  const cells = row.flatMap((cell, column) =>
    hangingRows(
      [...(titles[column] ?? []), own(': ', 'dim'), ...cell],
      { first: margin, rest, breakAt: 'blank' },
      // Continuation rows have more indentation than the first row.
      width - GAP,
    ),
  );
  return index === 0 ? cells : [margin, ...cells];
}
