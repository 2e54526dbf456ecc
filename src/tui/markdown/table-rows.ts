import type { Tokens } from 'marked';
import { hangingRows } from '../text/hanging-rows.ts';
import { rowCells } from '../text/cut-row.ts';
import { own } from '../text/span.ts';
import type { Row, Span } from '../text/span.ts';
import { inlineSpans } from './inline-spans.ts';

const GAP = 2;

/** A table in columns where it fits, else each of its rows as lines of `heading: cell`. */
export function tableRows(
  { header, rows }: Pick<Tokens.Table, 'header' | 'rows'>,
  { margin, width }: { readonly margin: Row; readonly width: number },
): Row[] {
  const titles = header.map(({ tokens }) => inlineSpans(tokens, 'strong'));
  const cells = rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens)));
  const widths = titles.map((title, column) =>
    Math.max(rowCells(title), ...cells.map((row) => rowCells(row[column] ?? []))),
  );
  const total = rowCells(margin) + widths.reduce((sum, cell) => sum + cell + GAP, 0);
  if (total > width) return cells.flatMap((row, index) => stacked(titles, row, index, { margin, width }));
  const line = (row: readonly (readonly Span[])[]): Row => [
    ...margin,
    ...row.flatMap((cell, column) => [...cell, own(' '.repeat((widths[column] ?? 0) - rowCells(cell) + GAP))]),
  ];
  const rule = [...margin, own(widths.map((cell) => '─'.repeat(cell)).join(' '.repeat(GAP)), 'dim')];
  return [line(titles), rule, ...cells.map(line)];
}

function stacked(
  titles: readonly (readonly Span[])[],
  row: readonly (readonly Span[])[],
  index: number,
  { margin, width }: { readonly margin: Row; readonly width: number },
): Row[] {
  const rest = [...margin, own(' '.repeat(GAP))];
  const lines = row.flatMap((cell, column) =>
    hangingRows(
      [...(titles[column] ?? []), own(': ', 'dim'), ...cell],
      { first: margin, rest, breakAt: 'blank' },
      // Rows that go on begin further in than the first.
      width - GAP,
    ),
  );
  return index === 0 ? lines : [margin, ...lines];
}
