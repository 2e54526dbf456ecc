import { namedImages } from '../../lib/images/image-paths.ts';
import { plural } from '../../lib/text/plural.ts';

/**
 * A long paste is one character of the typed text, so that it is moved over, erased and undone as one. The characters are of the last private plane;
 * they are removed from typed or pasted text.
 */
const FIRST_MARK = 0x10_0000;
const MAX_PASTES = 0x1000;
const MARKS = /[\u{100000}-\u{100fff}]/gu;

const MAX_LINES = 8;
const MAX_CHARACTERS = 1500;

export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** Names of the files that a paste attaches; null for other text. */
export function attachedNames(text: string): readonly string[] | null {
  return /^@"[^"\n]+"(?: @"[^"\n]+")*$/.test(text)
    ? namedImages(text).map(({ path }) => path.split('/').at(-1) ?? path)
    : null;
}

export function isLongPaste(text: string): boolean {
  return text.length > MAX_CHARACTERS || text.split('\n', MAX_LINES + 1).length > MAX_LINES;
}

/** The character for the paste at this index; null if there are too many. */
export function markOf(index: number): string | null {
  return index < MAX_PASTES ? String.fromCodePoint(FIRST_MARK + index) : null;
}

/** The text with the pastes in full. */
export function unfolded(text: string, pastes: readonly string[]): string {
  return pastes.length === 0 ? text : text.replace(MARKS, (mark) => pastes[indexOf(mark)] ?? '');
}

/** The text as it is shown. */
export function folded(text: string, pastes: readonly string[]): string {
  return pastes.length === 0 ? text : text.replace(MARKS, (mark) => label(indexOf(mark), pastes));
}

/** The paste that ends at the cursor. */
export function pasteBefore(text: string, cursor: number, pastes: readonly string[]): string | null {
  const mark = /[\u{100000}-\u{100fff}]$/u.exec(text.slice(0, cursor))?.[0];
  return mark === undefined ? null : (pastes[indexOf(mark)] ?? null);
}

export const MARK_LENGTH = 2;

function indexOf(mark: string): number {
  return (mark.codePointAt(0) ?? FIRST_MARK) - FIRST_MARK;
}

function label(index: number, pastes: readonly string[]): string {
  const text = pastes[index] ?? '';
  const names = attachedNames(text);
  if (names !== null) return `[${names.length === 1 ? 'image' : 'images'} ${names.join(', ')}]`;
  const lines = text.replace(/\n$/, '').split('\n').length;
  const size = lines > 1 ? plural(lines, 'line') : plural(text.length, 'character');
  return `[paste ${index + 1}: ${size}]`;
}
