import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { SourceText } from '../findings/finding.ts';
import { CALLS, FUNCTIONS, identifiersIn } from '../findings/names.ts';
import { childOf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';

export interface DeletedCode {
  /** Names that nothing may refer to any more. */
  readonly names: readonly string[];
  /** Those of them that stood in a statement of their own that exports them. */
  readonly exported: readonly string[];
  /** What a name says nothing about: `line: words`. */
  readonly doubts: readonly string[];
}

const IMPORTS = new Set(['import_statement', 'import_from_statement', 'future_import_statement']);
const DECLARATIONS = new Set([
  ...['function_declaration', 'generator_function_declaration', 'class_declaration', 'lexical_declaration'],
  ...['variable_declaration', 'interface_declaration', 'type_alias_declaration', 'enum_declaration'],
  ...['abstract_class_declaration', 'function_definition', 'class_definition', 'type_declaration'],
]);
const WRAPPERS = new Set(['export_statement']);
/** Names of these are those of what is declared. */
const NAMED = new Set([...DECLARATIONS, 'variable_declarator', 'type_spec', 'export_specifier']);
/** What runs as soon as the file is loaded. */
const RUNS = new Set([
  ...CALLS,
  'await_expression',
  'assignment_expression',
  'augmented_assignment_expression',
  'decorator',
]);
const MAX_SHOWN = 60;

/**
 * Pure: what one file lost. Whole declarations at the top of a file are dead where nothing names them; a statement, a part of one and what runs when the file is
 * loaded may have an effect without any name. `after` is null for a file that is gone.
 */
export function deletedCode(before: SourceText, after: SourceText | null): DeletedCode {
  const left = statementsOf(after);
  const known = new Set(left.map(({ text }) => text));
  const old = statementsOf(before);
  const gone = old.filter(({ text }) => !known.has(text));
  const declared = gone.filter(({ node }) => isDeclaration(node));
  const inDeclared = new Set(declared.flatMap(({ node }) => [...identifiersIn(node, before.text)]));
  const remaining = new Set(left.map(({ text }) => text));
  for (const { text } of old) remaining.delete(text);
  const partial = left.find(({ node, text }) => remaining.has(text) && !isList(node));
  const names = declared.flatMap(({ node }) => namesOf(node, before.text).map((name) => ({ node, name })));
  return {
    names: [...new Set(names.map(({ name }) => name))],
    exported: names.flatMap(({ node, name }) => (WRAPPERS.has(node.kind) ? [name] : [])),
    doubts: [
      ...gone.flatMap(({ node, text }) => doubtOf(node, text, inDeclared, before.text)),
      ...(partial === undefined ? [] : [`${partial.node.line}: a part of a statement is gone`]),
    ],
  };
}

/** An import or a list of exports, which may get shorter. */
function isList(node: SyntaxNode): boolean {
  return IMPORTS.has(node.kind) || (WRAPPERS.has(node.kind) && childOf(node, 'declaration') === null);
}

interface Statement {
  readonly node: SyntaxNode;
  readonly text: string;
}

function statementsOf(source: SourceText | null): Statement[] {
  if (source === null) return [];
  return namedChildren(source.root).map((node) => ({ node, text: textOf(node, source.text) }));
}

function isDeclaration(node: SyntaxNode): boolean {
  if (!WRAPPERS.has(node.kind)) return DECLARATIONS.has(node.kind);
  const inner = childOf(node, 'declaration');
  return inner === null ? childOf(node, 'source') === null && childOf(node, 'value') === null : isDeclaration(inner);
}

function doubtOf(node: SyntaxNode, text: string, inDeclared: ReadonlySet<string>, source: string): string[] {
  const shown = `${text.split('\n')[0]?.slice(0, MAX_SHOWN) ?? ''}`;
  if (IMPORTS.has(node.kind)) {
    const bound = [...identifiersIn(node, source)];
    const isUsed = bound.some((name) => inDeclared.has(name));
    return isUsed
      ? []
      : [`${node.line}: an import goes that nothing deleted uses, and it may have an effect: ${shown}`];
  }
  if (!isDeclaration(node)) return [`${node.line}: no declaration that could be unused: ${shown}`];
  return runsAtLoad(node) ? [`${node.line}: it runs when the file is loaded: ${shown}`] : [];
}

function runsAtLoad(node: SyntaxNode): boolean {
  if (RUNS.has(node.kind)) return true;
  // A function's body waits until somebody calls it.
  if (FUNCTIONS.has(node.kind)) return false;
  return node.children.some(runsAtLoad);
}

function namesOf(node: SyntaxNode, text: string): string[] {
  const top = WRAPPERS.has(node.kind) ? (childOf(node, 'declaration') ?? node) : node;
  const own = [...(NAMED.has(top.kind) ? [top] : []), ...declarators(top)];
  return own.flatMap((each) => {
    const name = childOf(each, 'name');
    if (name === null) return [];
    return name.kind.endsWith('identifier') ? [textOf(name, text)] : [...identifiersIn(name, text)];
  });
}

function declarators(node: SyntaxNode): SyntaxNode[] {
  return [...nodesOf(node)].filter(
    (each) => ['variable_declarator', 'export_specifier', 'type_spec'].includes(each.kind) && !isInFunction(each, node),
  );
}

function isInFunction(node: SyntaxNode, top: SyntaxNode): boolean {
  for (let each = node.parent; each !== null && each !== top.parent; each = each.parent)
    if (FUNCTIONS.has(each.kind)) return true;
  return false;
}
