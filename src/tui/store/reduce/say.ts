import { appendItem } from '../item.ts';
import type { ItemBody } from '../item.ts';
import { safeLine } from '../safe-text.ts';
import type { FinishedRead, ViewState } from '../view-state.ts';

/** Appends an item to the scrollback. Pending reads are appended before it. */
export function say(view: ViewState, body: ItemBody): ViewState {
  return append(endReads(view), body);
}

/** Appends the pending reads to the scrollback as one line. */
export function endReads(view: ViewState): ViewState {
  const folded = foldReads(view.reads);
  return folded === null ? view : append({ ...view, reads: [] }, folded);
}

/** One line for several reads; a single read keeps its own line. null without reads. */
export function foldReads(reads: readonly FinishedRead[]): ItemBody | null {
  const [only] = reads;
  if (only === undefined) return null;
  if (reads.length === 1) return only.line;
  const durationMs = reads.reduce((sum, read) => sum + read.durationMs, 0);
  return { kind: 'reads', names: reads.map(({ name }) => name), durationMs };
}

export function note(level: 'info' | 'warn', text: string): ItemBody {
  return { kind: 'note', level, text: safeLine(text) };
}

function append(view: ViewState, body: ItemBody): ViewState {
  return { ...view, items: appendItem(view.items, view.lastKind, body), lastKind: body.kind };
}
