import { appendItem } from './item.ts';
import type { ItemBody } from './item.ts';
import { safeLine } from './safe-text.ts';
import type { ViewState } from './view-state.ts';

/** Appends an item to the scrollback. */
export function say(view: ViewState, body: ItemBody): ViewState {
  return { ...view, items: appendItem(view.items, view.lastKind, body), lastKind: body.kind };
}

export function note(level: 'info' | 'warn', text: string): ItemBody {
  return { kind: 'note', level, text: safeLine(text) };
}
