import type { SyntaxNode } from '../../contracts/ports/syntax.ts';

export interface Definition {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** The line that defines it, trimmed. */
  readonly signature: string;
}

/** The definitions of a file, and how often it uses each identifier. */
export interface FileTags {
  readonly path: string;
  readonly definitions: readonly Definition[];
  readonly references: ReadonlyMap<string, number>;
}

/** Kinds of nodes that define a name, in the shipped grammars. */
const DEFINITIONS = new Set([
  ...['function_declaration', 'generator_function_declaration', 'class_declaration', 'abstract_class_declaration'],
  ...['interface_declaration', 'type_alias_declaration', 'enum_declaration', 'method_definition'],
  ...['function_definition', 'class_definition'],
  ...['method_declaration', 'type_spec'],
]);
const IDENTIFIERS = new Set(['identifier', 'type_identifier', 'property_identifier', 'field_identifier']);
/** A constant counts as a definition only at the top level of a file. */
const TOP_LEVEL = new Set(['program', 'export_statement', 'module', 'source_file']);
const CONSTANTS = new Set(['lexical_declaration', 'variable_declaration', 'const_declaration', 'var_declaration']);
const MAX_SIGNATURE = 160;

/** The names that a file defines and the names that it uses. Pure. */
export function tagsOf(path: string, root: SyntaxNode, text: string): FileTags {
  const definitions: Definition[] = [];
  const references = new Map<string, number>();
  const lines = text.split('\n');
  const define = (name: SyntaxNode | null): void => {
    if (name === null) return;
    const signature = (lines[name.line - 1] ?? '').trim().slice(0, MAX_SIGNATURE);
    definitions.push({ name: text.slice(name.start, name.end), line: name.line, signature });
  };
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (DEFINITIONS.has(node.kind)) define(fieldOf(node, 'name'));
    else if (CONSTANTS.has(node.kind) && TOP_LEVEL.has(node.parent?.kind ?? '')) {
      for (const child of node.children) define(fieldOf(child, 'name'));
    }
    if (IDENTIFIERS.has(node.kind)) {
      const name = text.slice(node.start, node.end);
      references.set(name, (references.get(name) ?? 0) + 1);
    }
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
  return { path, definitions, references };
}

function fieldOf(node: SyntaxNode, field: string): SyntaxNode | null {
  const found = node.children.find((child) => child.field === field) ?? null;
  return found !== null && IDENTIFIERS.has(found.kind) ? found : null;
}
