import type { ParseSyntax, SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { GRAMMARS } from '../syntax/grammars/grammars.ts';
import { kindOf, nodesOf } from '../syntax/walk.ts';

/** Declarations. Loading the module executes their lines, even if nothing in them is called. */
const PYTHON_DECLARATIONS = new Set(['function_definition', 'class_definition', 'decorated_definition']);
const PYTHON_SILENT = new Set(['global_statement', 'nonlocal_statement', 'comment']);

/**
 * Pure: returns the 1-based lines of a text that contain code which runs. Comments, types, imports and lines with only
 * brackets do not count. In Python and Ruby, a statement counts at its first line. In PHP too, if it is inside a
 * function. In Go, only the bodies of functions count.
 */
export function codeLines(language: SyntaxLanguage, root: SyntaxNode): ReadonlySet<number> {
  const lines = new Set<number>();
  const { inert } = GRAMMARS[language];
  const waiting = language === 'go' ? bodiesOf(root) : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (inert.has(node.kind)) continue;
    if (runs(node, language)) lines.add(node.line);
    waiting.push(...node.children);
  }
  return lines;
}

function runs(node: SyntaxNode, language: SyntaxLanguage): boolean {
  if (language === 'python') return isPythonStatement(node);
  if (language === 'ruby') return isRubyStatement(node);
  if (language === 'php') return isPhpStatement(node);
  return node.named && node.children.length === 0;
}

/** `codeLines` of each source with a known language, by path. */
export async function codeLinesOf(
  sources: readonly { readonly path: string; readonly after: string }[],
  parse: ParseSyntax,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const found = new Map<string, ReadonlySet<number>>();
  for (const { path, after } of sources) {
    const language = languageOfFile(path);
    const parsed = language === null ? null : await parse(language, after);
    if (language !== null && parsed?.kind === 'parsed') found.set(path, codeLines(language, parsed.root));
  }
  return found;
}

/** Go does not count declarations outside of functions. */
function bodiesOf(root: SyntaxNode): SyntaxNode[] {
  return [...nodesOf(root)].filter(({ kind, parent }) => kind === 'block' && GRAMMARS.go.functions.has(kindOf(parent)));
}

function isPythonStatement(node: SyntaxNode): boolean {
  const isInBlock = node.parent?.kind === 'module' || node.parent?.kind === 'block';
  if (!isInBlock || !node.named || PYTHON_DECLARATIONS.has(node.kind) || PYTHON_SILENT.has(node.kind)) return false;
  // A string that is a statement is documentation and never runs.
  return !(node.kind === 'expression_statement' && node.children.every(({ kind }) => kind === 'string'));
}

/**
 * Ruby counts the lines of a method when it is called. It does not count nodes that only contain other statements, or
 * unused values.
 */
const RUBY_SILENT =
  /^(?:comment|class|module|singleton_class|begin|alias|undef|then|else|elsif|rescue|ensure|when|end)$/;
const RUBY_BODIES = /^(?:program|body_statement|block_body|then|else|begin|ensure|do)$/;

function isRubyStatement(node: SyntaxNode): boolean {
  return node.named && RUBY_BODIES.test(kindOf(node.parent)) && !RUBY_SILENT.test(node.kind);
}

const PHP_SILENT = /^(?:comment|try_statement|compound_statement|(?:class|function)_\w+|else_(?:if_)?clause)$/;
const PHP_BODIES = /^(?:compound_statement|case_statement|default_statement)$/;

/** PHP counts a statement at its first line. */
function isPhpStatement(node: SyntaxNode): boolean {
  const isInBlock = PHP_BODIES.test(kindOf(node.parent)) && node.field !== 'value';
  const isAlone = node.field === 'body' && /_statement$/.test(node.kind);
  return node.named && (isInBlock || isAlone) && !PHP_SILENT.test(node.kind);
}
