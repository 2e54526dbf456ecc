import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { once } from '../../../syntax/once.ts';
import { above, childOf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { FUNCTIONS } from '../../names.ts';

const LISTS = new Set(['array', 'list']);

/**
 * Returns whether a name is a variable of a function around `node`, for example the `i` of a loop. In Python it is not
 * if the function declares it `global`.
 */
export function isLocalName(node: SyntaxNode, name: string, text: string): boolean {
  for (let scope = above(node, inFunction); scope !== null; scope = above(scope, inFunction)) {
    if (scope.kind === 'function_definition') return !globalsOf(scope, text).has(name);
    if (localsOf(scope, text).has(name)) return true;
  }
  return false;
}

/** Names that a Python function declares `global`. */
const globalsOf = once((scope: SyntaxNode, text: string): ReadonlySet<string> => {
  const statements = [...nodesOf(scope)].filter(({ kind }) => kind === 'global_statement');
  return new Set(statements.flatMap((each) => plainText(each, text).split(/[\s,]+/)));
});

/** Parameters and variables of a function in JavaScript. */
const localsOf = once((scope: SyntaxNode, text: string): ReadonlySet<string> => {
  const declared = [...nodesOf(scope)].filter(
    ({ kind, field, parent }) =>
      kind === 'identifier' &&
      (field === 'parameter' ||
        (field === 'name' && parent?.kind === 'variable_declarator') ||
        /parameters?$/.test(kindOf(parent))),
  );
  return new Set(declared.map((each) => plainText(each, text)));
});

export const inFunction = (node: SyntaxNode): boolean => FUNCTIONS.has(node.kind);

/** Returns variables of the module whose first value matches. */
export function moduleValues({ root, text }: SourceText, isMeant: (value: SyntaxNode) => boolean): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.kind !== 'variable_declarator' && node.kind !== 'assignment') continue;
    if (above(node, inFunction) !== null) continue;
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (name !== null && value !== null && isMeant(value)) names.add(plainText(name, text));
  }
  return names;
}

/**
 * Returns whether `f.calls += 1` or `Calls.count += 1` changes shared state: the object is a function or class of this
 * file, a global, or the default of a parameter.
 */
export function isSharedState(target: SyntaxNode | null, { root, text }: SourceText): boolean {
  if (target === null || target.kind === 'identifier') return false;
  const owner = /^\w+/.exec(plainText(target, text))?.[0] ?? '';
  if (/^(?:globalThis|global|builtins)$/.test(owner)) return true;
  return ownersOf(root, text).has(owner);
}

/** Functions, classes and parameters with a list as default: what has one value for all calls. */
const ownersOf = once((root: SyntaxNode, text: string): ReadonlySet<string> => {
  const names = [...nodesOf(root)].flatMap((node) => {
    const isList = node.kind === 'default_parameter' && LISTS.has(kindOf(childOf(node, 'value')));
    const isDeclared = FUNCTIONS.has(node.kind) || /^class(?:_declaration|_definition)?$/.test(node.kind);
    const name = isList || isDeclared ? childOf(node, 'name') : null;
    return name === null ? [] : [plainText(name, text)];
  });
  return new Set(names);
});

/**
 * Returns whether a name is a variable of an outer function around the function that contains `node`. With `module`,
 * that outer function must be called where it is declared, so that all callers share the variable. Otherwise each
 * caller gets its own state, as in a rate limiter.
 */
export function isOfClosure(node: SyntaxNode, name: string, text: string, of: 'module' | 'any' = 'any'): boolean {
  const inner = above(node, inFunction);
  if (inner === null || !/^\w+$/.test(name)) return false;
  const declares = (scope: SyntaxNode): boolean => assignedIn(scope, text).has(name);
  if (declares(inner)) return false;
  for (let scope = above(inner, inFunction); scope !== null; scope = above(scope, inFunction))
    if (declares(scope)) return of === 'any' || isCalledInPlace(scope);
  return false;
}

const assignedIn = once((scope: SyntaxNode, text: string): ReadonlySet<string> => {
  const assigned = [...nodesOf(scope)].filter(({ kind }) => kind === 'variable_declarator' || kind === 'assignment');
  return new Set(assigned.map((each) => plainText(childOf(each, 'name') ?? childOf(each, 'left') ?? each, text)));
});

/** `(() => { … })()`. */
function isCalledInPlace(scope: SyntaxNode): boolean {
  const outer = scope.parent?.kind === 'parenthesized_expression' ? scope.parent : scope;
  return outer.field === 'function';
}
