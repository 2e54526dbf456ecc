/** A change that `.` repeats: its keys in normal mode, and the text typed in insert mode after them. */
interface Change {
  readonly keys: string;
  readonly typed: string;
}

interface Prompt {
  readonly text: string;
  readonly cursor: number;
}

export interface Repeat {
  /** null: nothing can be repeated. */
  readonly last: Change | null;
  /** The change that started insert mode, with the prompt at that time. */
  readonly open: (Prompt & { readonly keys: string }) | null;
}

export const NOTHING_TO_REPEAT: Repeat = { last: null, open: null };

const UNDO = /^\d*u$/;

/** After the keys of a command in normal mode. Pure. */
export function afterKeys(
  repeat: Repeat,
  { keys, before, after, mode }: { keys: string; before: Prompt; after: Prompt; mode: 'insert' | 'normal' },
): Repeat {
  if (mode === 'insert') return { last: repeat.last, open: { keys, text: after.text, cursor: after.cursor } };
  return before.text === after.text || UNDO.test(keys) ? repeat : { last: { keys, typed: '' }, open: null };
}

/** After Esc. An edit that did more than insert a text in one place cannot be repeated. Pure. */
export function afterInsert({ last, open }: Repeat, { text }: Prompt): Repeat {
  if (open === null) return { last, open };
  const head = open.text.slice(0, open.cursor);
  const tail = open.text.slice(open.cursor);
  const isInserted = text.length >= open.text.length && text.startsWith(head) && text.endsWith(tail);
  const typed = text.slice(head.length, text.length - tail.length);
  return { last: isInserted ? { keys: open.keys, typed } : null, open: null };
}
