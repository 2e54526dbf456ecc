import { charactersOf, firstText, lineEnd, lineStart, moveBy } from './motions.ts';
import type { Characters } from './motions.ts';
import { afterInsert, NOTHING_TO_REPEAT } from './repeat.ts';
import type { Repeat } from './repeat.ts';
import { textObject } from './text-objects.ts';

/** The vi state of a prompt. */
export interface Vim {
  readonly mode: 'insert' | 'normal';
  /** Keys of an incomplete command. */
  readonly pending: string;
  /** What `.` repeats. */
  readonly repeat: Repeat;
}

export const FRESH_VIM: Vim = { mode: 'insert', pending: '', repeat: NOTHING_TO_REPEAT };

interface Prompt {
  readonly text: string;
  /** In UTF-16 units, as in the composer. */
  readonly cursor: number;
  /** The last erased or yanked text; whole lines end in a line feed. */
  readonly killed: string;
}

/** The effect of a key in normal mode on the prompt. */
export type VimEdit = ({ readonly kind: 'place' } & Prompt) | { readonly kind: 'undo' | 'up' | 'down' };

export interface VimStep {
  readonly vim: Omit<Vim, 'repeat'>;
  readonly edits: readonly VimEdit[];
}

const COUNT = '([1-9]\\d*)?';
const MOTION = '(?:[hlwWbBeE0^$jkG ]|gg|[fFtT].)';
const COMMAND = new RegExp(`^${COUNT}([xXsSDCYpPuiaIAoO~]|r.)$`, 'su');
const MOVE = new RegExp(`^${COUNT}(${MOTION})$`, 'su');
const OPERATOR = new RegExp(`^${COUNT}([dcy])${COUNT}(\\2|[ia].|${MOTION})$`, 'su');
const BEGUN = new RegExp(`^${COUNT}(?:[fFtTgr]|[dcy]${COUNT}(?:[fFtTgia])?)?$`, 'u');

/** More repetitions make no difference. */
const MAX_COUNT = 100_000;

/** A key in normal mode. Pure. */
export function vimKey({ pending }: Pick<Vim, 'pending'>, prompt: Prompt, key: string): VimStep {
  const keys = pending + key;
  const done = commandOf(keys, prompt) ?? movedBy(keys, prompt) ?? operated(keys, prompt);
  if (done !== null) return done;
  return normal(BEGUN.test(keys) ? keys : '');
}

/** Esc: from now on the cursor is on a character and not after it. */
export function leaveInsert({ text, cursor, vim }: Pick<Prompt, 'text' | 'cursor'> & { readonly vim: Vim | null }): {
  vim: Vim;
  cursor: number;
} {
  const characters = charactersOf(text);
  const at = indexOf(characters, cursor);
  const before = Math.max(lineStart(characters, at), at - 1);
  const repeat = afterInsert(vim?.repeat ?? NOTHING_TO_REPEAT, { text, cursor });
  return { vim: { mode: 'normal', pending: '', repeat }, cursor: unitOf(characters, before, text) };
}

function normal(pending: string, edits: readonly VimEdit[] = []): VimStep {
  return { vim: { mode: 'normal', pending }, edits };
}

function indexOf(characters: Characters, cursor: number): number {
  const index = characters.findIndex(({ at }) => at >= cursor);
  return index === -1 ? characters.length : index;
}

function unitOf(characters: Characters, index: number, text: string): number {
  return characters[index]?.at ?? text.length;
}

/** In normal mode the cursor is on a character, unless its line is empty. */
function placed(prompt: Prompt, characters: Characters, index: number): VimStep {
  const last = Math.max(lineStart(characters, index), lineEnd(characters, index) - 1);
  return normal('', [{ ...prompt, kind: 'place', cursor: unitOf(characters, Math.min(index, last), prompt.text) }]);
}

function inserting(prompt: Prompt): VimStep {
  return { vim: FRESH_VIM, edits: [{ ...prompt, kind: 'place' }] };
}

