import { matchLines } from './match-lines.ts';
import type { Leniency } from './match-lines.ts';
import { occurrences } from './occurrences.ts';
import { describeNearest } from './nearest-lines.ts';
import { placedBlock } from './placed-block.ts';
import { listFirst } from '../text/list-first.ts';

export type EditOutcome =
  | {
      readonly kind: 'edited';
      readonly text: string;
      readonly replacements: number;
      /** How the file differs from `oldString`; absent for an exact match. */
      readonly matched?: Leniency;
    }
  | {
      readonly kind: 'refused';
      readonly code: 'edit_no_match' | 'edit_ambiguous' | 'invalid_input';
      readonly message: string;
    };

const MAX_NAMED_LINES = 20;

/**
 * Replaces `oldString` by `newString` if it occurs exactly once, or everywhere if `replaceAll`. All line ends compare as equal and are kept: new text
 * gets the style of the line that it replaces, so a CRLF file stays one although the model writes only LF. A text without a final newline stays so.
 * If there is no exact occurrence, whole lines are compared (`matchLines`), and a single such place counts.
 */
export function applyEdit(text: string, oldString: string, newString: string, replaceAll: boolean): EditOutcome {
  const view = lineFeedView(text);
  const wanted = oldString.replaceAll('\r\n', '\n');
  const replacement = newString.replaceAll('\r\n', '\n');
  if (wanted === '') {
    return refused(
      'invalid_input',
      'old_string is empty. Give the text to replace, or use fs.write for the whole file.',
    );
  }
  if (wanted === replacement) {
    return refused('invalid_input', 'old_string and new_string are the same: nothing would change.');
  }

  // Overlapping occurrences count if only one may be found: `aa` occurs twice in `aaa`.
  const places = occurrences(view.text, wanted, !replaceAll);
  if (places.length === 0) {
    const bare = withoutLineNumbers(wanted);
    if (bare === null) return applyToLines(text, view.text, wanted, replacement);
    const outcome = applyEdit(text, bare, withoutLineNumbers(replacement) ?? replacement, replaceAll);
    return outcome.kind === 'edited' ? { matched: 'line_numbers', ...outcome } : outcome;
  }
  if (places.length > 1 && !replaceAll) return refused('edit_ambiguous', describeAmbiguity(view.text, places));

  const [only = 0] = places;
  const block = places.length === 1 ? placedBlock(lineStart(view.text, only), wanted, replacement) : null;
  const inserting = block ?? replacement;
  const shared = sharedEnds(wanted, inserting);
  const dominant = dominantLineEnd(text);
  let out = '';
  let copied = 0;
  for (const place of places) {
    const from = view.rawIndex(place + shared.head);
    const to = view.rawIndex(place + wanted.length - shared.tail);
    const matched = text.slice(view.rawIndex(place), view.rawIndex(place + wanted.length));
    const end = /\r?\n/.exec(matched)?.[0] ?? dominant;
    const inserted = inserting.slice(shared.head, inserting.length - shared.tail);
    out += text.slice(copied, from) + (end === '\r\n' ? inserted.replaceAll('\n', '\r\n') : inserted);
    copied = to;
  }
  const matched: { readonly matched?: Leniency } = block === null ? {} : { matched: 'indentation' };
  return { kind: 'edited', text: out + text.slice(copied), replacements: places.length, ...matched };
}

/** The text without line numbers, if every line begins with a number and a tab, as fs.read shows it; null for any other text. */
function withoutLineNumbers(text: string): string | null {
  const lines = text.replace(/\n$/, '').split('\n');
  if (!lines.every((line) => /^ *\d+\t/.test(line))) return null;
  const bare = lines.map((line) => line.slice(line.indexOf('\t') + 1)).join('\n');
  return text.endsWith('\n') ? `${bare}\n` : bare;
}

/** The text before a position on its line. */
function lineStart(text: string, place: number): string {
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, place);
}

function applyToLines(text: string, view: string, wanted: string, replacement: string): EditOutcome {
  const lines = view.split('\n');
  const isWhole = wanted.endsWith('\n');
  const before = wanted.split('\n');
  const after = replacement === '' && isWhole ? [] : replacement.split('\n');
  if (isWhole) {
    before.pop();
    if (after.at(-1) === '') after.pop();
  }
  const match = matchLines(lines, before, after);
  switch (match.kind) {
    case 'none':
      return refused('edit_no_match', describeNearest(view, wanted));
    case 'too_large':
      return refused('edit_no_match', match.message);
    case 'ambiguous':
      return refused('edit_ambiguous', describeNearlyAmbiguous(match.starts));
    case 'found': {
      const { start, count, how } = match;
      return { kind: 'edited', text: replaceLines(text, start, count, match.lines), replacements: 1, matched: how };
    }
  }
}

/** Replaces whole lines, with the line ends of that place. */
function replaceLines(text: string, start: number, count: number, lines: readonly string[]): string {
  const raw = text.split(/(?<=\n)/);
  if (text.endsWith('\n')) raw.push('');
  const end = raw.slice(start, start + count).some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  const isLast = start + count === raw.length;
  const ended = lines.map((line, index) => (isLast && index === lines.length - 1 ? line : `${line}${end}`));
  const head = raw.slice(0, start).join('');
  // If the last lines are removed, the line before them becomes the last: the file ends as it did.
  const isCut = isLast && lines.length === 0 && !text.endsWith('\n');
  return (isCut ? head.replace(/\r?\n$/, '') : head) + ended.join('') + raw.slice(start + count).join('');
}

function describeNearlyAmbiguous(starts: readonly number[]): string {
  const lines = listFirst(starts, { max: MAX_NAMED_LINES, name: (start) => start + 1 });
  return (
    `old_string does not occur exactly, and nearly at ${starts.length} places, at lines ${lines}. ` +
    'Copy the text exactly as the file has it, with surrounding lines until it is unique.'
  );
}

/** The text with CRLF as LF, and the mapping of its indexes back to the original. */
function lineFeedView(text: string): { text: string; rawIndex: (index: number) => number } {
  const removedBefore: number[] = [];
  const view = text.replace(/\r\n/g, (_match, offset: number) => {
    removedBefore.push(offset - removedBefore.length);
    return '\n';
  });
  const rawIndex = (index: number): number => {
    // Each carriage return removed before `index` shifts it by one; an index at a line end points at its CR.
    let low = 0;
    let high = removedBefore.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((removedBefore[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  };
  return { text: view, rawIndex };
}

/** The common beginning and end of both strings, which stay unchanged, so that unchanged lines keep their line ends. */
function sharedEnds(a: string, b: string): { head: number; tail: number } {
  const limit = Math.min(a.length, b.length);
  let head = 0;
  while (head < limit && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < limit - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { head, tail };
}

function dominantLineEnd(text: string): '\n' | '\r\n' {
  const carriageReturns = text.match(/\r\n/g)?.length ?? 0;
  const lineFeeds = text.match(/\n/g)?.length ?? 0;
  return carriageReturns * 2 > lineFeeds ? '\r\n' : '\n';
}

function describeAmbiguity(text: string, places: readonly number[]): string {
  const lines = listFirst(places, { max: MAX_NAMED_LINES, name: (place) => lineNumber(text, place) });
  return (
    `old_string occurs ${places.length} times, at lines ${lines}. ` +
    'Add surrounding lines until it is unique, or set replace_all.'
  );
}

function lineNumber(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function refused(code: Extract<EditOutcome, { kind: 'refused' }>['code'], message: string): EditOutcome {
  return { kind: 'refused', code, message };
}
