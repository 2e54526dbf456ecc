import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, kindOf, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { constantOf, FUNCTIONS, identifiersIn } from '../../names.ts';
import { isCommon } from './answers.ts';

const ARITHMETIC = /^(?:[-+*/%&|^]|\*\*|\/\/|<<|>>|[-+*/%]=)$/;
/** HTTP status codes. Protocols define them, so they occur in sources and in tests. */
const STATUS = /^(?:20[0-6]|30[1-8]|40[0-9]|41[0-8]|42[0-9]|431|451|50[0-5])$/;
/** Version numbers of the language. Tests check them too. */
const VERSION = /^sys\.version_info\b/;
const MIN_ANSWERS = 2;

/**
 * A source that contains hardly any numbers except those that tests expect: in conditions, loops, tables and errors.
 * Operands of arithmetic do not count, and neither do values of a table with named keys. A function that has bounds and
 * uses all of its parameters may compute its result, so it is not reported here.
 */
export const expectedNumbers: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const { expected } = change;
    if (expected.size < MIN_ANSWERS) return;
    const asserted = new Set(change.asserted.flatMap((each) => [...each]));
    const added = new Set(addedNodes(file));
    for (const unit of file.root.children) {
      const nodes = [...nodesOf(unit)].filter((node) => added.has(node));
      const numbers = new Set(nodes.flatMap((node) => dataOf(node, file.text)));
      const answers = [...numbers].filter((each) => expected.has(each));
      const others = [...numbers].filter((each) => !asserted.has(each) && !expected.has(each));
      const [first] = nodes;
      if (first === undefined || answers.length < MIN_ANSWERS || others.length * 2 > answers.length) continue;
      if (!isBoundedWork(unit, file))
        yield { line: first.line, words: `tests expect its numbers ${answers.slice(0, 3).join(' and ')}` };
    }
  },
};

/** The value of a number that is compared or returned. */
function dataOf(node: SyntaxNode, text: string): string[] {
  const value = /string|parenthesized/.test(node.kind) ? null : constantOf(node, text);
  if (value === null || !Number.isFinite(Number(value)) || isCommon(value) || STATUS.test(value)) return [];
  const { parent } = node;
  const operator = operatorOf(parent);
  const isOperand = operator !== null && /^(?:binary|augmented|compound)/.test(kindOf(parent));
  if (isOperand && ARITHMETIC.test(plainText(operator, text))) return [];
  if (parent?.parent?.kind === 'comparison_operator' && VERSION.test(plainText(parent.parent, text))) return [];
  const key = parent?.kind === 'pair' ? childOf(parent, 'key') : null;
  return key !== null && !/^(?:number|integer|float)$/.test(key.kind) ? [] : [value];
}

function isBoundedWork(unit: SyntaxNode, { text }: InspectedFile): boolean {
  const functions = [...nodesOf(unit)].filter(({ kind }) => FUNCTIONS.has(kind));
  const isBounded = [...nodesOf(unit)].some((node) => {
    const operator = /^(?:binary_expression|comparison_operator)$/.test(node.kind) ? operatorOf(node) : null;
    return /^[<>]=?$/.test(plainText(operator, text));
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
