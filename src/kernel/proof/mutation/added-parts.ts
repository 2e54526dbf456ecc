import { oneLine } from '../../../lib/text/one-line.ts';
import { isProtecting } from '../kept/effects/protecting-names.ts';
import type { ChangedText } from './changed-hunks.ts';
import { withOldLines } from './changed-hunks.ts';
import { isInFunction } from './deleted-rules.ts';
import type { PutBack } from './deleted-rules.ts';

const MAX_SHOWN = 80;
/** Shorter old lines, such as `}`, are part of any line. */
const MIN_TOKENS = 2;
const TOKENS = /[\p{ID_Continue}$]+|\.\.\.|\?\?|&&|\|\||[^\s\p{ID_Continue}$]/gu;
const CALL = /([\p{ID_Start}_$][\p{ID_Continue}$]*) (?:[?!] \.? ?)?\(/gu;
/** Calls that convert or copy: the value is the same to most tests. */
const CONVERTS =
  /^(?:freeze|\w*[cC]lone\w*|\w*[cC]opy\w*|dup|slice|[sS]tring|[nN]umber|[bB]oolean|str|int|float|bool|list|tuple|set|dict|from|trim|strip|use\w+|memo|cast|unwrap|expect|as_ref|map_err|context|with_context|to\w*|into\w*|iter|collect|max|min|abs|round|floor|ceil|require|if|for|while|switch|catch|function|return|await|typeof|and|or|not|in)$/;
/** A message for the log. */
const MESSAGE = /\b(?:console|log|logger) \. \w+ \( (?=[`'"])/gu;
const CONDITION = /^\s*(?:\}?\s*else\s+)?(?:if|elif|elsif|while|unless)\b/;

/**
 * Pure: finds parts of old lines that the change added to (a call, a spread, a further condition), and returns the new
 * source with the old lines. Nothing of the old lines may be missing: code that was rewritten often does the same.
 */
export function addedParts({ hunks, after }: ChangedText): PutBack[] {
  const lines = after.split('\n');
  return hunks.flatMap((hunk) => {
    const { newStart, newLines, deleted } = hunk;
    if (!isInFunction(deleted)) return [];
    const present = lines.slice(newStart - 1, newStart - 1 + newLines);
    const found: PutBack[] = [];
    let from = 0;
    for (const old of deleted) {
      const tokens = tokensOf(old);
      const index = present.findIndex((now, at) => at >= from && insertedInto(tokens, tokensOf(now)) !== null);
      const now = present[index];
      if (tokens.length < MIN_TOKENS || now === undefined) continue;
      from = index + 1;
      if (!hasEffect(insertedInto(tokens, tokensOf(now)) ?? [], tokens, now)) continue;
      const line = newStart + index;
      const one = { ...hunk, newStart: line, newLines: 1, deleted: [old] };
      found.push({ line, words: `${shown(now)} is ${shown(old)} again`, text: withOldLines(after, one) });
    }
    return found;
  });
}

function shown(line: string): string {
  return `\`${oneLine(line.trim(), MAX_SHOWN)}\``;
}

function tokensOf(line: string): string[] {
  return line.match(TOKENS) ?? [];
}

/** The tokens that were added to the old ones; null if an old one is missing. */
function insertedInto(old: readonly string[], now: readonly string[]): string[] | null {
  const inserted: string[] = [];
  let next = 0;
  for (const token of now) {
    if (token === old[next]) next += 1;
    else inserted.push(token);
  }
  return next === old.length && inserted.length > 0 ? inserted : null;
}

function hasEffect(inserted: readonly string[], old: readonly string[], now: string): boolean {
  const written = inserted.join(' ');
  const known = new Set(old);
  const calls = [...written.replaceAll(MESSAGE, '').matchAll(CALL)].map(([, name = '']) => name);
  if (calls.some((name) => !CONVERTS.test(name) && !isProtecting(name))) return true;
  const namesMore = inserted.some((token) => /^[\p{ID_Start}_$]/u.test(token) && !known.has(token));
  const isLooser = CONDITION.test(now) && /(?:&&|\|\||\band\b|\bor\b)/.test(written);
  return namesMore && (isLooser || inserted.includes('...'));
}
