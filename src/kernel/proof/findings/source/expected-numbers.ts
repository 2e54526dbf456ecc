import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, operatorOf, plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { InspectedChange, InspectedFile, Inspection } from '../finding.ts';
import { FUNCTIONS, identifiersIn, literalOf } from '../names.ts';
import { writtenTests } from '../tests/written-tests.ts';
import { assertedLiterals, isCommon } from './answers.ts';

const CALLING = new Set([
  'call_expression',
  'new_expression',
  'call',
  'method_invocation',
  'object_creation_expression',
]);
/** Functions that only compare or report, or register a case. */
const REPORTS =
  /assert|expect|equal|should|\.to[A-Z]|\.is\b|require|fatal|error|log|^(?:it|test|each|describe)\b|\.(?:each|forEach|Run)$/i;
const ROWS = new Set([
  'array',
  'list',
  'tuple',
  'literal_value',
  'array_expression',
  'tuple_expression',
  'array_initializer',
]);
const EXPECTED_KEY = /want|expect|out|result|answer/i;
const ARITHMETIC = /^(?:[-+*/%&|^]|\*\*|\/\/|<<|>>|[-+*/%]=)$/;
/** What protocols fix is in sources and tests alike. */
const STATUS = /^(?:20[0-6]|30[1-8]|40[0-9]|41[0-8]|42[0-9]|431|451|50[0-5])$/;
const MIN_ANSWERS = 2;

/**
 * Numbers that tests expect, where the source decides or answers with hardly any other: in branches, loops, tables of any form, what is thrown. Numbers that
 * are computed with are none, and neither is what a table has under a name. Bounds of a function that uses all of its parameters may be work: its answers are
 * left to the other inspections.
 */
export const expectedNumbers: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const expected = new Set(change.tests.flatMap((test) => [...expectedIn(test)]));
    if (expected.size < MIN_ANSWERS) return;
    const asserted = new Set(assertedLiterals(change).flatMap((each) => [...each]));
    const added = new Set(addedNodes(file));
    for (const unit of file.root.children) {
      const nodes = [...nodesOf(unit)].filter((node) => added.has(node));
      const numbers = new Set(nodes.flatMap((node) => dataOf(node, file.text)));
      const answers = [...numbers].filter((each) => expected.has(each));
      const others = [...numbers].filter((each) => !asserted.has(each) && !expected.has(each));
      const [first] = nodes;
      if (first === undefined || answers.length < MIN_ANSWERS || others.length * 2 > answers.length) continue;
      if (!isBoundedWork(unit, file))
        yield { line: first.line, words: `its numbers ${answers.slice(0, 3).join(' and ')} are what tests expect` };
    }
  },
};

/** The value of a number that decides or is answered with. */
function dataOf(node: SyntaxNode, text: string): string[] {
  const value = /string/.test(node.kind) ? null : literalOf(node, text);
  if (value === null || isCommon(value) || STATUS.test(value)) return [];
  const { parent } = node;
  const operator = parent === null ? null : operatorOf(parent);
  const isOperand = operator !== null && /^(?:binary|augmented|compound)/.test(parent?.kind ?? '');
  if (isOperand && ARITHMETIC.test(plainText(operator, text))) return [];
  const key = parent?.kind === 'pair' ? childOf(parent, 'key') : null;
  return key !== null && !/^(?:number|integer|float)$/.test(key.kind) ? [] : [value];
}

function expectedIn(test: InspectedChange['tests'][number]): Set<string> {
  const found = new Set<string>();
  for (const { body } of writtenTests(test.language, test).cases)
    for (const node of nodesOf(body)) {
      const value = /string/.test(node.kind) ? null : literalOf(node, test.text);
      if (value !== null && !isCommon(value) && isExpected(node, body, test.text)) found.add(value);
    }
  return found;
}

function isExpected(node: SyntaxNode, body: SyntaxNode, text: string): boolean {
  for (let each = node; each.parent !== null && each !== body; each = each.parent) {
    const { parent } = each;
    // Arguments of a call in the tokens of a macro.
    if (parent.kind === 'token_tree' && parent.parent?.kind === 'token_tree') return false;
    if (CALLING.has(parent.kind))
      return REPORTS.test(text.slice(parent.start, childOf(parent, 'arguments')?.start ?? parent.end));
    if (parent.kind === 'pair' || parent.kind === 'keyed_element')
      return EXPECTED_KEY.test(plainText(parent.children[0] ?? parent, text));
    if (ROWS.has(parent.kind) && namedChildren(parent).at(-1) !== each) return false;
  }
  return true;
}

function isBoundedWork(unit: SyntaxNode, { text }: InspectedFile): boolean {
  const functions = [...nodesOf(unit)].filter(({ kind }) => FUNCTIONS.has(kind));
  const isBounded = [...nodesOf(unit)].some((node) => {
    const operator = /^(?:binary_expression|comparison_operator)$/.test(node.kind) ? operatorOf(node) : null;
    return operator !== null && /^[<>]=?$/.test(plainText(operator, text));
  });
  return isBounded && functions.every((each) => usesAllParameters(each, text));
}

function usesAllParameters(node: SyntaxNode, text: string): boolean {
  const list = childOf(node, 'parameters') ?? childOf(node, 'parameter');
  const body = childOf(node, 'body');
  if (list === null || body === null || above(node, ({ kind }) => FUNCTIONS.has(kind)) !== null) return true;
  const used = identifiersIn(body, text);
  return [...identifiersIn(list, text)].every((name) => used.has(name) || name === 'self');
}
