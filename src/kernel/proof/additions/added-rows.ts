import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { SourceText } from '../findings/finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, FUNCTIONS } from '../findings/names.ts';
import { above, childOf, namedChildren, nodesOf, plainText, rootOf, textOf } from '../syntax/walk.ts';

/** A node, and the text that its offsets refer to. */
interface Written {
  readonly node: SyntaxNode;
  readonly text: string;
}

const LISTS = new Set(['array', 'list', 'tuple', 'literal_value', 'array_expression', 'array_initializer']);
const ANNOTATED_LIST = 'element_value_array_initializer';
/** Loops, and the field that has the collection. */
const LOOPS = new Map([
  ['for_in_statement', 'right'],
  ['for_statement', 'right'],
  ['range_clause', 'right'],
  ['for_expression', 'value'],
  ['enhanced_for_statement', 'value'],
]);
const DECLARATIONS = new Set([
  ...['variable_declarator', 'assignment', 'short_var_declaration', 'var_spec', 'let_declaration'],
]);
/** Fields of a declaration that have the declared name. */
const NAMED_BY = ['name', 'left', 'pattern'];
/** Nodes that only wrap a list and do not change its meaning. */
const AROUND_LIST = new Set([
  ...['composite_literal', 'expression_list', 'as_expression', 'satisfies_expression', 'parenthesized_expression'],
  ...['reference_expression', 'array_creation_expression'],
]);
/** The map type of Go: the order of a loop over it is random. */
const UNORDERED = 'map_type';
/** Nodes that have an effect when the list is created. */
const EFFECTS = new Set([
  ...['assignment_expression', 'augmented_assignment_expression', 'update_expression', 'named_expression'],
  ...['await_expression', 'await', 'yield_expression', 'yield', 'spread_element', 'list_splat', 'dictionary_splat'],
  ...['method_definition', 'macro_invocation', 'computed_property_name', 'class', 'class_expression'],
]);
/** Methods that run when a value is printed or compared. That can be before any case runs. */
const SPECIAL_MEMBERS = /^["']?(?:toString|valueOf|toJSON|asymmetricMatch|then|__\w+__)["']?$/;
/** Functions that compare, and functions of Go and Python that make a subtest. */
const ASKS = /^(?:assert|expect|require|should)|^(?:Run|subTest|Errorf?|Fatalf?)$/i;
/** Calls that register cases. */
export const CASES: ReadonlySet<string> = new Set(['test', 'it', 'specify', 'describe', 'suite', 'context']);
/** Only creates a row. */
const ROW = 'pytest.param';

/**
 * Returns whether the only difference of a statement is added rows in tables of cases. Tables are the arguments of
 * `it.each` and `parametrize`, annotations of Java such as `@CsvSource`, and lists in a loop that makes assertions or
 * cases. Every old row must still be there. In the list of a loop, new rows must be after the old ones, because a row
 * may end the loop. A new row consists of constants and functions, and calls only functions that the old rows call.
 */
export function hasOnlyAddedRows(before: SourceText, after: SourceText, old: SyntaxNode, now: SyntaxNode): boolean {
  return isGrown({ node: old, text: before.text }, { node: now, text: after.text });
}

function isGrown(old: Written, now: Written): boolean {
  if (plainText(old.node, old.text) === plainText(now.node, now.text)) return true;
  if (old.node.kind !== now.node.kind) return false;
  if (LISTS.has(old.node.kind) || old.node.kind === ANNOTATED_LIST) {
    const [place, same] = [placeOf(old), placeOf(now)];
    return place !== null && place === same && hasRowsOf(old, now, place);
  }
  const [had, has] = [old.node.children, now.node.children];
  if (had.length === 0 || had.length !== has.length) return false;
  return had.every((node, index) =>
    isGrown({ node, text: old.text }, { node: has[index] as SyntaxNode, text: now.text }),
  );
}

/** `cases`: each row is a case of its own. `loop`: a loop goes through the rows in one case. */
type Place = 'cases' | 'loop';

function placeOf({ node, text }: Written): Place | null {
  if (node.kind === ANNOTATED_LIST) {
    const annotation = above(node, ({ kind }) => kind === 'annotation');
    const name = childOf(annotation, 'name');
    return name !== null && textOf(name, text).endsWith('Source') ? 'cases' : null;
  }
  let list = node;
  while (list.parent !== null && AROUND_LIST.has(list.parent.kind)) {
    list = list.parent;
    if (childOf(list, 'type')?.kind === UNORDERED) return null;
  }
  return placeOfList(list, text) ?? placeOfName(list, text);
}

function placeOfList(list: SyntaxNode, text: string): Place | null {
  const { parent } = list;
  if (parent === null) return null;
  if (LOOPS.get(parent.kind) === list.field && list.field !== null) {
    const loop = parent.kind === 'range_clause' ? parent.parent : parent;
    return asks(childOf(loop, 'body'), text) ? 'loop' : null;
  }
  if (parent.kind === 'member_expression' && list.field === 'object') {
    const property = childOf(parent, 'property');
    const called = parent.parent !== null && calleeOf(parent.parent) === parent ? parent.parent : null;
    const isLoop = called !== null && textOf(property, text) === 'forEach';
    return isLoop && asks(argumentsOf(called)[0] ?? null, text) ? 'loop' : null;
  }
  const call = list.field === null ? parent.parent : null;
  if (call === null || !CALLS.has(call.kind)) return null;
  const chain = chainOf(call, text);
  const place = argumentsOf(call).indexOf(list);
  if (chain.at(-1) === 'each' && CASES.has(firstText(chain))) return place === 0 ? 'cases' : null;
  return chain.join('.') === 'pytest.mark.parametrize' && place === 1 ? 'cases' : null;
}

/**
 * Whether a loop compares something for each row, or makes a case for each row. A loop that only prepares data does not
 * count: each new row would change the case that uses the data.
 */
function asks(body: SyntaxNode | null, text: string): boolean {
  if (body === null) return false;
  return [...nodesOf(body)].some((each) => {
    if (each.kind === 'assert_statement') return true;
    if (each.kind === 'macro_invocation') return textOf(each, text).startsWith('assert');
    if (!CALLS.has(each.kind)) return false;
    const chain = chainOf(each, text);
    return chain.some((name) => ASKS.test(name)) || CASES.has(firstText(chain));
  });
}

/** The place of a list that is assigned to a name, if the name is used only in loops and tables of cases. */
function placeOfName(list: SyntaxNode, text: string): Place | null {
  const declaration = list.parent;
  if (declaration === null || !DECLARATIONS.has(declaration.kind)) return null;
  const [left] = NAMED_BY.flatMap((field) => childOf(declaration, field) ?? []);
  const named = left?.kind === 'expression_list' ? namedChildren(left) : [left];
  const [name] = named;
  if (named.length !== 1 || name?.kind !== 'identifier') return null;
  const uses = [...nodesOf(rootOf(list))].filter(
    (each) => each.children.length === 0 && textOf(each, text) === textOf(name, text) && each !== name,
  );
  const places = uses.map((each) => (isDeclared(each) ? 'loop' : placeOfUse(each, text)));
  if (places.length === 0 || places.includes(null)) return null;
  return places.includes('loop') ? 'loop' : 'cases';
}

function placeOfUse(use: SyntaxNode, text: string): Place | null {
  if (use.kind !== 'identifier') return null;
  const isReferred = use.parent?.kind === 'reference_expression';
  return placeOfList(isReferred && use.parent !== null ? use.parent : use, text);
}

/** A declaration of another table with the same name, in another function. */
function isDeclared(use: SyntaxNode): boolean {
  const holder = use.parent?.kind === 'expression_list' ? use.parent : use;
  return holder.parent !== null && DECLARATIONS.has(holder.parent.kind) && NAMED_BY.includes(holder.field ?? '');
}

function hasRowsOf(old: Written, now: Written, place: Place): boolean {
  const had = namedChildren(old.node);
  const left = namedChildren(now.node);
  const added: SyntaxNode[] = [];
  for (const row of had) {
    const found = left.findIndex((each) => plainText(each, now.text) === plainText(row, old.text));
    if (found === -1 || (place === 'loop' && found > 0)) return false;
    added.push(...left.splice(0, found + 1).slice(0, -1));
  }
  const called = new Set([ROW, ...had.flatMap((row) => calleesIn(row, old.text))]);
  return [...added, ...left].every((row) => isInert(row, now.text, called));
}

/** Whether a row has no effect when the list is created. */
function isInert(row: SyntaxNode, text: string, called: ReadonlySet<string>): boolean {
  if (EFFECTS.has(row.kind)) return false;
  if (row.kind === 'pair' && SPECIAL_MEMBERS.test(keyOf(row, text))) return false;
  if (FUNCTIONS.has(row.kind)) return true;
  if (CALLS.has(row.kind) && !called.has(nameOfCallee(row, text))) return false;
  return row.children.every((each) => isInert(each, text, called));
}

function keyOf(pair: SyntaxNode, text: string): string {
  const key = childOf(pair, 'key');
  return textOf(key, text);
}

function calleesIn(row: SyntaxNode, text: string): string[] {
  return [...nodesOf(row)].flatMap((each) => (CALLS.has(each.kind) ? [nameOfCallee(each, text)] : []));
}

function nameOfCallee(call: SyntaxNode, text: string): string {
  const args = childOf(call, 'arguments');
  return text.slice(call.start, args?.start ?? call.end).replaceAll(/\s+/g, ' ');
}
