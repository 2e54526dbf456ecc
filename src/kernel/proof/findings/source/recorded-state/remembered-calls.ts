import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile, Inspection, SourceText } from '../../finding.ts';
import {
  calleeOf,
  CALLS,
  callsIn,
  chainOf,
  functionName,
  FUNCTIONS,
  identifiersIn,
  indexOf,
  literalOf,
  literalsIn,
  SUBSCRIPTS,
} from '../../names.ts';
import { answersOf, BRANCHES, conditionOf } from '../answers/answers.ts';
import { inFunction, isOfClosure, isSharedState, isLocalName, moduleValues } from './module-state.ts';

const GROWS = /^(?:add|set|push|unshift|append|insert|update|delete|clear|pop|shift)$/;
/** Nodes of the first value of a state variable. */
const BEGINNINGS = new Set([
  ...['array', 'list', 'object', 'dictionary', 'new_expression', 'call', 'set', 'true', 'false', 'null', 'none'],
  ...['undefined', 'string', 'number', 'integer', 'unary_operator'],
]);
const NOT = new Set(['unary_expression', 'not_operator']);

/**
 * Module state that a function changes and that decides its result: a flag that flips, or a collection whose size is
 * the number of calls. Initialisation and caches are not reported, because they return computed values and not literals
 * that a test expects.
 */
export const rememberedCalls: Inspection = {
  kind: 'counts-calls',
  *look(file, change) {
    const answers = new Set(change.asserted.flatMap((each) => [...each]));
    for (const [scope, changed] of changedState(file)) {
      for (const node of nodesOf(scope)) {
        const name = decidingName(node, file, changed, answers);
        if (name === undefined) continue;
        yield { line: node.line, words: `its result depends on ${name}, which remembers earlier calls` };
        break;
      }
    }
  },
};

/** Functions that change state outside of themselves: function -> names of the state. */
function changedState(file: InspectedFile): Map<SyntaxNode, Set<string>> {
  const kept = moduleValues(file, ({ kind }) => BEGINNINGS.has(kind));
  const found = new Map<SyntaxNode, Set<string>>();
  for (const node of nodesOf(file.root)) {
    const scope = above(node, inFunction);
    const target = scope === null ? null : changedTarget(node, file);
    if (scope === null || target === null) continue;
    const name = plainText(target, file.text);
    const isModules = kept.has(name) && (CALLS.has(node.kind) || !isLocalName(node, name, file.text));
    if (!isModules && !isSharedState(target, file) && !isOfClosure(node, name, file.text)) continue;
    found.set(scope, (found.get(scope) ?? new Set()).add(name));
  }
  return found;
}

/** The target that a node changes: the left side of an assignment, or the collection that a call changes. */
function changedTarget(node: SyntaxNode, { text }: SourceText): SyntaxNode | null {
  if (/^(?:augmented_assignment|update_)/.test(node.kind)) return childOf(node, 'left') ?? childOf(node, 'argument');
  if (node.kind === 'assignment' || node.kind === 'assignment_expression') {
    const left = childOf(node, 'left');
    return left !== null && SUBSCRIPTS.has(left.kind) ? (childOf(left, 'object') ?? childOf(left, 'value')) : left;
  }
  const callee = CALLS.has(node.kind) ? calleeOf(node) : null;
  const chain = chainOf(callee, text);
  if (callee === null || chain.length !== 2 || !GROWS.test(chain[1] ?? '')) return null;
  return childOf(callee, 'object');
}

/** The changed name that decides which expected value a node returns. */
function decidingName(
  node: SyntaxNode,
  file: InspectedFile,
  changed: ReadonlySet<string>,
  answers: ReadonlySet<string>,
): string | undefined {
  const { text } = file;
  if (flips(node, text, changed)) return plainText(childOrSelf(node, 'left'), text);
  const condition = BRANCHES.has(node.kind) ? conditionOf(node) : null;
  const index = SUBSCRIPTS.has(node.kind) ? indexOf(node) : null;
  const asked = condition ?? index;
  if (asked === null) return undefined;
  const name = [...changed].find((each) => mentions(asked, each, text));
  if (name === undefined) return undefined;
  const given = condition === null ? entriesOf(node, file) : alternativesOf(node, text);
  return [...given].some((each) => answers.has(each)) ? name : undefined;
}

/** Literals in an indexed table, which may be a literal or a name with a value in the file. */
function entriesOf(subscript: SyntaxNode, { root, text }: SourceText): Set<string> {
  const found = literalsIn(subscript, text);
  const object = childOf(subscript, 'object') ?? childOf(subscript, 'value');
  const name = plainText(object, text);
  for (const node of nodesOf(root)) {
    const named = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (named === null || value === null || plainText(named, text) !== name) continue;
    for (const each of literalsIn(value, text)) found.add(each);
  }
  return found;
}

/** Whether `flag = !flag` decides the result of its function. */
function flips(node: SyntaxNode, text: string, changed: ReadonlySet<string>): boolean {
  if (node.kind !== 'assignment' && node.kind !== 'assignment_expression') return false;
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  const name = plainText(left, text);
  if (right === null || !NOT.has(right.kind) || !changed.has(name) || !identifiersIn(right, text).has(name))
    return false;
  const scope = above(node, inFunction);
  if (scope === null || isOfInstance(scope, node, name, text)) return false;
  const isAnswer = scope.kind === 'arrow_function' && node.parent !== scope ? node.parent?.parent === scope : false;
  const returned = [...nodesOf(scope)].filter(({ kind }) => kind === 'return_statement');
  return isAnswer || node.parent === scope || returned.some((each) => identifiersIn(each, text).has(name));
}

/**
 * Whether each caller of a factory has its own state, and the function that changes it is given nothing, as in
 * `createToggle()`. If the file calls the factory outside of functions, all callers share the state.
 */
function isOfInstance(scope: SyntaxNode, node: SyntaxNode, name: string, text: string): boolean {
  const parameters = childOf(scope, 'parameters') ?? childOf(scope, 'parameter');
  if (parameters === null || plainText(parameters, text) !== '()') return false;
  if (!isOfClosure(node, name, text) || isOfClosure(node, name, text, 'module')) return false;
  let root = scope;
  const around = new Set<string>();
  for (let each = scope.parent; each !== null; each = each.parent) {
    root = each;
    const named = FUNCTIONS.has(each.kind) ? functionName(each) : null;
    if (named !== null) around.add(plainText(named, text));
  }
  return callsIn(root).every(
    (call) => above(call, inFunction) !== null || !around.has(plainText(calleeOf(call), text)),
  );
}

function mentions(node: SyntaxNode, name: string, text: string): boolean {
  return /^\w+$/.test(name) ? identifiersIn(node, text).has(name) : plainText(node, text).includes(name);
}

/**
 * Literals of both alternatives of a branch. If an `if` has no `else`, also those of the `return` statements after it.
 */
function alternativesOf(branch: SyntaxNode, text: string): Set<string> {
  const found = new Set(answersOf(branch, text));
  const other =
    childOf(branch, 'alternative') ?? (branch.kind === 'conditional_expression' ? branch.children[4] : null);
  if (other !== null && other !== undefined) for (const value of literalsIn(other, text)) found.add(value);
  const siblings = branch.parent?.children ?? [];
  for (const next of siblings.slice(siblings.indexOf(branch) + 1)) {
    if (next.kind !== 'return_statement') continue;
    for (const child of next.children) {
      const value = literalOf(child, text);
      if (value !== null) found.add(value);
    }
  }
  return found;
}
