import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { SourceText } from '../findings/finding.ts';
import { CALLS, FUNCTIONS, identifiersIn } from '../findings/names.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';
import { commonJsExports } from './commonjs-exports.ts';

export interface DeletedCode {
  /** Deleted names that no code may refer to. */
  readonly names: readonly string[];
  /** Those of `names` that an export statement of their own exported. */
  readonly exported: readonly string[];
  /** Deleted code that may have an effect which a search for names cannot show, as `line: words`. */
  readonly doubts: readonly string[];
}

const IMPORTS = new Set(['import_statement', 'import_from_statement', 'future_import_statement']);
const DECLARATIONS = new Set([
  ...['function_declaration', 'generator_function_declaration', 'class_declaration', 'lexical_declaration'],
  ...['variable_declaration', 'interface_declaration', 'type_alias_declaration', 'enum_declaration'],
  ...['abstract_class_declaration', 'function_definition', 'class_definition', 'type_declaration'],
]);
const WRAPPERS = new Set(['export_statement']);
/** Declarations that have the field `name`. */
const NAMED = new Set([...DECLARATIONS, 'variable_declarator', 'type_spec', 'export_specifier']);
/** Nodes that run when the file is loaded. */
const RUNS = new Set([
  ...CALLS,
  'await_expression',
  'assignment_expression',
  'augmented_assignment_expression',
  'decorator',
]);
const MAX_SHOWN = 60;

/**
 * Pure: returns what one file lost. A declaration at the top level is unused if no code names it. A statement, a part
 * of a statement and code that runs at load may have an effect without a name, so they are doubts. `after` is null for
 * a deleted file.
 */
export function deletedCode(before: SourceText, after: SourceText | null): DeletedCode {
  const left = statementsOf(after);
  const known = new Set(left.map(({ text }) => text));
  const old = statementsOf(before);
  const gone = old.filter(({ text }) => !known.has(text));
  const declared = gone.filter(isDeclared);
  const inDeclared = new Set(declared.flatMap(({ node }) => [...identifiersIn(node, before.text)]));
  const remaining = new Set(left.map(({ text }) => text));
  for (const { text } of old) remaining.delete(text);
  const partial = left.find((each) => remaining.has(each.text) && !isList(each));
  const listed = new Set(left.filter(isList).flatMap(namesOf));
  const names = declared.flatMap((each) =>
    namesOf(each)
      .filter((name) => !(isList(each) && listed.has(name)))
      .map((name) => ({ each, name })),
  );
  return {
    names: [...new Set(names.map(({ name }) => name))],
    exported: names.flatMap(({ each, name }) => (isExport(each) ? [name] : [])),
    doubts: [
      ...gone.flatMap((each) => doubtOf(each, inDeclared)),
      ...(partial === undefined ? [] : [`${partial.node.line}: a part of a statement was deleted`]),
    ],
  };
}

/** An import or a list of exports. It may become shorter. */
function isList({ node, exports }: Statement): boolean {
  return (
    exports !== null || IMPORTS.has(node.kind) || (WRAPPERS.has(node.kind) && childOf(node, 'declaration') === null)
  );
}

function isExport({ node, exports }: Statement): boolean {
  return exports !== null || WRAPPERS.has(node.kind);
}

function isDeclared({ node, exports }: Statement): boolean {
  return exports !== null || isDeclaration(node);
}

interface Statement {
  readonly node: SyntaxNode;
  readonly text: string;
  /** The text of the whole file. */
  readonly source: string;
  /** Names of a CommonJS export; null if the statement is not an export. */
  readonly exports: readonly string[] | null;
}

function statementsOf(source: SourceText | null): Statement[] {
  if (source === null) return [];
  const { root, text } = source;
  return namedChildren(root).map((node) => ({
    node,
    text: textOf(node, text),
    source: text,
    exports: commonJsExports(node, text),
  }));
}

function isDeclaration(node: SyntaxNode): boolean {
  if (!WRAPPERS.has(node.kind)) return DECLARATIONS.has(node.kind);
  const inner = childOf(node, 'declaration');
  return inner === null ? childOf(node, 'source') === null && childOf(node, 'value') === null : isDeclaration(inner);
}

function doubtOf(statement: Statement, inDeclared: ReadonlySet<string>): string[] {
  const { node, text, source } = statement;
  if (statement.exports !== null) return [];
  const shown = `${text.split('\n')[0]?.slice(0, MAX_SHOWN) ?? ''}`;
  if (IMPORTS.has(node.kind)) {
    const bound = [...identifiersIn(node, source)];
    const isUsed = bound.some((name) => inDeclared.has(name));
    return isUsed ? [] : [`${node.line}: a deleted import, which no deleted code uses, may have an effect: ${shown}`];
  }
  if (!isDeclaration(node)) return [`${node.line}: not a declaration, so it may have an effect: ${shown}`];
  return runsAtLoad(node) ? [`${node.line}: it runs when the file is loaded: ${shown}`] : [];
}

function runsAtLoad(node: SyntaxNode): boolean {
  if (RUNS.has(node.kind)) return true;
  // The body of a function runs only when it is called.
  if (FUNCTIONS.has(node.kind)) return false;
  return node.children.some(runsAtLoad);
}

function namesOf({ node, source: text, exports }: Statement): readonly string[] {
  if (exports !== null) return exports;
  const top = WRAPPERS.has(node.kind) ? childOrSelf(node, 'declaration') : node;
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
