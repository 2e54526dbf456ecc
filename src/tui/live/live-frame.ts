import { assertNever } from '../../lib/assert-never.ts';
import { formatElapsed } from '../store/format-amount.ts';
import { promptLabel } from '../composer/layout-prompt.ts';
import { liveRegion, statusLine } from '../store/live-rows.ts';
import type { LiveRow } from '../store/live-row.ts';
import type { Size } from '../store/live-rows.ts';
import type { ViewState } from '../store/view-state.ts';
import { cutRow, rowCells } from '../text/cut-row.ts';
import { own } from '../text/span.ts';
import type { Row, Span } from '../text/span.ts';

/** The live region as it is drawn: each row is one row of the terminal. */
export interface LiveFrame {
  readonly rows: readonly Row[];
  /** Row and column in cells. */
  readonly cursor: { readonly row: number; readonly column: number };
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** The live region: current calls, the text being written, the prompt, the meter. Pure; `tick` counts the steps of the animation. */
export function liveFrame(view: ViewState, size: Size, { tick, nowMs }: { tick: number; nowMs: number }): LiveFrame {
  const { rows, prompt, showStatus } = liveRegion(view, size, nowMs);
  const prefix = promptLabel(view);
  const parked = isParked(view);
  const entered = prompt.rows.map((row, index): Row => {
    if (index > 0 || !row.startsWith(prefix)) return [{ text: row, role: 'plain' }];
    return [own(prefix, 'accent'), parked ? own(' ', 'cursor') : own(row.slice(prefix.length))];
  });
  const status = showStatus ? [[{ text: statusLine(view, nowMs, size.columns), role: 'dim' } satisfies Span]] : [];
  const drawn = [...rows.map((row) => spansOf(row, tick, nowMs)), ...entered, ...status];
  return {
    rows: drawn.map((row) => cutRow(row, size.columns)),
    cursor: parked ? { row: 0, column: 0 } : { row: rows.length + prompt.cursor.row, column: prompt.cursor.column },
  };
}

/**
 * While a run draws and nothing is typed, the cursor waits at the beginning of the region, and a cell of the prompt represents it. A terminal that
 * becomes narrower wraps rows again, and then only the rows above the cursor matter. Without rows above it, nothing of the region is left over in the
 * scrollback and nothing of the scrollback is erased, whenever the terminal reports the change.
 */
function isParked({ run, card, composer }: ViewState): boolean {
  return run.kind === 'running' && card === null && composer.text === '' && composer.search === null;
}

function spansOf(row: LiveRow, tick: number, nowMs: number): Row {
  const spinner = own(`  ${SPINNER[tick % SPINNER.length] ?? ''} `, 'accent');
  switch (row.kind) {
    case 'blank':
      return [];
    case 'text':
      return [{ text: row.text, role: row.role }];
    case 'tool': {
      const { tool, target, sinceMs, progress, counted } = row.tool;
      const far = [progress, counted].filter((words) => words !== null);
      return [
        spinner,
        { text: tool, role: 'strong' },
        own(`  ${formatElapsed(Math.max(0, nowMs - sinceMs))}  `, 'dim'),
        ...far.flatMap((text): Span[] => [{ text, role: 'accent' }, own('  ')]),
        { text: target, role: 'plain' },
      ];
    }
    case 'reads':
      return [own('  ✓ ', 'good'), { text: row.text, role: 'dim' }];
    case 'busy':
      return [spinner, { text: row.text, role: 'plain' }];
    case 'queued':
      return [own('  queued: ', 'dim'), { text: row.text, role: 'dim' }];
    case 'menu':
      return [
        own(row.selected ? '› ' : '  ', 'accent'),
        own(row.name.padEnd(row.nameCells), row.selected ? 'strong' : 'accent'),
        { text: row.help, role: row.selected ? 'plain' : 'dim' },
      ];
    case 'said':
    case 'hint':
    case 'review':
    case 'strip':
      return row.row;
    default:
      return assertNever(row);
  }
}

/** Whether the region has an animation or a counter. */
export function isMoving(view: ViewState): boolean {
  if (view.kernel.kind !== 'ready' || view.tools.length > 0) return true;
  return view.card === null ? view.run.kind === 'running' : view.card.deciding;
}

/** The number of additional rows above the cursor after a terminal has become this narrow and wraps its rows again. */
export function rowsAddedByWrapping({ rows, cursor }: LiveFrame, columns: number): number {
  const rowsOf = (cells: number) => Math.max(1, Math.ceil(cells / Math.max(1, columns)));
  const above = rows.slice(0, cursor.row).reduce((sum, row) => sum + rowsOf(rowCells(row)) - 1, 0);
  return above + Math.floor(cursor.column / Math.max(1, columns));
}
