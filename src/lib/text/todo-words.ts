import type { TodoItem } from '../../contracts/session/todo.ts';
import { oneLine } from './one-line.ts';

const MAX_STEP = 200;
const MARKS: Readonly<Record<TodoItem['state'], string>> = { done: '[x]', doing: '[>]', open: '[ ]' };

/** A list of steps, one line each. */
export function todoLines(items: readonly TodoItem[]): readonly string[] {
  return items.map(({ state, text }) => `${MARKS[state]} ${oneLine(text, MAX_STEP)}`);
}

/** The progress of the list, in a few words; null for an empty list. */
export function todoProgress(items: readonly TodoItem[]): string | null {
  if (items.length === 0) return null;
  const done = items.filter(({ state }) => state === 'done').length;
  const current = items.find(({ state }) => state === 'doing') ?? items.find(({ state }) => state === 'open');
  return `${done}/${items.length} ${current === undefined ? 'done' : oneLine(current.text, MAX_STEP)}`;
}
