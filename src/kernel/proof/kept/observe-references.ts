import { posix } from 'node:path';
import type { ProjectPath } from '../../../contracts/ids.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import { classifyPath } from '../../policy/index.ts';
import type { SessionContext } from '../../services.ts';
import type { SourceText } from '../findings/finding.ts';
import type { Observed } from '../observations/observe.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { nodesOf, textOf } from '../syntax/walk.ts';
import { deletedCode } from './deleted-code.ts';
import { sourceText, textAt } from '../read-text.ts';
import { whyPublic } from './public-code.ts';
import { sourceTexts } from './source-texts.ts';
import { unnamedUse } from './unnamed-uses.ts';

const MAX_FILES = 20_000;
const MAX_TOTAL_CHARACTERS = 64 * 1024 * 1024;
const MAX_NAMED = 5;
/** Constructs that load files by computed names. */
const COMPUTED = String.raw`(?:import|require(?:\.resolve)?)\s*\(\s*[^'"\s]|import_module|__import__|import\.meta\.glob|require\.context|pkgutil`;
const MAX_DETAIL = 1_000;

/**
 * Searches the whole project, including tests and settings, for names that a deletion removed. Comments and
 * documentation do not count.
 */
export async function observeReferences(context: SessionContext): Promise<Observed> {
  const { services, workspace } = context;
  const names: string[] = [];
  const doubts: string[] = [];
  const changed = new Set<string>();
  let hasFile = false;
  for (const { path, before, after } of await sourceTexts(context)) {
    if (before === null || classifyPath(services.policy(), path).kind === 'docs') continue;
    const then = await sourceText(services.parseSyntax, path, before);
    const now = after === null ? null : await sourceText(services.parseSyntax, path, after);
    if (then === null || (after !== null && now === null)) {
      doubts.push(`${path}: it cannot be parsed`);
      continue;
    }
    const code = deletedCode(then, now);
    const fileName = after === null ? [posix.basename(path, posix.extname(path))] : [];
    names.push(...code.names, ...fileName);
    doubts.push(...code.doubts.map((doubt) => `${path}:${doubt}`));
    const language = languageOfFile(path);
    const reason = language === null ? null : await whyPublic(path, language, code, (file) => textAt(workspace, file));
    if (reason !== null) doubts.push(`${path}: ${reason}`);
    changed.add(path);
    hasFile ||= after === null;
  }
  if (doubts.length > 0) return failed(doubts);
  const wanted = new Set(names);
  if (wanted.size === 0) return { outcome: 'failed', detail: 'the deleted code has no name to search for' };
  const uses = await usesOf(wanted);
  if (uses === null) return { outcome: 'impossible', detail: 'the project is too large to look through' };
  if (uses.length > 0) return failed(uses);
  const shown = listFirst([...wanted], { max: MAX_NAMED });
  return { outcome: 'held', detail: oneLine(`no code in the project uses the deleted names (${shown})`, MAX_DETAIL) };

  async function usesOf(names: ReadonlySet<string>): Promise<string[] | null> {
    const { paths, truncated } = await workspace.glob('**/*', '' as ProjectPath, MAX_FILES);
    if (truncated) return null;
    const word = wordsPattern(names);
    const loading = loadingPattern(changed, hasFile);
    const found: string[] = [];
    let characters = 0;
    for (const path of paths) {
      if (isElsewhere(path) || classifyPath(services.policy(), path).kind === 'docs') continue;
      const text = await textAt(workspace, path);
      characters += text?.length ?? 0;
      if (characters > MAX_TOTAL_CHARACTERS) return null;
      if (text === null || !(word.test(text) || loading.test(text))) continue;
      const source = await sourceText(services.parseSyntax, path, text);
      const line = word.test(text) ? lineOfUse(text, source, word) : null;
      if (line !== null) found.push(`${path}:${line} refers to a deleted name`);
      const language = languageOfFile(path);
      if (source === null || language === null) continue;
      const importer = { path, language, projectRoot: services.options.project_root };
      const unnamed = unnamedUse(source, importer, { paths: changed, hasFile });
      if (unnamed !== null) found.push(`${path}:${unnamed.line} ${unnamed.words}`);
      if (found.length >= MAX_NAMED) break;
    }
    return found;
  }
}

/** Whether a path is in installed packages or git's directory. They do not refer to names of the project. */
function isElsewhere(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || part === '.git');
}

function wordsPattern(names: ReadonlySet<string>): RegExp {
  const alternatives = [...names].map(escaped).join('|');
  return new RegExp(`(?<![\\w$])(?:${alternatives})(?![\\w$])`);
}

/**
 * Matches files that must be parsed: those that contain the name of a changed file. If a whole file was deleted, also
 * those that load files by computed names.
 */
function loadingPattern(paths: ReadonlySet<string>, hasFile: boolean): RegExp {
  const names = [...paths].map((path) => {
    const stem = posix.basename(path, posix.extname(path));
    return /^(?:index|__init__)$/.test(stem) ? posix.basename(posix.dirname(path)) : stem;
  });
  return new RegExp([...names.map(escaped), ...(hasFile ? [COMPUTED] : [])].join('|'));
}

/** Escapes a text for a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, String.raw`\$&`);
}

function lineOfUse(text: string, source: SourceText | null, word: RegExp): number | null {
  if (source === null) return text.slice(0, text.search(word)).split('\n').length;
  for (const node of nodesOf(source.root)) {
    if (node.children.length === 0 && node.kind !== 'comment' && word.test(textOf(node, text))) return node.line;
  }
  return null;
}

function failed(reasons: readonly string[]): Observed {
  return { outcome: 'failed', detail: oneLine(listFirst(reasons, { max: MAX_NAMED, separator: '; ' }), MAX_DETAIL) };
}
