import { structuredPatch } from 'diff';
import { oneLine } from '../../../lib/text/one-line.ts';

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
const MAX_EDIT_LENGTH = 2_000;
const MAX_SHOWN = 80;

/** Pure: rules that are gone from a source, and that nothing took the place of. */
export function deletedRules(before: string, after: string): PutBack[] {
  const patch = structuredPatch('a', 'a', before, after, '', '', { context: 0, maxEditLength: MAX_EDIT_LENGTH });
  return (patch?.hunks ?? []).flatMap(({ newStart, newLines, lines }) => {
    const deleted = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
    const rule = codeOf(deleted).find((line) => RULE.test(line));
    if (newLines > 0 || rule === undefined || !isInFunction(deleted)) return [];
    const whole = after.split('\n');
    const text = [...whole.slice(0, newStart - 1), ...deleted, ...whole.slice(newStart - 1)].join('\n');
    return [{ line: Math.max(1, newStart - 1), words: `\`${oneLine(rule.trim(), MAX_SHOWN)}\` is put back`, text }];
  });
}

function codeOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '' && !COMMENT.test(line));
}

/** Whether lines are only from within functions and declare none. */
export function isInFunction(lines: readonly string[]): boolean {
  return codeOf(lines).every((line) => /^\s/.test(line) && !DECLARES.test(line));
}
