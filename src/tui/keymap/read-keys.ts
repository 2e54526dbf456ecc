import type { Key } from 'ink';
import { ownValue } from '../../lib/own-value.ts';
import type { Edit } from '../composer/composer.ts';
import { attached, droppedImages } from '../../lib/images/image-paths.ts';
import type { KeyStyle } from '../composer/vim/key-styles.ts';
import { DEFAULT_BINDINGS } from './bindings.ts';
import type { Bindings } from './bindings.ts';
import type { KeyAction } from './key-action.ts';

/** Ctrl-_, which terminals also send for Ctrl-/. */
const UNDO_CODE = 0x1f;

const INTERRUPT: KeyAction = { kind: 'interrupt' };
const ESCAPE: KeyAction = { kind: 'escape' };

/** One piece of input from Ink: a key, or characters that arrived together. */
export function readKeys(
  input: string,
  key: Key,
  bindings: Bindings = DEFAULT_BINDINGS,
  style: KeyStyle = 'emacs',
): readonly KeyAction[] {
  // A terminal without the kitty protocol does not send keys with Super.
  if (key.eventType === 'release' || key.super || key.hyper) return [];
  if (key.return) return key.meta || key.shift ? [typed('\n')] : [{ kind: 'submit' }];
  const edit = editOf(key);
  if (edit !== null) return [{ kind: 'edit', edit }];
  if (key.tab) return [{ kind: key.shift ? 'next-mode' : 'complete' }];
  if (key.ctrl) return withControl(input, bindings);
  if (key.escape) return isTwoEscapes(key) ? [ESCAPE, ESCAPE] : [ESCAPE];
  if (key.pageUp || key.pageDown) return [{ kind: 'page', step: key.pageUp ? -1 : 1 }];
  if (key.meta) return withAlt(input, bindings, style);
  return readCharacters(input, bindings);
}

/** Two quick Esc in one piece look like Esc with Alt. Only the kitty protocol distinguishes them. */
function isTwoEscapes({ meta, eventType }: Key): boolean {
  return meta && eventType === undefined;
}

/** Pasted paths of images attach them. Other pasted text is inserted without control characters and never submits. A long text is folded. */
export function readPaste(text: string): readonly KeyAction[] {
  const kept = keepText(text);
  // A terminal pastes no text if the clipboard contains an image.
  if (text === '') return [{ kind: 'paste-image' }];
  const images = droppedImages(kept);
  if (images !== null) return [{ kind: 'edit', edit: { kind: 'paste', text: attached(images) } }];
  return kept === '' ? [] : [{ kind: 'edit', edit: { kind: 'paste', text: kept } }];
}

function editOf(key: Key): Edit | null {
  if (key.backspace) return { kind: key.meta || key.ctrl ? 'erase-word' : 'erase-back' };
  if (key.delete) return { kind: 'erase-forward' };
  if (key.leftArrow) return { kind: key.ctrl || key.meta ? 'word-left' : 'left' };
  if (key.rightArrow) return { kind: key.ctrl || key.meta ? 'word-right' : 'right' };
  if (key.upArrow) return { kind: 'up' };
  if (key.downArrow) return { kind: 'down' };
  if (key.home) return { kind: 'line-start' };
  if (key.end) return { kind: 'line-end' };
  return null;
}

/** A line break with text behind it. */
const LINES = /[\r\n]\t*\P{Cc}/u;

/**
 * Characters that arrive in one piece, because they were typed quickly or the connection is slow; keys among them have their usual meaning. Only in
 * several lines, carriage returns followed by text and tabs are not keys: they come from a terminal that does not mark pastes, and a paste must not
 * submit line by line.
 */
function readCharacters(input: string, bindings: Bindings): readonly KeyAction[] {
  const piecesOf = LINES.test(input) ? /\r\n?|[^\P{Cc}\r\n\t]|[\P{Cc}\n\t]+/gu : /\r\n?|[^\P{Cc}\r\n]|[\P{Cc}\n]+/gu;
  const pieces = input.match(piecesOf) ?? [];
  return pieces.flatMap((piece, index): readonly KeyAction[] => {
    if (piece.startsWith('\r')) return [isText(pieces[index + 1]) ? typed('\n') : { kind: 'submit' }];
    if (piece === '\t') return [{ kind: 'complete' }];
    if (isText(piece)) return [typed(piece)];
    const code = piece.charCodeAt(0);
    return withControl(code === UNDO_CODE ? '_' : String.fromCharCode(code + 96), bindings);
  });
}

/** What terminals without the kitty protocol send for some keys with Ctrl: other keys, or Ctrl-_. */
const SAME_WITH_CONTROL: Readonly<Record<string, KeyAction>> = {
  h: { kind: 'edit', edit: { kind: 'erase-back' } },
  i: { kind: 'complete' },
  j: typed('\n'),
  m: { kind: 'submit' },
  '[': ESCAPE,
  3: ESCAPE,
  8: { kind: 'edit', edit: { kind: 'erase-back' } },
  '?': { kind: 'edit', edit: { kind: 'erase-back' } },
};
const SAME_AS_UNDERSCORE = ['-', '/', '7'];

function withControl(key: string, bindings: Bindings): readonly KeyAction[] {
  const same = ownValue(SAME_WITH_CONTROL, key);
  if (same !== undefined) return [same];
  const letter = SAME_AS_UNDERSCORE.includes(key) ? '_' : key;
  return letter === 'c' ? [INTERRUPT] : bound(`ctrl-${letter}`, bindings);
}

/** For Alt terminals send Esc and then the letter. With vi keys, a combination without another meaning counts as both keys, typed quickly. */
function withAlt(letter: string, bindings: Bindings, style: KeyStyle): readonly KeyAction[] {
  const actions = bound(`alt-${letter}`, bindings);
  return actions.length > 0 || style !== 'vim' ? actions : [{ kind: 'escape' }, ...readCharacters(letter, bindings)];
}

function bound(key: string, { actions }: Bindings): readonly KeyAction[] {
  const action = actions.get(key);
  return action === undefined ? [] : [action];
}

function isText(piece: string | undefined): boolean {
  return piece !== undefined && /^[\P{Cc}\n\t]/u.test(piece);
}

function keepText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}

function typed(text: string): KeyAction {
  return { kind: 'edit', edit: { kind: 'insert', text } };
}
