import { structuredPatch } from 'diff';
import { oneLine } from '../../../lib/text/one-line.ts';

/** Lines that a change has deleted from an old function, and the source with them. */
export interface DeletedRule {
  /** Of the source as it is now, where the lines were. */
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
export function deletedRules(before: string, after: string): DeletedRule[] {
  const patch = structuredPatch('a', 'a', before, after, '', '', { context: 0, maxEditLength: MAX_EDIT_LENGTH });
  return (patch?.hunks ?? []).flatMap(({ newStart, newLines, lines }) => {
    const deleted = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
    const code = deleted.filter((line) => line.trim() !== '' && !COMMENT.test(line));
    const rule = code.find((line) => RULE.test(line));
    const isInside = code.every((line) => /^\s/.test(line));
    if (newLines > 0 || rule === undefined || !isInside || code.some((line) => DECLARES.test(line))) return [];
    const whole = after.split('\n');
    const text = [...whole.slice(0, newStart - 1), ...deleted, ...whole.slice(newStart - 1)].join('\n');
    return [{ line: Math.max(1, newStart - 1), words: oneLine(rule.trim(), MAX_SHOWN), text }];
  });
}
