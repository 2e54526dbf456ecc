import stringWidth from 'string-width';
import type { SessionMode } from '../../contracts/session/workflow-states.ts';
import type { Composer } from './composer.ts';
import { folded } from './folded-paste.ts';
import { promptState } from './prompt-state.ts';
import { exactLine } from '../store/safe-text.ts';
import type { SafeText } from '../store/safe-text.ts';
import type { ViewState } from '../store/view-state.ts';
import { wrapRows } from '../store/wrap-rows.ts';

export interface PromptLayout {
  readonly rows: readonly SafeText[];
  /** Cursor position: index into `rows`, and column in cells. */
  readonly cursor: { readonly row: number; readonly column: number };
}

const INDENT = '  ';

const LONGEST_QUERY = 24;

/** The text before the prompt: mode and state, or the current search. */
export function promptLabel(view: Pick<ViewState, 'mode' | 'state' | 'composer' | 'kernel' | 'run'>): string {
  const { search } = view.composer;
  if (search === null) return promptPrefix(view.mode, promptState(view));
  const query = exactLine(search.query);
  const shown = query.length > LONGEST_QUERY ? `…${query.slice(1 - LONGEST_QUERY)}` : query;
  return `${search.failed ? 'nothing more with' : 'search'} "${shown}": `;
}

export function promptPrefix(mode: SessionMode, state: string): string {
  return `[${mode}] [${state}] > `;
}

/**
 * The prompt with the typed text, cut into rows that fit; at most `maxRows` of them, around the cursor. Only the lines near the cursor are processed,
 * so that a long paste costs no more than a short one.
 */
export function layoutPrompt(prefix: string, composer: Composer, columns: number, maxRows: number): PromptLayout {
  const lines = composer.text.split('\n');
  const { line, column } = positionOf(composer);
  const shown = (text: string) => exactLine(folded(text, composer.pastes));
  const first = Math.max(0, line - maxRows);
  const rows: string[] = [];
  const cursor = { row: 0, column: 0 };
  for (let index = first; index < Math.min(lines.length, line + maxRows + 1); index += 1) {
    const raw = lines[index] ?? '';
    const head = index === 0 ? prefix : '';
    const wrapped = wrapRows(head + shown(raw), columns - INDENT.length - 1);
    if (index === line) {
      const at = head.length + shown(raw.slice(0, column)).length;
      const within = Math.max(
        0,
        wrapped.findLastIndex((row) => row.start <= at),
      );
      const row = wrapped[within] ?? { start: 0, text: '' };
      const indent = index === 0 && within === 0 ? 0 : INDENT.length;
      cursor.row = rows.length + within;
      cursor.column = indent + stringWidth(row.text.slice(0, at - row.start));
    }
    rows.push(...wrapped.map((row, within) => (index === 0 && within === 0 ? row.text : INDENT + row.text)));
  }
  const top = Math.max(0, Math.min(cursor.row - Math.floor(maxRows / 2), rows.length - maxRows));
  return {
    rows: rows.slice(top, top + maxRows).map((row) => row as SafeText),
    cursor: { row: cursor.row - top, column: cursor.column },
  };
}

function positionOf({ text, cursor }: Composer): { line: number; column: number } {
  const before = text.slice(0, cursor);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length - 1, column: cursor - lastBreak - 1 };
}
