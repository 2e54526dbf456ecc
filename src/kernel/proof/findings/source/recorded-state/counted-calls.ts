import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText } from '../../../../../lib/text/first-last.ts';
import type { Inspection, SourceText } from '../../finding.ts';
import { once } from '../../../syntax/once.ts';
import { above, childOf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import { argumentsOf, callsIn, chainOf, identifiersIn, indexOf, literalsIn } from '../../names.ts';
import { inFunction, isOfClosure, isSharedState, isLocalName, moduleValues } from './module-state.ts';

const LISTS = new Set(['array', 'list']);
const NUMBERS = new Set(['number', 'integer', 'unary_expression']);
const UPDATES = new Set(['update_expression', 'augmented_assignment_expression', 'augmented_assignment']);
const COMPARISONS = new Set(['binary_expression', 'comparison_operator']);
const NEXT = /^(?:shift|pop|popleft)$/;

/** Module state that counts calls and decides the result. It can return the expected value for each call of a test. */
export const countedCalls: Inspection = {
  kind: 'counts-calls',
  *look(source) {
    const counters = moduleValues(source, ({ kind }) => NUMBERS.has(kind));
    const lists = moduleValues(source, (value) => LISTS.has(value.kind) && namedChildren(value).length > 0);
    const counted = new Set<string>();
    for (const node of nodesOf(source.root)) {
      if (above(node, inFunction) === null || !isUpdate(node, source.text)) continue;
      const target = childOf(node, 'argument') ?? childOf(node, 'left');
      const name = plainText(target, source.text);
      const isCounter = counters.has(name) && !isLocalName(node, name, source.text);
      const isShared = isSharedState(target, source);
      if (isCounter || isShared || isOfClosure(node, name, source.text, 'module')) counted.add(name);
    }
    for (const node of nodesOf(source.root)) {
      if (above(node, inFunction) === null) continue;
      const name = comparedName(node, source.text) ?? indexName(node, source.text);
      if (name !== null && counted.has(name)) {
        yield { line: node.line, words: `its result depends on ${name}, which counts calls` };
        counted.delete(name);
      }
    }
    for (const call of callsIn(source.root)) {
      if (above(call, inFunction) !== null && takesNext(call, source)) {
        yield { line: call.line, words: 'each call returns the next value of an iterator' };
      }
      const [owner = '', method = ''] = chainOf(call, source.text);
      if (lists.has(owner) && NEXT.test(method) && above(call, inFunction) !== null) {
        yield { line: call.line, words: `each call returns the next value of ${owner}` };
      }
    }
  },
};

/** `n += 1`, `n++` and `n = (n ?? 0) + 1`. */
function isUpdate(node: SyntaxNode, text: string): boolean {
  if (UPDATES.has(node.kind)) return true;
  if (node.kind !== 'assignment_expression' && node.kind !== 'assignment') return false;
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left === null || right === null || !/^binary_/.test(right.kind)) return false;
  return [...nodesOf(right)].some((each) => each.kind === left.kind && plainText(each, text) === plainText(left, text));
}

/**
 * `answers.next().value` and `next(ANSWERS)`, if the module made the iterator from literals; `list[next(calls)]` with
 * any iterator.
 */
function takesNext(call: SyntaxNode, { root, text }: SourceText): boolean {
  const chain = chainOf(call, text);
  const [argument] = argumentsOf(call);
  const isMethod = chain.length === 2 && chain[1] === 'next';
  const isFunction = chain.length === 1 && chain[0] === 'next' && argument?.kind === 'identifier';
  if (!isMethod && !isFunction) return false;
  if (call.parent?.field === 'index' || call.field === 'subscript' || call.field === 'index') return true;
  const name = isMethod ? firstText(chain) : plainText(argument ?? call, text);
  return namesOfLiterals(root, text).has(name);
}

/** Names of the module whose value has literals. */
const namesOfLiterals = once((root: SyntaxNode, text: string): ReadonlySet<string> => {
  const names = [...nodesOf(root)].flatMap((node) => {
    const declared = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (declared === null || value === null || above(node, inFunction) !== null) return [];
    return literalsIn(value, text).size > 0 ? [plainText(declared, text)] : [];
  });
  return new Set(names);
});

function comparedName(node: SyntaxNode, text: string): string | null {
  if (!COMPARISONS.has(node.kind)) return null;
  const operator = operatorOf(node);
  if (!/^(?:[=!]==?|[<>]=?|%)$/.test(plainText(operator, text))) return null;
  const sides = namedChildren(node);
  if (!sides.some(({ kind }) => NUMBERS.has(kind))) return null;
  const other = sides.find(({ kind }) => !NUMBERS.has(kind));
  if (other === undefined) return null;
  const bare = other.kind === 'update_expression' ? childOf(other, 'argument') : other;
  return bare === null ? null : plainText(bare, text);
}

/** `answers[n++]`. */
function indexName(node: SyntaxNode, text: string): string | null {
  const index = indexOf(node);
  if (index === null) return null;
  const names = identifiersIn(index, text);
  return names.size === 1 ? ([...names][0] ?? null) : null;
}
