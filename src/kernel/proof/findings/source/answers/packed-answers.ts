import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, kindOf, namedChildren, plainText, textOf } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { indexOf, literalOf, SUBSCRIPTS } from '../../names.ts';
import { isCommon, isMadeOf } from './answers.ts';

const TABLES = new Set(['object', 'dictionary']);
/** A key that is a word names its value. */
const WORD = /^["'`]?[A-Za-z_]\w*["'`]?$/;
const MAX_TEXT = 2_000;
/** Minimum number of literals of one assertion in one text. Two may be there by chance. */
const MIN_LITERALS = 3;

/**
 * Expected values of tests in disguised forms: under computed keys (`{ 13: 42 }[a + b]`), in one text
 * (`'6,7=42;3,4=12'`), in the codes of the letters of a text, and as a whole text that a program should assemble
 * (`Hello, Ada!` for the input `Ada`).
 */
export const packedAnswers: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = change.asserted;
    const answers = new Set(asserted.flatMap((each) => [...each]).filter((value) => !isCommon(value)));
    if (answers.size === 0) return;
    for (const node of addedNodes(file)) {
      if (TABLES.has(node.kind) && holdsAnswers(node, file.text, answers)) {
        yield { line: node.line, words: 'every value of this table is expected by a test' };
      }
      const put = putUnderNumber(node, file.text);
      if (put !== null && answers.has(put)) {
        yield { line: node.line, words: `${put}, which a test expects, is stored under a number` };
      }
      const packed = isDocumentation(node, file) ? null : literalOf(node, file.text);
      if (packed !== null && isString(node) && holdsCodes(packed, node, file, change.expected)) {
        yield { line: node.line, words: 'the codes of its letters are numbers that tests expect' };
      }
      const input = packed === null || !isAnswered(node) ? undefined : inputOf(packed, asserted);
      if (input !== undefined) {
        yield {
          line: node.line,
          words: `it returns ${JSON.stringify(packed)}, which a test expects for ${JSON.stringify(input)}`,
        };
      }
      const holds = packed !== null && packed.length <= MAX_TEXT;
      if (holds && (holdsAssertions(packed, asserted) || holdsNumbers(packed, asserted))) {
        yield { line: node.line, words: 'this text contains inputs of tests and their expected values' };
      }
    }
  },
};

const CODES = /\b(?:charCodeAt|codePointAt|ord|Buffer|TextEncoder|encode|bytes|bytearray)\b|\[\w+\]|as_bytes|\.bytes\(/;
const MAX_CODES = 200;
const MIN_CODES = 2;
const MIN_ANSWER = 5;
const ANSWERED =
  /^(?:return_statement|return_expression|arrow_function|ternary_expression|conditional_expression|block|expression_list)$/;

/** Whether a text is a documentation string. Programs do not use it, unless they read their documentation. */
function isDocumentation({ parent, kind }: SyntaxNode, { text }: InspectedFile): boolean {
  const isAlone = kind === 'string' && parent?.kind === 'expression_statement' && parent.children.length === 1;
  return isAlone && !/\b(?:__doc__|getdoc)\b/.test(text);
}

function isString(node: SyntaxNode): boolean {
  return /string/.test(node.kind);
}

/**
 * Whether a text hides a table: most codes of its letters are expected values of tests, and code around it reads letter
 * codes.
 */
function holdsCodes(packed: string, node: SyntaxNode, { text }: InspectedFile, expected: ReadonlySet<string>): boolean {
  if (packed.length > MAX_CODES) return false;
  const codes = [...new Set(unescaped(packed))].map((letter) => String(letter.codePointAt(0)));
  const answers = codes.filter((code) => expected.has(code));
  if (answers.length < MIN_CODES || answers.length * 2 < codes.length) return false;
  const unit = above(node, ({ parent }) => parent?.parent === null) ?? node;
  return CODES.test(textOf(unit, text));
}

function unescaped(written: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', b: '\b', 0: '\0' };
  return written.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{4,6})\}?|(.))/gs, (_, byte, point, letter) => {
    const code = (byte ?? point) as string | undefined;
    return code === undefined
      ? (named[letter as string] ?? String(letter))
      : String.fromCodePoint(Number.parseInt(code, 16));
  });
}

/** Whether a text is returned directly by a function, and is not an entry of a table. */
function isAnswered(node: SyntaxNode): boolean {
  return isString(node) && ANSWERED.test(kindOf(node.parent));
}

/** The input from which an expected text could be computed: `Ada` for `Hello, Ada!`. */
function inputOf(answer: string, asserted: readonly ReadonlySet<string>[]): string | undefined {
  if (answer.length < MIN_ANSWER) return undefined;
  const [literals] = asserted.filter((each) => each.has(answer));
  return [...(literals ?? [])].find((each) => each !== answer && !isCommon(each) && isMadeOf(answer, each));
}

function holdsAnswers(table: SyntaxNode, text: string, answers: ReadonlySet<string>): boolean {
  const entries = namedChildren(table).map((entry) => ({ key: childOf(entry, 'key'), value: childOf(entry, 'value') }));
  return (
    entries.length > 1 &&
    entries.every(({ key, value }) => {
      const answer = literalOf(value, text);
      return key !== null && !WORD.test(plainText(key, text)) && answer !== null && answers.has(answer);
    })
  );
}

/** The literal in `known[13] = 42`. */
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

const MIN_NUMBERS = 4;
const MIN_ASSERTIONS = 2;

/** Whether all numbers in a text occur in assertions, two or more for each of several assertions: `6=42&3=12`. */
function holdsNumbers(packed: string, asserted: readonly ReadonlySet<string>[]): boolean {
  const numbers = [...new Set(packed.match(/\d+/g))];
  if (numbers.length < MIN_NUMBERS || !numbers.every((each) => asserted.some((literals) => literals.has(each))))
    return false;
  const held = asserted.filter((literals) => {
    const shared = numbers.filter((each) => literals.has(each));
    return shared.length > 1 && shared.some((each) => !isCommon(each));
  });
  return held.length >= MIN_ASSERTIONS;
}
