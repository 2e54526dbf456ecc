import {
  MARK_LENGTH,
  attachedNames,
  isLongPaste,
  markOf,
  pasteBefore,
  unfolded,
  withoutMarks,
} from './folded-paste.ts';
import { dropSearch, extendSearch, searchBack, shortenSearch } from './history-search.ts';
import type { HistorySearch } from './history-search.ts';
import { after, before, lineEnd, lineStart, placeAfter, vertical, wordStart } from './places.ts';
import type { KeyStyle } from './vim/key-styles.ts';
import { FRESH_VIM, leaveInsert } from './vim/vim-keys.ts';
import type { Vim } from './vim/vim-keys.ts';
import { typeInNormal } from './vim/type-in-normal.ts';

/** The text being typed. `cursor` counts UTF-16 units and is always between two characters. */
export interface Composer {
  readonly text: string;
  readonly cursor: number;
  /** Long pastes, each in the text as one character (`wholeText` has them in full). */
  readonly pastes: readonly string[];
  /** When the first key of this text was pressed; null while it is empty. */
  readonly sinceMs: number | null;
  /** Sent texts, oldest first. */
  readonly history: readonly string[];
  /** The last erased text of more than one character, for yank. */
  readonly killed: string;
  /** The prompt after that: an erasure that continues there is added to it. */
  readonly killLeft: Moment | null;
  /** Texts before the last changes, newest last. */
  readonly undo: readonly Moment[];
  /** The shown history entry, and the draft to return to. */
  readonly recalled: { readonly index: number; readonly draft: string } | null;
  readonly search: HistorySearch | null;
  /** null: the keys are those of a shell. */
  readonly vim: Vim | null;
}

interface Moment {
  readonly text: string;
  readonly cursor: number;
}

export type Edit =
  | { readonly kind: 'insert' | 'paste'; readonly text: string }
  /** Shows the paste before the cursor in full. */
  | { readonly kind: 'open-paste' }
  | { readonly kind: 'left' | 'right' | 'word-left' | 'word-right' | 'line-start' | 'line-end' }
  | { readonly kind: 'up' | 'down' }
  | { readonly kind: 'erase-back' | 'erase-forward' }
  | { readonly kind: 'erase-word' | 'erase-word-forward' | 'erase-to-start' | 'erase-to-end' }
  | { readonly kind: 'yank' | 'undo' }
  /** Texts sent in earlier sessions, oldest first. */
  | { readonly kind: 'remembered'; readonly texts: readonly string[] }
  /** Starts a search of sent texts; again, the next older text. Any key that edits or moves ends the search with the shown text. */
  | { readonly kind: 'search-back' | 'end-search' }
  /** Replaces the text between a position and the cursor. */
  | { readonly kind: 'fill-in'; readonly from: number; readonly text: string }
  /** A change by a key of vi. */
  | { readonly kind: 'place'; readonly text: string; readonly cursor: number; readonly killed: string }
  | { readonly kind: 'keys'; readonly keys: KeyStyle }
  /** Esc, with the keys of vi. */
  | { readonly kind: 'normal-mode' }
  | { readonly kind: 'clear' }
  /** Removes the text after it was sent. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'replace'; readonly text: string }
  /** The text stays and counts as typed now. */
  | { readonly kind: 'look-again' };

export const EMPTY_COMPOSER: Composer = {
  text: '',
  cursor: 0,
  pastes: [],
  sinceMs: null,
  history: [],
  killed: '',
  killLeft: null,
  undo: [],
  recalled: null,
  search: null,
  vim: null,
};

const MAX_UNDO = 100;

const MAX_HISTORY = 500;

export function edit(composer: Composer, change: Edit, atMs: number): Composer {
  if (change.kind === 'insert' && composer.vim?.mode === 'normal' && composer.search === null && change.text !== '\n')
    return typeInNormal(composer, composer.vim, change.text, (before, next) => edit(before, next, atMs));
  const next = keepForUndo(composer, change, applyEdit(composer, change, atMs));
  if (next.text === '') return { ...next, sinceMs: null };
  return next.sinceMs === null ? { ...next, sinceMs: atMs } : next;
}

