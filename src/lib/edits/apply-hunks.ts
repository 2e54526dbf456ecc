import { describeNearest } from './nearest-lines.ts';
import { EditedLines, splitLines } from './line-ends.ts';
import { LENIENCIES, matchLines } from './match-lines.ts';
import type { Leniency, LineMatch } from './match-lines.ts';
import { occurrences } from './occurrences.ts';
import type { Hunk } from './parse-patch.ts';
import { listFirst } from '../text/list-first.ts';

type HunksRefusal = 'edit_no_match' | 'edit_ambiguous' | 'too_large';

export type HunksOutcome =
  | { readonly kind: 'edited'; readonly text: string; readonly matched?: Leniency }
  | { readonly kind: 'refused'; readonly code: HunksRefusal; readonly message: string };

/** Above this product of hunk lines and file lines nothing is searched. */
const MAX_COMPARISONS = 50_000_000;

type Placed =
  | ({ readonly kind: 'at'; readonly start: number; readonly count: number; readonly lines: readonly string[] } & {
      readonly how: Leniency | null;
    })
  | Extract<HunksOutcome, { kind: 'refused' }>;

/**
 * Applies the hunks to a text, in order: each is searched after the previous one and after its own headers, and must have exactly one place. Either
 * all are applied or none. Each line keeps its line end; a new line gets that of the line before it; the text ends in a line end afterwards.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): HunksOutcome {
  const { lines, ends } = splitLines(text);
  const sought = hunks.reduce((sum, { headers, before }) => sum + headers.length + before.length + 1, 0);
  if (sought * lines.length > MAX_COMPARISONS) {
    const sizes = `${sought} lines to find in ${lines.length}`;
    return refused(
      'too_large',
      `The hunks are too large for this file: ${sizes}. Give fewer lines of context, or several patches.`,
    );
  }
  const edited = new EditedLines();
  let done = 0;
  let matched: Leniency | null = null;
  for (const [index, hunk] of hunks.entries()) {
    const placed = place(lines, done, hunk, `hunk ${index + 1}`);
    if (placed.kind === 'refused') return placed;
    edited.keep(lines, ends, done, placed.start);
    done = placed.start + placed.count;
    edited.replace(lines.slice(placed.start, done), ends.slice(placed.start, done), placed.lines, ends[done]);
    matched = looser(matched, placed.how);
  }
  edited.keep(lines, ends, done, lines.length);
  return { kind: 'edited', text: edited.text, ...(matched === null ? {} : { matched }) };
}

function place(lines: readonly string[], from: number, hunk: Hunk, name: string): Placed {
  let at = from;
  for (const header of hunk.headers) {
    const wanted = header.trim();
    let found = at;
    while (found < lines.length && lines[found]?.trim() !== wanted) found += 1;
    if (found === lines.length) return refused('edit_no_match', `${name}: no line "${header}" follows.`);
    at = found + 1;
  }
  const { before, after } = hunk;
  if (before.length === 0) {
    if (hunk.headers.length === 0) return { kind: 'at', start: lines.length, count: 0, lines: after, how: null };
    const why = 'it only adds lines. Add the lines before them as context, to define their place.';
    return refused('edit_no_match', `${name}: ${why}`);
  }
  const rest = lines.slice(at);
  const exact = occurrences(rest, before, true);
  const candidates = hunk.atEnd ? exact.filter((start) => start + before.length === rest.length) : exact;
  // After a header the first place counts; otherwise there must be only one place.
  const [only, ...others] = candidates.length === 0 ? exact : candidates;
  if (only !== undefined && (others.length === 0 || hunk.headers.length > 0)) {
    return { kind: 'at', start: at + only, count: before.length, lines: after, how: null };
  }
  if (only !== undefined) return ambiguous(name, [only, ...others], at);
  return nearly(matchLines(rest, before, after), at, name, () => describeNearest(rest.join('\n'), before.join('\n')));
}

function nearly(match: LineMatch, at: number, name: string, nearest: () => string): Placed {
  switch (match.kind) {
    case 'found':
      return { kind: 'at', start: at + match.start, count: match.count, lines: match.lines, how: match.how };
    case 'ambiguous':
      return ambiguous(name, match.starts, at);
    case 'too_large':
      return refused('edit_no_match', `${name}: ${match.message}`);
    case 'none':
      return refused('edit_no_match', `${name}: ${nearest().replaceAll('old_string', 'its old text')}`);
  }
}

const MAX_NAMED_LINES = 20;

function ambiguous(name: string, starts: readonly number[], at: number): Placed {
  const lines = listFirst(starts, { max: MAX_NAMED_LINES, name: (start) => at + start + 1 });
  const how = 'Add lines around it, or a header "@@ line" that comes before the place.';
  return refused('edit_ambiguous', `${name} fits at ${starts.length} places, at lines ${lines}. ${how}`);
}

function refused(code: HunksRefusal, message: string): Extract<Placed, { kind: 'refused' }> {
  return { kind: 'refused', code, message };
}

function looser(one: Leniency | null, other: Leniency | null): Leniency | null {
  const rank = (how: Leniency | null): number => (how === null ? -1 : LENIENCIES.indexOf(how));
  return rank(other) > rank(one) ? other : one;
}
