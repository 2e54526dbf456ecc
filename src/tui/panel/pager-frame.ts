import type { LiveFrame } from '../live/live-frame.ts';
import type { Size } from '../store/live-rows.ts';
import { exactLine } from '../store/safe-text.ts';
import { cutRow, rowCells } from '../text/cut-row.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import type { PagerPosition } from './pager-position.ts';

/** Title and keys. */
const CHROME_ROWS = 2;
const MAX_SHARE = 0.8;
const MIN_ROWS = 4;

/** Rows of a page that a terminal of this size shows: never all of it, so that nothing has to be cleared. */
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

/** A pager as it is drawn. The cursor is where something is typed, else at the end of the last row. */
export function pagerFrame(view: PagerView, at: PagerPosition, size: Size): LiveFrame {
  const height = pagerHeight(size);
  const shown = view.rows.slice(at.top, at.top + height);
  const place = view.pageCount > 1 ? `${view.noun} ${at.page + 1} of ${view.pageCount}  ` : '';
  const rows = [
    [own('╭ ', 'dim'), own(place, 'dim'), ...view.title],
    ...shown.map((row, index) => (at.top + index === at.found ? [own('▸', 'warn'), ...withoutEdge(row)] : row)),
    at.typing
      ? [own('╰ /', 'accent'), { text: exactLine(at.query), role: 'plain' } as const]
      : keysRow(view, at, height),
  ].map((row) => cutRow(row, size.columns));
  const last = rows.length - 1;
  return { rows, cursor: { row: last, column: Math.min(size.columns - 1, rowCells(rows[last] ?? [])) } };
}

function keysRow({ rows, noun, pageCount, waits }: PagerView, at: PagerPosition, height: number): Row {
  const end = Math.min(rows.length, at.top + height);
  const range = rows.length > height ? `${at.top + 1}-${end} of ${rows.length} · ` : '';
  const missing = at.query !== '' && at.found === null ? 'not found · ' : '';
  const turning = pageCount > 1 ? `←→ other ${noun}s · ` : '';
  const next = at.found === null ? '' : 'n N next · ';
  return [
    own('╰ ', 'dim'),
    own(missing, 'warn'),
    own(`${range}${turning}/ search · ${next}esc closes`, 'dim'),
    ...(waits ? [own(' · a review waits', 'strong')] : []),
  ];
}

/** Its mark takes the place of the edge's first cell. */
function withoutEdge([edge, ...rest]: Row): Row {
  return edge === undefined ? rest : [{ ...edge, text: exactLine(edge.text.slice(1)) }, ...rest];
}
