import { posix } from 'node:path';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { collectsInProject } from '../../runners/command-parts.ts';
import { classifyPath } from '../../policy/index.ts';
import type { SessionContext } from '../../services.ts';
import type { SourceText } from '../findings/finding.ts';
import { functionName } from '../findings/names.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { changedLines } from '../mutation/changed-lines.ts';
import type { BreakableText } from '../mutation/chosen-mutants.ts';
import { GRAMMARS } from '../syntax/grammars/grammars.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { above, childOf, nodesOf, textOf } from '../syntax/walk.ts';
import { importedPaths } from './imported-files.ts';
import { firstReadable, textAt } from '../read-text.ts';

/** Maximum number of source files. A few tests rarely use more. */
const MAX_FILES = 20;
const IMPORTS = new Set(['import_statement', 'import_from_statement', 'import_declaration']);
const CLASSES = new Set(['class_declaration', 'class', 'class_definition']);

/**
 * Returns the source that new tests use: in the files that they import, the functions that the new lines name. If they
 * name no function of a file, the whole file.
 */
export async function exercisedSource(
  { services, workspace }: SessionContext,
  command: TestCommand,
  tests: readonly ChangedText[],
): Promise<BreakableText[]> {
  const isSource = (path: string): boolean =>
    classifyPath(services.policy(), path).kind === 'source' && !collectsInProject(command, path);
  const names = new Map<string, Set<string>>();
  for (const test of tests) {
    const read = await parsed(test.path, test.after);
    if (read === null) continue;
    const used = namesOn(read, changedLines(test.before, test.after));
    const imported = importedPaths(read, { ...read, path: test.path, projectRoot: services.options.project_root });
    for (const path of [...(await firstThere(imported)), ...(await besides(test.path, read.language))]) {
      if (!isSource(path)) continue;
      names.set(path, new Set([...(names.get(path) ?? []), ...used]));
    }
  }
  const found: BreakableText[] = [];
  for (const [path, used] of [...names].slice(0, MAX_FILES)) {
    const text = await textAt(workspace, path);
    const read = text === null ? null : await parsed(path, text);
    const lines = read === null ? new Set<number>() : linesNamed(read, used);
    if (read !== null && lines.size > 0) found.push({ path, before: read.text, after: read.text, lines });
  }
  return found;

  async function parsed(path: string, text: string): Promise<ReadText | null> {
    const language = languageOfFile(path);
    if (language === null) return null;
    const tree = await services.parseSyntax(language, text);
    return tree.kind === 'parsed' ? { language, text, root: tree.root } : null;
  }

  async function firstThere(imports: readonly (readonly string[])[]): Promise<string[]> {
    const there = await Promise.all(imports.map((paths) => firstReadable(workspace, paths)));
    return there.filter((path) => path !== null);
  }

  /**
   * Files that a test can use without importing their paths: in Go, files of the same package; in Rust, files of the
   * crate.
   */
  async function besides(path: string, language: SyntaxLanguage): Promise<readonly string[]> {
    if (language === 'rust') {
      const crate = /^(.*?)(?:^|\/)(?:src|tests)\//.exec(path)?.[1] ?? '';
      const found = await workspace.glob('**/*.rs', posix.join(crate, 'src') as ProjectPath, MAX_FILES);
      return [...new Set([...(isSource(path) ? [path] : []), ...found.paths])];
    }
    if (language !== 'go') return [];
    const directory = posix.dirname(path);
    return (await workspace.glob('*.go', (directory === '.' ? '' : directory) as ProjectPath, MAX_FILES)).paths;
  }
}

interface ReadText extends SourceText {
  readonly language: SyntaxLanguage;
}

/** Names on these lines, including members. Imported names are left out, because old cases may use them. */
function namesOn({ root, text }: SourceText, lines: ReadonlySet<number>): Set<string> {
  const names = [...nodesOf(root)].filter(({ kind, line }) => kind.endsWith('identifier') && lines.has(line));
  return new Set(names.filter((node) => !isImported(node, text)).map((node) => textOf(node, text)));
}

function isImported(node: SyntaxNode, text: string): boolean {
  const place = above(node, ({ kind }) => IMPORTS.has(kind) || kind === 'variable_declarator');
  if (place?.kind !== 'variable_declarator') return place !== null;
  const value = childOf(place, 'value');
  return /^(?:await import|require)\(/.test(textOf(value, text));
}

/**
 * Lines of the named functions and methods; if there are none, of the named classes; otherwise of the whole file, if it
 * was imported.
 */
function linesNamed({ root, text, language }: ReadText, names: ReadonlySet<string>): ReadonlySet<number> {
  const nodes = [...nodesOf(root)];
  const isNamed = (node: SyntaxNode): boolean => names.has(nameOf(node, text) ?? '');
  const functions = nodes.filter((node) => GRAMMARS[language].functions.has(node.kind) && isNamed(node));
  const named = functions.length > 0 ? functions : nodes.filter((node) => CLASSES.has(node.kind) && isNamed(node));
  const chosen = named.length > 0 || language === 'go' || language === 'rust' ? named : [root];
  return new Set(
    chosen.flatMap(({ line, endLine }) => Array.from({ length: endLine - line + 1 }, (_, index) => line + index)),
  );
}

/** The name of a function. An arrow function has the name of its variable or key. */
function nameOf(node: SyntaxNode, text: string): string | null {
  const holder = node.parent?.kind === 'variable_declarator' || node.parent?.kind === 'pair' ? node.parent : null;
  const name = functionName(node) ?? (holder === null ? null : (childOf(holder, 'name') ?? childOf(holder, 'key')));
  return name === null ? null : textOf(name, text);
}