/** Typing is undone word by word, anything else step by step. */
function keepForUndo(before: Composer, change: Edit, after: Composer): Composer {
  if (change.kind === 'sent') return { ...after, undo: [] };
  if (change.kind === 'undo' || before.text === after.text) return after;
  const isTyping = change.kind === 'insert' && /^\S$/u.test(change.text);
  if (isTyping && /\S$/u.test(before.text.slice(0, before.cursor)) && before.undo.length > 0) return after;
  return { ...after, undo: [...before.undo, { text: before.text, cursor: before.cursor }].slice(-MAX_UNDO) };
}

function applyEdit(composer: Composer, change: Edit, atMs: number): Composer {
  const { search } = composer;
  return search === null ? applyPlain(composer, change, atMs) : applyInSearch(composer, search, change, atMs);
}

function applyInSearch(composer: Composer, search: HistorySearch, change: Edit, atMs: number): Composer {
  const { kind } = change;
  if (kind === 'insert' || kind === 'paste') return extendSearch(composer, search, withoutMarks(change.text), atMs);
  if (kind === 'erase-back') return shortenSearch(composer, search, atMs);
  if (kind === 'clear') return dropSearch(composer, search);
  const goesOn = kind === 'search-back' || kind === 'remembered' || kind === 'look-again';
  return applyPlain(goesOn ? composer : { ...composer, search: null }, change, atMs);
}

function applyPlain(composer: Composer, change: Edit, atMs: number): Composer {
  const { text, cursor } = composer;
  switch (change.kind) {
    case 'insert':
      return insert(composer, withoutMarks(change.text));
    case 'paste':
      return paste(composer, withoutMarks(change.text));
    case 'open-paste': {
      const pasted = pasteBefore(text, cursor, composer.pastes);
      return pasted === null ? composer : insert(cut(composer, cursor - MARK_LENGTH, cursor), pasted);
    }
    case 'left':
    case 'right':
    case 'word-left':
    case 'word-right':
    case 'line-start':
    case 'line-end':
      return { ...composer, cursor: placeAfter(change.kind, text, cursor) };
    case 'up':
      return lineStart(text, cursor) === 0
        ? recall(composer, -1, atMs)
        : { ...composer, cursor: vertical(text, cursor, -1) };
    case 'down':
      return lineEnd(text, cursor) === text.length
        ? recall(composer, 1, atMs)
        : { ...composer, cursor: vertical(text, cursor, 1) };
    case 'erase-back':
      return cut(composer, before(text, cursor), cursor);
    case 'erase-forward':
      return cut(composer, cursor, after(text, cursor));
    case 'erase-word':
      return kill(composer, wordStart(text, cursor), cursor);
    case 'erase-word-forward':
      return kill(composer, cursor, placeAfter('word-right', text, cursor));
    case 'erase-to-start':
      return kill(composer, lineStart(text, cursor), cursor);
    case 'erase-to-end':
      return kill(composer, cursor, lineEnd(text, cursor));
    case 'yank':
      return typed(
        composer,
        text.slice(0, cursor) + composer.killed + text.slice(cursor),
        cursor + composer.killed.length,
      );
    case 'undo': {
      const last = composer.undo.at(-1);
      return last === undefined
        ? composer
        : { ...typed(composer, last.text, last.cursor), undo: composer.undo.slice(0, -1) };
    }
    case 'search-back':
      return searchBack(composer, atMs);
    case 'end-search':
      return { ...composer, search: null };
    case 'fill-in':
      return typed(
        composer,
        text.slice(0, change.from) + change.text + text.slice(cursor),
        change.from + change.text.length,
      );
    case 'remembered':
      return { ...composer, history: withEarlier(composer.history, change.texts), recalled: null };
    case 'place':
    case 'keys':
    case 'normal-mode':
      return byVim(composer, change);
    case 'clear':
      return inserting(typed(composer, '', 0));
    case 'sent':
      return {
        ...inserting(typed(composer, '', 0)),
        pastes: [],
        history: remember(composer.history, wholeText(composer)),
      };
    case 'replace':
      return { ...typed(composer, change.text, change.text.length), sinceMs: atMs };
    case 'look-again':
      return { ...composer, sinceMs: atMs };
  }
}

