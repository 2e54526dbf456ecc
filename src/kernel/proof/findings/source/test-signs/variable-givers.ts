import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { once } from '../../../syntax/once.ts';
import { above, childOf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { CALLS, FUNCTIONS, identifiersIn } from '../../names.ts';

const GIVES =
  /^(?:variable_declarator|assignment|assignment_expression|assignment_statement|short_var_declaration|let_declaration)$/;
const LOOPS = /^(?:for|while|until|do|loop)(?:_\w+)?$/;

/** The assignments of a file, by the name of the variable. */
const giversIn = once((root: SyntaxNode, text: string): ReadonlyMap<string, readonly SyntaxNode[]> => {
  const found = new Map<string, SyntaxNode[]>();
  for (const node of nodesOf(root)) {
    const left = GIVES.test(node.kind) ? leftOf(node) : null;
    if (left === null) continue;
    for (const each of left.kind === 'expression_list' ? namedChildren(left) : [left]) {
      const name = plainText(each, text);
      const known = found.get(name);
      if (known === undefined) found.set(name, [node]);
      else known.push(node);
    }
  }
  return found;
});

function leftOf(giver: SyntaxNode): SyntaxNode | null {
  return childOf(giver, 'name') ?? childOf(giver, 'left') ?? childOf(giver, 'pattern');
}

export function givenValue(giver: SyntaxNode): SyntaxNode | null {
  return childOf(giver, 'value') ?? childOf(giver, 'right');
}

/**
 * Whether a value is only the default or the start of a variable: `if cwd is None: cwd = os.getcwd()`, or a loop that
 * goes on from it: `path = os.path.dirname(path)`.
 */
export function isDefaultOrStart(name: string, giver: SyntaxNode, root: SyntaxNode, text: string): boolean {
  const others = (giversIn(root, text).get(name) ?? []).filter(
    (each) => each.start !== giver.start && scopeOf(each) === scopeOf(giver),
  );
  const isWalk = others.some((each) => {
    const value = givenValue(each);
    return isInLoop(each) && value !== null && isCall(value) && identifiersIn(value, text).has(name);
  });
  if (isWalk) return true;
  const isGiven = isParameter(name, giver, text) || others.some((each) => isCall(givenValue(each)));
  return isGiven && asksFor(name, giver, text);
}

function isCall(value: SyntaxNode | null): boolean {
  const [only, ...more] = value?.kind === 'expression_list' ? namedChildren(value) : [value];
  return only !== null && only !== undefined && more.length === 0 && CALLS.has(only.kind);
}

/** Whether the result of another call has replaced the value of the giver where the node is. */
export function isReplaced(name: string, giver: SyntaxNode, node: SyntaxNode, root: SyntaxNode, text: string): boolean {
  return (giversIn(root, text).get(name) ?? []).some((each) => {
    const value = givenValue(each);
    const isBetween = each.start > giver.start && each.end <= node.start && scopeOf(each) === scopeOf(giver);
    if (!isBetween || value === null || !isCall(value) || identifiersIn(value, text).has(name)) return false;
    const statement = /_statement$|_declaration$/.test(kindOf(each.parent)) && each.field === null ? each.parent : each;
    const block = statement?.parent ?? root;
    return block.start <= node.start && node.end <= block.end;
  });
}

function scopeOf(node: SyntaxNode): number | null {
  return above(node, ({ kind }) => FUNCTIONS.has(kind))?.start ?? null;
}

function isInLoop(node: SyntaxNode): boolean {
  const loop = above(node, ({ kind, named }) => named && (LOOPS.test(kind) || FUNCTIONS.has(kind)));
  return loop !== null && LOOPS.test(loop.kind);
}

function isParameter(name: string, node: SyntaxNode, text: string): boolean {
  const scope = above(node, ({ kind }) => FUNCTIONS.has(kind));
  const list = childOf(scope, 'parameters') ?? childOf(scope, 'parameter');
  return list !== null && identifiersIn(list, text).has(name);
}

/** Whether the assignment is in a branch whose condition asks for the variable. */
function asksFor(name: string, giver: SyntaxNode, text: string): boolean {
  const branch = above(giver, (each) => childOf(each, 'condition') !== null || FUNCTIONS.has(each.kind));
  const condition = childOf(branch, 'condition');
  return condition !== null && identifiersIn(condition, text).has(name);
}
