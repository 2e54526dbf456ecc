import type { LiveFrame } from '../live/live-frame.ts';
import type { Size } from '../store/live-rows.ts';
import { fitParts } from '../store/fit-parts.ts';
import { exactLine } from '../store/safe-text.ts';
import { cutRow, rowCells } from '../text/cut-row.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import type { PagerPosition } from './pager-position.ts';

/** Title and keys. */
const CHROME_ROWS = 2;
const MAX_SHARE = 0.8;
const MIN_ROWS = 4;
const BEGIN = '╰ ';

/** Rows of a page in a terminal of this size; fewer than the terminal has, so that the screen never has to be cleared. */
export function pagerHeight({ rows }: Size): number {
  return Math.max(MIN_ROWS, Math.floor(rows * MAX_SHARE) - CHROME_ROWS);
}

export interface PagerView {
  readonly title: Row;
  readonly rows: readonly Row[];
  readonly noun: string;
  readonly pageCount: number;
  /** A review waits: it can be decided when the pager is closed. */
  readonly waits: boolean;
}

/** A pager as it is drawn. The cursor is at the typed text, or else at the end of the last row. */
export function pagerFrame(view: PagerView, at: PagerPosition, size: Size): LiveFrame {
  const height = pagerHeight(size);
  const shown = view.rows.slice(at.top, at.top + height);
  const place = view.pageCount > 1 ? `${view.noun} ${at.page + 1} of ${view.pageCount}  ` : '';
  const rows = [
    [own('╭ ', 'dim'), own(place, 'dim'), ...view.title],
    ...shown.map((row, index) => (at.top + index === at.found ? [own('▸', 'warn'), ...withoutEdge(row)] : row)),
    at.typing
      ? [own('╰ /', 'accent'), { text: exactLine(at.query), role: 'plain' } as const]
      : keysRow(view, at, { height, columns: size.columns }),
  ].map((row) => cutRow(row, size.columns));
  const last = rows.length - 1;
  return { rows, cursor: { row: last, column: Math.min(size.columns - 1, rowCells(rows[last] ?? [])) } };
}

function keysRow(
  { rows, noun, pageCount, waits }: PagerView,
  at: PagerPosition,
  { height, columns }: { readonly height: number; readonly columns: number },
): Row {
  const end = Math.min(rows.length, at.top + height);
  const missing = at.query !== '' && at.found === null ? 'not found · ' : '';
  const waiting = waits ? ' · a review waits' : '';
  const keys = fitParts(
    [
      { text: rows.length > height ? `${at.top + 1}-${end} of ${rows.length}` : '', weight: 3 },
      { text: pageCount > 1 ? `←→ other ${noun}s` : '', weight: 4 },
      { text: '/ search', weight: 1 },
      { text: at.found === null ? '' : 'n N next', weight: 2 },
      { text: 'esc closes', weight: 5 },
    ],
    columns - BEGIN.length - missing.length - waiting.length,
  );
  return [own(BEGIN, 'dim'), own(missing, 'warn'), own(keys, 'dim'), own(waiting, 'strong')];
}

/** Its mark replaces the first cell of the edge. */
function withoutEdge([edge, ...rest]: Row): Row {
  return edge === undefined ? rest : [{ ...edge, text: exactLine(edge.text.slice(1)) }, ...rest];
}