function byVim(composer: Composer, change: Extract<Edit, { kind: 'place' | 'keys' | 'normal-mode' }>): Composer {
  switch (change.kind) {
    case 'place': {
      const { text, cursor, killed } = change;
      return text === composer.text ? { ...composer, cursor, killed } : { ...typed(composer, text, cursor), killed };
    }
    case 'keys':
      return { ...composer, vim: change.keys === 'vim' ? FRESH_VIM : null };
    case 'normal-mode':
      return { ...composer, ...leaveInsert(composer) };
  }
}

function withEarlier(history: readonly string[], texts: readonly string[]): readonly string[] {
  // A text that was sent while the file was read may already be in it.
  const earlier = texts.at(-1) === history[0] ? texts.slice(0, -1) : texts;
  return [...earlier, ...history].slice(-MAX_HISTORY);
}

/** The typed text, with pastes in full. */
export function wholeText({ text, pastes }: Pick<Composer, 'text' | 'pastes'>): string {
  return unfolded(text, pastes);
}

function insert(composer: Composer, added: string): Composer {
  const { text, cursor } = composer;
  // An Enter on the empty line that came in one piece with the following text begins no new line.
  const kept = text === '' ? added.replace(/^\n+/, '') : added;
  return typed(composer, text.slice(0, cursor) + kept + text.slice(cursor), cursor + kept.length);
}

function paste(composer: Composer, pasted: string): Composer {
  const isImage = attachedNames(pasted) !== null;
  const mark = isImage || isLongPaste(pasted) ? markOf(composer.pastes.length) : null;
  if (mark === null) return insert(composer, pasted);
  return { ...insert(composer, isImage ? asWord(composer, mark) : mark), pastes: [...composer.pastes, pasted] };
}

/** A path is recognised only with blanks around it. */
function asWord({ text, cursor }: Composer, mark: string): string {
  return `${/\S$/.test(text.slice(0, cursor)) ? ' ' : ''}${mark} `;
}

function typed(composer: Composer, text: string, cursor: number): Composer {
  return { ...composer, text, cursor, recalled: null };
}

/** The following text is typed as text. */
function inserting(composer: Composer): Composer {
  return composer.vim === null ? composer : { ...composer, vim: FRESH_VIM };
}

function cut(composer: Composer, from: number, to: number): Composer {
  return typed(composer, composer.text.slice(0, from) + composer.text.slice(to), from);
}

/** Erased text can be put back elsewhere. Text erased in several steps is put back in one piece. */
function kill(composer: Composer, from: number, to: number): Composer {
  const { text, cursor, killLeft } = composer;
  const erased = text.slice(from, to);
  if (erased === '') return composer;
  const goesOn = killLeft?.text === text && killLeft.cursor === cursor;
  const earlier = goesOn ? composer.killed : '';
  const after = cut(composer, from, to);
  return {
    ...after,
    killed: to === cursor ? erased + earlier : earlier + erased,
    killLeft: { text: after.text, cursor: after.cursor },
  };
}

function remember(history: readonly string[], text: string): readonly string[] {
  if (text.trim() === '' || history.at(-1) === text) return history;
  return [...history, text].slice(-MAX_HISTORY);
}

function recall(composer: Composer, step: -1 | 1, atMs: number): Composer {
  const { history, recalled } = composer;
  const index = (recalled?.index ?? history.length) + step;
  if (index < 0 || index > history.length || (recalled === null && step === 1)) return composer;
  const draft = recalled?.draft ?? composer.text;
  const text = index === history.length ? draft : (history[index] ?? '');
  const kept = index === history.length ? null : { index, draft };
  return { ...composer, text, cursor: text.length, recalled: kept, sinceMs: atMs };
}
