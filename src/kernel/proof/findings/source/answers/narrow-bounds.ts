import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { ownValue } from '../../../../../lib/own-value.ts';
import { nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, CALLS, chainOf } from '../../names.ts';
import { answersOf, BRANCHES, conditionOf, pairIn } from './answers.ts';

const COMPARISONS = new Set(['binary_expression', 'comparison_operator']);
const BOUND = /^(?:<=?|>=?)$/;
const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const MAX_INPUTS = 2;

/**
 * Bounds that allow only one or two inputs, with the expected value of a test for one of them: `if (a > 5 && a < 7)
 * return 42`.
 */
export const narrowBounds: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = change.asserted;
    if (asserted.length === 0) return;
    for (const node of nodesOf(file.root)) {
      const condition = BRANCHES.has(node.kind) && file.isAdded(node) ? conditionOf(node) : null;
      if (condition === null) continue;
      const answers = answersOf(node, file.text);
      for (const { low, high } of intervalsIn(condition, file.text)) {
        const inputs = Array.from({ length: high - low + 1 }, (_, index) => String(low + index));
        if (pairIn(asserted, new Set(inputs), answers) === undefined) continue;
        yield { line: node.line, words: `these bounds fit only ${inputs.join(' and ')}, an input of a test` };
      }
    }
  },
};

interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Small ranges of whole numbers for which all bounds of one name in a condition hold. */
function intervalsIn(condition: SyntaxNode, text: string): Interval[] {
  const bounds = new Map<string, { low: number; high: number }>();
  for (const node of nodesOf(condition)) {
    for (const { name, low, high } of boundsAt(node, text)) {
      const known = bounds.get(name) ?? { low: -Infinity, high: Infinity };
      bounds.set(name, { low: Math.max(known.low, low), high: Math.min(known.high, high) });
    }
  }
  return [...bounds.values()].filter(({ low, high }) => high >= low && high - low < MAX_INPUTS);
}

interface Bound extends Interval {
  readonly name: string;
}

function boundsAt(node: SyntaxNode, text: string): Bound[] {
  if (CALLS.has(node.kind)) return rangeAt(node, text);
  if (!COMPARISONS.has(node.kind)) return [];
  // In Python, `5 < a < 7` is one node with all operands and operators.
  return node.children.flatMap((operator, index) => {
    const left = node.children[index - 1];
    const right = node.children[index + 1];
    const word = plainText(operator, text);
    if (operator.named || left === undefined || right === undefined || !BOUND.test(word)) return [];
    const [a, b] = [Number(plainText(left, text)), Number(plainText(right, text))];
    if (Number.isFinite(b) && !Number.isFinite(a)) return [boundOf(plainText(left, text), word, b)];
    if (Number.isFinite(a) && !Number.isFinite(b))
      return [boundOf(plainText(right, text), ownValue(TURNED, word) ?? word, a)];
    return [];
  });
}

function boundOf(name: string, operator: string, value: number): Bound {
  switch (operator) {
    case '<':
      return { name, low: -Infinity, high: Math.ceil(value) - 1 };
    case '<=':
      return { name, low: -Infinity, high: Math.floor(value) };
    case '>':
      return { name, low: Math.floor(value) + 1, high: Infinity };
    default:
      return { name, low: Math.ceil(value), high: Infinity };
  }
}

/** `a in range(6, 7)`. */
function rangeAt(call: SyntaxNode, text: string): Bound[] {
  if (chainOf(call, text).join('.') !== 'range' || call.parent?.kind !== 'comparison_operator') return [];
  const [from, to] = argumentsOf(call).map((each) => Number(plainText(each, text)));
  if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to)) return [];
  return [{ name: plainText(call.parent.children[0] ?? call, text), low: from, high: to - 1 }];
}
