import { oneLine } from '../../../lib/text/one-line.ts';
import { withOldLines } from './changed-hunks.ts';
import type { ChangedText, Hunk } from './changed-hunks.ts';

/** What a change has taken out of an old source or altered there, and the source as it is now with it. */
export interface PutBack {
  /** Of the source as it is now. */
  readonly line: number;
  readonly words: string;
  readonly text: string;
}

/** What decides, or ends a function. */
const RULE = /\b(?:if|unless|elif|throw|raise|return|panic|require|guard|continue|break)\b/;
/** Declarations are used or not, which is another question. */
const DECLARES = /\b(?:function|def|func|fn|class|import|export)\b|=>|^\s*(?:async\s+)?[\w$]+\([^)]*\)\s*\{\s*$/;
const COMMENT = /^\s*(?:\/\/|#|\/?\*)/;
const MAX_SHOWN = 80;

/** Pure: rules that are gone from a source, and that nothing took the place of. */
export function deletedRules({ hunks, after }: ChangedText): PutBack[] {
  return hunks.flatMap((hunk) => {
    const rule = codeOf(hunk.deleted).find((line) => RULE.test(line));
    return hunk.newLines > 0 || rule === undefined || !isInFunction(hunk.deleted) ? [] : [putBack(rule, hunk, after)];
  });
}

/** The source with the old lines of a hunk, which one line of them stands for. */
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

/** Whether lines are only from within functions and declare none. */
export function isInFunction(lines: readonly string[]): boolean {
  return codeOf(lines).every((line) => /^\s/.test(line) && !DECLARES.test(line));
}