function countOf(...counts: readonly (string | undefined)[]): number {
  return Math.min(
    MAX_COUNT,
    counts.reduce((product, count) => product * Number(count ?? 1), 1),
  );
}

function movedBy(keys: string, prompt: Prompt): VimStep | null {
  const [whole, count, motion = ''] = MOVE.exec(keys) ?? [];
  if (whole === undefined) return null;
  if (motion === 'j' || motion === 'k') {
    const edit: VimEdit = { kind: motion === 'j' ? 'down' : 'up' };
    return normal('', Array<VimEdit>(Math.min(countOf(count), 100)).fill(edit));
  }
  const characters = charactersOf(prompt.text);
  const moved = moveBy(characters, indexOf(characters, prompt.cursor), motion, countOf(count));
  if (moved === null) return normal('');
  if (motion === 'G') return placed(prompt, characters, lineStart(characters, characters.length));
  return placed(prompt, characters, moved.to);
}

type Operator = 'd' | 'c' | 'y';

interface Taken {
  readonly from: number;
  readonly to: number;
  readonly lines: boolean;
}

function operated(keys: string, prompt: Prompt): VimStep | null {
  const [whole, first, operator, second, target = ''] = OPERATOR.exec(keys) ?? [];
  if (whole === undefined) return null;
  const characters = charactersOf(prompt.text);
  const at = indexOf(characters, prompt.cursor);
  const taken = takenBy(characters, at, { operator: operator as Operator, target, count: countOf(first, second) });
  return taken === null ? normal('') : operate(operator as Operator, prompt, characters, taken);
}

function takenBy(
  characters: Characters,
  at: number,
  { operator, target, count }: { operator: Operator; target: string; count: number },
): Taken | null {
  if (target === operator) {
    const last = moveBy(characters, at, 'j', count - 1)?.to ?? at;
    return { from: lineStart(characters, at), to: lineEnd(characters, last), lines: true };
  }
  if (/^[ia]/.test(target)) {
    const range = textObject(characters, at, target);
    return range === null ? null : { ...range, lines: false };
  }
  // As in vi: changing a word keeps the blank after it.
  const isWord = operator === 'c' && /^[wW]$/.test(target) && !/^\s/u.test(characters[at]?.text ?? ' ');
  const motion = moveBy(characters, at, isWord ? target.replace('w', 'e').replace('W', 'E') : target, count);
  if (motion === null) return null;
  const [from, to] = motion.to < at ? [motion.to, at] : [at, motion.to];
  if (motion.takes === 'lines') return { from: lineStart(characters, from), to: lineEnd(characters, to), lines: true };
  return { from, to: motion.takes === 'with' ? Math.min(to + 1, characters.length) : to, lines: false };
}

function operate(operator: Operator, prompt: Prompt, characters: Characters, { from, to, lines }: Taken): VimStep {
  const { text } = prompt;
  const [start, end] = [unitOf(characters, from, text), unitOf(characters, to, text)];
  const killed = text.slice(start, end) + (lines ? '\n' : '');
  if (killed === '') return operator === 'c' ? inserting({ ...prompt, cursor: start }) : normal('');
  if (operator === 'y')
    return placed({ ...prompt, killed }, characters, lines ? indexOf(characters, prompt.cursor) : from);
  if (operator === 'c') return inserting({ text: text.slice(0, start) + text.slice(end), cursor: start, killed });
  // A line is removed with the line feed after it, the last one with the line feed before it.
  const before = lines && end === text.length && start > 0 ? start - 1 : start;
  const left = text.slice(0, before) + text.slice(lines ? end + 1 : end);
  const rest = charactersOf(left);
  const at = indexOf(rest, Math.min(before, left.length));
  return placed({ text: left, cursor: 0, killed }, rest, lines ? firstText(rest, at) : at);
}

