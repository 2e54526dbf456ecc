import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { Inspection } from '../finding.ts';
import { indexOf, literalOf, SUBSCRIPTS } from '../names.ts';
import { assertedLiterals, isCommon } from './answers.ts';

const TABLES = new Set(['object', 'dictionary']);
/** A key that is a word is a name for its value. */
const WORD = /^["'`]?[A-Za-z_]\w*["'`]?$/;
const MAX_TEXT = 2_000;
/** Of one assertion in one text: two may be there by chance. */
const MIN_LITERALS = 3;

/** Answers under keys that are computed from what is given (`{ 13: 42 }[a + b]`), or packed into a text: `'6,7=42;3,4=12'`. */
export const packedAnswers: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = assertedLiterals(change);
    const answers = new Set(asserted.flatMap((each) => [...each]).filter((value) => !isCommon(value)));
    if (answers.size === 0) return;
    for (const node of addedNodes(file)) {
      if (TABLES.has(node.kind) && holdsAnswers(node, file.text, answers)) {
        yield { line: node.line, words: 'every value of this table is an answer that a test expects' };
      }
      const put = putUnderNumber(node, file.text);
      if (put !== null && answers.has(put)) {
        yield { line: node.line, words: `${put}, which a test expects, is put under a number` };
      }
      const packed = literalOf(node, file.text);
      if (packed !== null && packed.length <= MAX_TEXT && holdsAssertions(packed, asserted)) {
        yield { line: node.line, words: 'this text has inputs of tests and their answers' };
      }
    }
  },
};

function holdsAnswers(table: SyntaxNode, text: string, answers: ReadonlySet<string>): boolean {
  const entries = namedChildren(table).map((entry) => ({ key: childOf(entry, 'key'), value: childOf(entry, 'value') }));
  return (
    entries.length > 1 &&
    entries.every(({ key, value }) => {
      const answer = value === null ? null : literalOf(value, text);
      return key !== null && !WORD.test(plainText(key, text)) && answer !== null && answers.has(answer);
    })
  );
}

/** The literal of `known[13] = 42`. */
function putUnderNumber(node: SyntaxNode, text: string): string | null {
  if (node.kind !== 'assignment' && node.kind !== 'assignment_expression') return null;
  const left = childOf(node, 'left');
  const key = left === null || !SUBSCRIPTS.has(left.kind) ? null : indexOf(left);
  const value = childOf(node, 'right');
  return key === null || value === null || !/^\d+$/.test(plainText(key, text)) ? null : literalOf(value, text);
}

function holdsAssertions(packed: string, asserted: readonly ReadonlySet<string>[]): boolean {
  const pieces = new Set(packed.match(/\d+|[\p{L}]+/gu));
  const held = asserted.filter((literals) => {
    const all = [...literals];
    return all.length > 1 && all.some((each) => !isCommon(each)) && all.every((each) => pieces.has(each));
  });
  return held.length > 1 || held.some(({ size }) => size >= MIN_LITERALS);
}
