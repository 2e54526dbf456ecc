import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { above, childOf, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { SourceText } from '../../../finding.ts';
import { FUNCTIONS, identifiersIn } from '../../../names.ts';

const DECLARATIONS = new Set([
  ...['variable_declarator', 'assignment_expression', 'assignment', 'named_expression', 'short_var_declaration'],
  ...['var_spec', 'const_spec', 'let_declaration', 'const_item', 'static_item', ...FUNCTIONS],
]);
const NAMES = new Set(['identifier', 'variable_name', 'constant', 'shorthand_property_identifier_pattern']);
/** Assignments to members change data of an object, not the variable. */
const MEMBERS = /member|attribute|subscript|selector|field|scoped|call|element_reference/;
/** Maximum number of variables between an expression and a value. */
const MAX_STEPS = 2;
/** Maximum number of declarations for one expression, and maximum length of a declaration in characters. */
const MAX_DECLARATIONS = 20;
const MAX_LENGTH = 2_000;

/** Yields the nodes of an expression, and of the variables and functions in the same file that it uses. */
export type PartsOf = (expression: SyntaxNode) => Generator<SyntaxNode>;

export function partsIn({ root, text }: SourceText): PartsOf {
  const declared = new Map<string, SyntaxNode[]>();
  const parameters = new Map<SyntaxNode, ReadonlySet<string>>();
  for (const node of nodesOf(root)) {
    if (!DECLARATIONS.has(node.kind) || node.end - node.start > MAX_LENGTH) continue;
    for (const name of namesOf(node, text)) {
      const others = declared.get(name);
      if (others === undefined) declared.set(name, [node]);
      else others.push(node);
    }
  }
  return (expression) => partsOf(expression, MAX_STEPS, new Set());

  function* partsOf(node: SyntaxNode, steps: number, known: Set<SyntaxNode>): Generator<SyntaxNode> {
    for (const each of nodesOf(node)) {
      yield each;
      if (steps === 0 || !NAMES.has(each.kind) || isMember(each)) continue;
      const name = plainText(each, text);
      for (const declaration of declared.get(name) ?? []) {
        if (known.size === MAX_DECLARATIONS) return;
        if (known.has(declaration) || !isSeen(declaration, name, each)) continue;
        known.add(declaration);
        yield* partsOf(declaration, steps - 1, known);
      }
    }
  }

  /**
   * Whether a name at this place refers to this declaration: no function between them has a parameter of the same name.
   */
  function isSeen(declaration: SyntaxNode, name: string, place: SyntaxNode): boolean {
    const scope = functionAbove(declaration);
    for (let each = functionAbove(place); each !== scope; each = functionAbove(each)) {
      if (each === null) return false;
      if (parametersOf(each).has(name)) return false;
    }
    return true;
  }

  function parametersOf(node: SyntaxNode): ReadonlySet<string> {
    const given = childOf(node, 'parameters') ?? childOf(node, 'parameter');
    const names = parameters.get(node) ?? (given === null ? new Set<string>() : identifiersIn(given, text));
    parameters.set(node, names);
    return names;
  }
}

const functionAbove = (node: SyntaxNode): SyntaxNode | null => above(node, ({ kind }) => FUNCTIONS.has(kind));

function namesOf(declaration: SyntaxNode, text: string): string[] {
  const given = declaration.children.filter(({ field }) => field === 'name' || field === 'left' || field === 'pattern');
  return given.flatMap((each) => {
    const nodes = [...nodesOf(each)];
    if (nodes.some(({ kind }) => MEMBERS.test(kind) && !NAMES.has(kind))) return [];
    return nodes.filter(({ kind }) => NAMES.has(kind)).map((name) => plainText(name, text));
  });
}

/** `name` in `object.name`. */
function isMember({ field, parent }: SyntaxNode): boolean {
  if (field === 'attribute') return true;
  const isNamed = (field === 'name' || field === 'method') && parent !== null;
  return isNamed && (childOf(parent, 'object') ?? childOf(parent, 'receiver')) !== null;
}