function commandOf(keys: string, prompt: Prompt): VimStep | null {
  const [whole, given, command = ''] = COMMAND.exec(keys) ?? [];
  if (whole === undefined) return null;
  const count = countOf(given);
  const again = (equal: string): VimStep => operated(`${count}${equal}`, prompt) ?? normal('');
  switch (command) {
    case 'x':
      return again('dl');
    case 'X':
      return again('dh');
    case 's':
      return again('cl');
    case 'S':
      return again('cc');
    case 'D':
      return again('d$');
    case 'C':
      return again('c$');
    case 'Y':
      return again('yy');
    case 'u':
      return normal('', Array<VimEdit>(Math.min(count, 100)).fill({ kind: 'undo' }));
    case 'p':
    case 'P':
      return put(prompt, command === 'P', count);
    case '~':
      return switchCase(prompt, count);
    default:
      return command.startsWith('r') ? replaced(prompt, command.slice(1), count) : opened(prompt, command);
  }
}

/** i, a, I, A, o and O. */
function opened(prompt: Prompt, command: string): VimStep {
  const { text } = prompt;
  const characters = charactersOf(text);
  const at = indexOf(characters, prompt.cursor);
  const unit = (index: number): number => unitOf(characters, index, text);
  const end = unit(lineEnd(characters, at));
  const start = unit(lineStart(characters, at));
  switch (command) {
    case 'a':
      return inserting({ ...prompt, cursor: Math.min(end, unit(at + 1)) });
    case 'I':
      return inserting({ ...prompt, cursor: unit(firstText(characters, at)) });
    case 'A':
      return inserting({ ...prompt, cursor: end });
    case 'o':
      return inserting({ ...prompt, text: `${text.slice(0, end)}\n${text.slice(end)}`, cursor: end + 1 });
    case 'O':
      return inserting({ ...prompt, text: `${text.slice(0, start)}\n${text.slice(start)}`, cursor: start });
    default:
      return inserting(prompt);
  }
}

function put(prompt: Prompt, before: boolean, count: number): VimStep {
  const { text, killed } = prompt;
  if (killed === '') return normal('');
  const characters = charactersOf(text);
  const at = indexOf(characters, prompt.cursor);
  const times = Math.min(count, 100);
  if (killed.endsWith('\n')) {
    const block = Array<string>(times).fill(killed.slice(0, -1)).join('\n');
    const place = unitOf(characters, before ? lineStart(characters, at) : lineEnd(characters, at), text);
    const added = before ? `${block}\n` : `\n${block}`;
    const next = text.slice(0, place) + added + text.slice(place);
    const all = charactersOf(next);
    return placed({ ...prompt, text: next }, all, firstText(all, indexOf(all, before ? place : place + 1)));
  }
  const isEmptyLine = lineStart(characters, at) === lineEnd(characters, at);
  const place = unitOf(characters, before || isEmptyLine ? at : at + 1, text);
  const added = killed.repeat(times);
  const next = text.slice(0, place) + added + text.slice(place);
  const all = charactersOf(next);
  return placed({ ...prompt, text: next }, all, indexOf(all, place + added.length) - 1);
}

/** Only if the line has enough characters. */
function replaced(prompt: Prompt, by: string, count: number): VimStep {
  return changed(prompt, count, () => by, { exact: true });
}

function switchCase(prompt: Prompt, count: number): VimStep {
  const other = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());
  return changed(prompt, count, other, { exact: false });
}

function changed(
  prompt: Prompt,
  count: number,
  change: (text: string) => string,
  { exact }: { readonly exact: boolean },
): VimStep {
  const { text } = prompt;
  const characters = charactersOf(text);
  const at = indexOf(characters, prompt.cursor);
  const to = Math.min(lineEnd(characters, at), at + count);
  if (to === at || (exact && to < at + count)) return normal('');
  const middle = characters.slice(at, to).map((each) => change(each.text));
  const next = text.slice(0, prompt.cursor) + middle.join('') + text.slice(unitOf(characters, to, text));
  const all = charactersOf(next);
  const end = indexOf(all, prompt.cursor + middle.join('').length);
  return placed({ ...prompt, text: next }, all, exact ? end - 1 : end);
}
