import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection } from '../../finding.ts';
import { CALLS, lastName, literalOf, literalsIn, SUBSCRIPTS } from '../../names.ts';
import { answersOf, BRANCHES, conditionOf, isCommon, MIN_SHARED, plainLiterals } from './answers.ts';
import { CASES, casePair, EQUALITY, inPairs, isMapOfJava, PAIRS } from './special-cased-input.ts';

const COMBINES = /^(?:[-+*/^|&]|<<|>>)$/;
const SIZES = /^(?:length|size|count|byte_?size|bytesize)$/i;
const SWITCH = /switch|^match|^case$|^case_match$/;
const SUBJECTS = ['value', 'condition', 'subject'] as const;
const TABLES = new Set([
  ...['object', 'dictionary', 'hash', 'array_creation_expression', 'literal_value', 'composite_literal'],
  ...['parenthesized_expression'],
]);
const LOOKUP = /^(?:get|at|fetch|dig|getOrDefault|get_or)$/;

/**
 * An expected value of a test that is selected by a number computed from the input: `if (of.length + n === 12) return
 * 42`, `{ 12: 42 }[of.length + n]`. Such code hides a comparison with the input of a test. Only expected values with a
 * digit count: words are often the same in programs and tests.
 */
export const computedInputs: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const { text } = file;
    const old = file.before === null ? new Set<string>() : literalsIn(file.before.root, file.before.text);
    const answers = change.asserted.flatMap((each) => [...each]).filter(isDistinct);
    const expected = new Set(answers.filter((each) => !old.has(each)));
    if (expected.size === 0) return;
    for (const node of addedNodes(file)) {
      const chosen = chosenBy(node, text);
      const answer = chosen?.answers.find((each) => expected.has(each) && !isPartOf(each, chosen.inputs));
      if (answer === undefined) continue;
      yield { line: node.line, words: `a computed value chooses ${JSON.stringify(answer)}, which a test expects` };
    }
  },
};

function isDistinct(answer: string): boolean {
  return answer.length > 1 && /\d/.test(answer) && !isCommon(answer);
}

/** Whether an expected value contains the input. `4xx` for the input 4 is probably computed. */
function isPartOf(answer: string, inputs: readonly string[]): boolean {
  return inputs.some((input) => (/^\d+$/.test(input) || input.length >= MIN_SHARED) && answer.includes(input));
}

interface Chosen {
  readonly inputs: readonly string[];
  readonly answers: readonly string[];
}

function chosenBy(node: SyntaxNode, text: string): Chosen | null {
  if (BRANCHES.has(node.kind)) {
    const condition = conditionOf(node);
    const inputs = condition === null ? [] : [...nodesOf(condition)].flatMap((each) => comparedWith(each, text));
    return inputs.length === 0 ? null : { inputs, answers: [...answersOf(node, text)] };
  }
  if (CASES.has(node.kind)) {
    const pair = isComputed(subjectOf(node), text) ? casePair(node, text) : null;
    return pair === null ? null : { inputs: uncommon([...pair.inputs]), answers: [...pair.answers] };
  }
  return lookedUp(node, text);
}

/** Literals that are compared with a computed value. */
function comparedWith(node: SyntaxNode, text: string): string[] {
  const isEquality = node.children.some((each) => !each.named && EQUALITY.test(plainText(each, text)));
  const sides = namedChildren(node);
  if (!isEquality || !sides.some((each) => isComputed(each, text))) return [];
  return uncommon(sides.flatMap((each) => literalOf(each, text) ?? negative(each, text)));
}

function negative(node: SyntaxNode, text: string): string[] {
  const written = plainText(node, text);
  return /^- ?\d+$/.test(written) ? [written] : [];
}

/** Inputs without common values: every program compares with zero and one. */
function uncommon(inputs: readonly string[]): string[] {
  return inputs.filter((each) => !isCommon(each));
}

function subjectOf(node: SyntaxNode): SyntaxNode | null {
  const subject = (choice: SyntaxNode): SyntaxNode | null =>
    SUBJECTS.map((field) => childOf(choice, field)).find((each) => each !== null) ?? null;
  const isChoice = (each: SyntaxNode): boolean =>
    SWITCH.test(each.kind) && !CASES.has(each.kind) && subject(each) !== null;
  const choice = above(node, isChoice);
  return choice === null ? null : subject(choice);
}

/** Whether a value is computed: a sum or other combination, a length, an element, or the result of a call. */
function isComputed(node: SyntaxNode | null, text: string): boolean {
  if (node === null || literalsIn(node, text).has(plainText(node, text))) return false;
  const [only, ...more] = namedChildren(node);
  if (/^(?:parenthesized_expression|type_cast_expression)$/.test(node.kind) && more.length === 0)
    return isComputed(only ?? null, text);
  const operator = /^binary/.test(node.kind) ? operatorOf(node) : null;
  if (operator !== null) return COMBINES.test(plainText(operator, text));
  if (CALLS.has(node.kind) || SUBSCRIPTS.has(node.kind)) return true;
  return SIZES.test(lastName(node, text));
}

/** The entries of a table literal that is indexed directly with a computed value. */
function lookedUp(node: SyntaxNode, text: string): Chosen | null {
  const isMap = isMapOfJava(node, text);
  if ((!TABLES.has(node.kind) && !isMap) || node.parent === null) return null;
  const asked = SUBSCRIPTS.has(node.parent.kind) ? node.parent : above(node, (each) => isLookup(each, text));
  if (asked === null || !namedChildren(asked).some((each) => each !== node && computesIndex(each, text))) return null;
  const entries = isMap
    ? inPairs(namedChildren(node))
    : [...nodesOf(node)].filter(({ kind }) => PAIRS.has(kind)).map(namedChildren);
  const answers = entries.flatMap(([key, value]) =>
    key !== undefined && value !== undefined && /^\d+$/.test(plainText(key, text)) ? plainLiterals(value, text) : [],
  );
  return { inputs: [], answers };
}

function isLookup(node: SyntaxNode, text: string): boolean {
  return CALLS.has(node.kind) && LOOKUP.test(lastName(node, text));
}

function computesIndex(node: SyntaxNode, text: string): boolean {
  const given = /^arguments$|^argument_list$/.test(node.kind) ? namedChildren(node) : [node];
  return given.some((each) => isComputed(each, text));
}
