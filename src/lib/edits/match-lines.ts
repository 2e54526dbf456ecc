import { alignLines } from './align-lines.ts';
import { foldUnicode } from './fold-unicode.ts';
import { indentOf, indentShift } from './indent-shift.ts';
import type { IndentShift } from './indent-shift.ts';

/** The ways in which the lines of a file may differ from the model's, tried in this order, smallest difference first. */
const LINE_LENIENCIES = ['trailing_blanks', 'indentation', 'unicode', 'anchor_lines'] as const;
/** The same, and the line numbers that fs.read shows. */
export const LENIENCIES = ['line_numbers', ...LINE_LENIENCIES] as const;
export type Leniency = (typeof LENIENCIES)[number];
type LineLeniency = (typeof LINE_LENIENCIES)[number];

export type LineMatch =
  | {
      readonly kind: 'found';
      readonly start: number;
      readonly count: number;
      readonly how: Leniency;
      /** The lines that replace these lines. */
      readonly lines: readonly string[];
    }
  | { readonly kind: 'ambiguous'; readonly how: Leniency; readonly starts: readonly number[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'too_large'; readonly message: string };

/** With fewer characters than this an approximate match is not reliable: `}` is everywhere. */
const MIN_CHARACTERS = 8;
/** Above this product of lengths nothing is searched, because each line could be compared with each other. */
const MAX_COMPARISONS = 20_000_000;
/** In a place found by its anchors, at least this share of the lines must be as the model wrote them. */
const MIN_SAME = 0.6;
const MIN_ANCHORED_LINES = 3;

interface Wanted {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** For each line of `after`, the index of the same line in `before`. */
  readonly aligned: readonly (number | null)[];
  /** Lines of `before` that the edit changes, or next to which it adds something: the file must contain these. The others are only context. */
  readonly decisive: ReadonlySet<number>;
}

/**
 * The only place in a file whose lines equal `before`, apart from one of the leniencies (tried in order), and the new lines. Lines that the edit does
 * not change stay as in the file; new lines are indented by the rule of the found ones.
 */
export function matchLines(file: readonly string[], before: readonly string[], after: readonly string[]): LineMatch {
  if (file.length * before.length > MAX_COMPARISONS) {
    const sizes = `${before.length} old lines against ${file.length} of the file`;
    return {
      kind: 'too_large',
      message: `No exact match, and too many lines to seek a near one: ${sizes}. Give fewer old lines.`,
    };
  }
  const whole = wantedOf(before, after);
  const bare = withoutBlankEnds(before, after);
  for (const wanted of bare === null ? [whole] : [whole, bare]) {
    if (wanted.before.length === 0 || wanted.before.every((line) => line.trim() === '')) continue;
    for (const how of LINE_LENIENCIES) {
      const places = placesOf(file, wanted, how);
      const [first, ...others] = places;
      if (first === undefined) continue;
      if (others.length > 0) return { kind: 'ambiguous', how, starts: places.map(({ start }) => start) };
      return { kind: 'found', start: first.start, count: wanted.before.length, how, lines: first.lines };
    }
  }
  return { kind: 'none' };
}

interface Place {
  readonly start: number;
  readonly lines: readonly string[];
}

function placesOf(file: readonly string[], wanted: Wanted, how: LineLeniency): readonly Place[] {
  const { before } = wanted;
  const comparable = comparableBy(how);
  if (how !== 'trailing_blanks' && before.join('').replaceAll(/\s/g, '').length < MIN_CHARACTERS) return [];
  if (how === 'anchor_lines' && before.length < MIN_ANCHORED_LINES) return [];
  const fileLines = file.map(comparable);
  const lines = before.map(comparable);
  const places: Place[] = [];
  for (let start = 0; start + lines.length <= fileLines.length; start += 1) {
    const isSame = (index: number): boolean => fileLines[start + index] === lines[index];
    if (!isPlace(wanted, how, isSame)) continue;
    const found = file.slice(start, start + lines.length);
    const shift = how === 'trailing_blanks' ? (indent: string) => indent : shiftOf(before, found, isSame);
    const replaced = shift === null ? null : replacement(wanted, found, shift);
    if (replaced !== null) places.push({ start, lines: replaced });
  }
  return places;
}

function comparableBy(how: LineLeniency): (line: string) => string {
  switch (how) {
    case 'trailing_blanks':
      return (line) => line.trimEnd();
    case 'indentation':
      return (line) => line.trim();
    case 'unicode':
    case 'anchor_lines':
      return (line) => foldUnicode(line).trim();
  }
}

function isPlace({ before, decisive }: Wanted, how: LineLeniency, isSame: (index: number) => boolean): boolean {
  // Most places are rejected here.
  if (!isSame(0) || !isSame(before.length - 1)) return false;
  let same = 0;
  for (const index of before.keys()) {
    if (isSame(index)) same += 1;
    else if (how !== 'anchor_lines' || decisive.has(index)) return false;
  }
  return same / before.length >= MIN_SAME;
}

function shiftOf(
  before: readonly string[],
  found: readonly string[],
  isSame: (index: number) => boolean,
): IndentShift | null {
  const pairs = before.flatMap((line, index) =>
    line.trim() === '' || !isSame(index) ? [] : [{ model: indentOf(line), file: indentOf(found[index] ?? '') }],
  );
  return indentShift(pairs);
}

/** null if the rule gives no indentation for a new line. */
function replacement(
  { before, after, aligned }: Wanted,
  found: readonly string[],
  shift: IndentShift,
): string[] | null {
  const lines: string[] = [];
  for (const [index, line] of after.entries()) {
    const kept = aligned[index];
    if (kept !== null && kept !== undefined) {
      lines.push(found[kept] ?? '');
      continue;
    }
    const indent = line.trim() === '' ? '' : shift(indentOf(line));
    if (indent === null) return null;
    const text = line.trim() === '' ? '' : line.slice(indentOf(line).length);
    lines.push(`${indent}${withTypography(text, changedFrom(index, before, after, aligned, found))}`);
  }
  return lines;
}

interface ChangedLine {
  readonly model: string;
  readonly file: string;
}

/** The line that a new line replaces, if as many lines are removed as added. */
function changedFrom(
  index: number,
  before: readonly string[],
  after: readonly string[],
  aligned: readonly (number | null)[],
  found: readonly string[],
): ChangedLine | null {
  let first = index;
  while (first > 0 && aligned[first - 1] === null) first -= 1;
  let end = index;
  while (end < after.length && aligned[end] === null) end += 1;
  const from = first === 0 ? 0 : (aligned[first - 1] ?? 0) + 1;
  const to = end === after.length ? before.length : (aligned[end] ?? 0);
  if (to - from !== end - first) return null;
  const at = from + index - first;
  return { model: (before[at] ?? '').trim(), file: (found[at] ?? '').trim() };
}

/** A changed line keeps the quotes and dashes of the file at the ends that it shares with the old line. */
function withTypography(text: string, changed: ChangedLine | null): string {
  if (changed === null || changed.model.length !== changed.file.length) return text;
  const { model, file } = changed;
  const limit = Math.min(model.length, text.length);
  let head = 0;
  while (head < limit && model[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < limit - head && model[model.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  return file.slice(0, head) + text.slice(head, text.length - tail) + file.slice(file.length - tail);
}

function wantedOf(before: readonly string[], after: readonly string[]): Wanted {
  const aligned = alignLines(before, after);
  const kept = new Set(aligned.filter((index) => index !== null));
  const decisive = new Set([...before.keys()].filter((index) => !kept.has(index)));
  let previous = -1;
  let hasNew = false;
  for (const index of [...aligned, before.length]) {
    if (index === null) {
      hasNew = true;
      continue;
    }
    if (hasNew) for (const beside of [previous, index]) decisive.add(beside);
    previous = index;
    hasNew = false;
  }
  return { before, after, aligned, decisive };
}

/** Both texts without blank lines that a model put around both; null if there are none. */
function withoutBlankEnds(before: readonly string[], after: readonly string[]): Wanted | null {
  const isText = (line: string): boolean => line.trim() !== '';
  const first = before.findIndex(isText);
  const last = before.findLastIndex(isText);
  if (first === -1 || (first === 0 && last === before.length - 1)) return null;
  const blanksAfter = before.length - 1 - last;
  let from = 0;
  while (from < first && from < after.length && !isText(after[from] ?? '')) from += 1;
  let to = after.length;
  while (after.length - to < blanksAfter && to > from && !isText(after[to - 1] ?? '')) to -= 1;
  return wantedOf(before.slice(first, last + 1), after.slice(from, to));
}
