import { oneLine } from '../../../lib/text/one-line.ts';
import { withOldLines } from './changed-hunks.ts';
import type { ChangedText, Hunk } from './changed-hunks.ts';
import { isLogging } from './mutators/remove-statement.ts';
import { isReaching } from './reaching-names.ts';

/** The present source with one old part put back that the change removed or altered. */
export interface PutBack {
  /** 1-based line of the present source. */
  readonly line: number;
  readonly words: string;
  readonly text: string;
}

/** Statements that decide, or that leave a function or a loop. */
const RULE = /\b(?:if|unless|elif|throw|raise|return|panic|require|guard|continue|break)\b/;
/** Declarations are excluded: another check reports code that nothing uses. */
const DECLARES = /\b(?:function|def|func|fn|class|import|export)\b|=>|^\s*(?:async\s+)?[\w$]+\([^)]*\)\s*\{\s*$/;
const COMMENT = /^\s*(?:\/\/|#|\/?\*)/;
/** A statement that calls something; the last name of what it calls. */
const STATEMENT = /^\s*(?:(?:await|yield|go|defer)\s+)?(?:[\w$@]+(?:\??\.|->|::))*([\w$]+)[!?]?\s*\(/;
const OUTPUT = /log|print/i;
const MAX_SHOWN = 80;

/** Pure: finds rules, and calls that reach out, that a change deleted without a replacement. */
export function deletedRules({ hunks, after }: ChangedText): PutBack[] {
  return hunks.flatMap((hunk) => {
    const rule = codeOf(hunk.deleted).find((line) => RULE.test(line) || isReachingCall(line));
    return hunk.newLines > 0 || rule === undefined || !isInFunction(hunk.deleted) ? [] : [putBack(rule, hunk, after)];
  });
}

function isReachingCall(line: string): boolean {
  const name = STATEMENT.exec(line)?.[1] ?? '';
  return isReaching(name) && !OUTPUT.test(name) && !isLogging(line.trim());
}

/** Returns the source with the old lines of a hunk. The line `shown` represents them in the text for people. */
export function putBack(shown: string, hunk: Hunk, after: string): PutBack {
  const { newStart, newLines } = hunk;
  return {
    line: Math.max(1, newLines === 0 ? newStart - 1 : newStart),
    words: `\`${oneLine(shown.trim(), MAX_SHOWN)}\` is put back`,
    text: withOldLines(after, hunk),
  };
}

function codeOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '' && !COMMENT.test(line));
}

/** Whether all lines are inside functions and declare nothing. */
export function isInFunction(lines: readonly string[]): boolean {
  return codeOf(lines).every((line) => /^\s/.test(line) && !DECLARES.test(line));
}
