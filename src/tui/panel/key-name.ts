import type { KeyAction } from '../keymap/key-action.ts';

/** The name of a key in the tables of panels: `down`, `escape`, `page-up`; a typed letter is its own name. */
export function keyName(action: KeyAction): string {
  if (action.kind === 'page') return action.step === 1 ? 'page-down' : 'page-up';
  if (action.kind !== 'edit') return action.kind;
  return action.edit.kind === 'insert' ? action.edit.text : action.edit.kind;
}

/** The line typed in a panel after a key; null if the key types nothing. */
export function typedLine(line: string, action: KeyAction): string | null {
  if (action.kind !== 'edit') return null;
  const { edit } = action;
  if (edit.kind === 'insert' || edit.kind === 'paste') return line + edit.text.replace(/\s+/gu, ' ');
  if (edit.kind === 'erase-back') return [...line].slice(0, -1).join('');
  return edit.kind === 'erase-word' || edit.kind === 'erase-to-start' ? '' : null;
}
