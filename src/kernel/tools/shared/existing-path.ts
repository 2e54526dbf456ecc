import type { ProjectPath } from '../../../contracts/ids.ts';
import { lastText } from '../../../lib/text/first-last.ts';
import { nearestWord } from '../../../lib/text/nearest-word.ts';
import { failure } from '../tool-answer.ts';
import type { ToolAnswer } from '../tool-answer.ts';
import type { ReadScope } from '../tool-context.ts';

export type ExistingPath =
  { readonly kind: 'ok'; readonly path: ProjectPath } | { readonly kind: 'refused'; readonly answer: ToolAnswer };

const MAX_ELSEWHERE = 3;

/**
 * Resolves a path from the model to an existing path that may be read. Policy was asked before about the path at that
 * time; here it is asked about the exact path that is read next.
 */
export async function existingPath(scope: ReadScope, written: string): Promise<ExistingPath> {
  const resolved = await scope.workspace.resolve(written);
  if (resolved.kind === 'refused') {
    return refused('path_refused', `"${written}" is refused: ${resolved.reason}.`);
  }
  if (!resolved.exists) return refused('not_found', await describeMissing(scope, resolved.path));
  if (!scope.readable(resolved.path)) {
    return refused('policy_denied', `Policy denies reading "${resolved.path}". Go on without its content.`);
  }
  return { kind: 'ok', path: resolved.path };
}

/** The directory or file to search in; the project if there is no path. */
export async function searchBase(scope: ReadScope, path: string | undefined): Promise<ExistingPath> {
  return path === undefined || path === '' ? { kind: 'ok', path: '' as ProjectPath } : existingPath(scope, path);
}

/** Suggests what exists: the nearest name in the deepest existing directory, and files of that name elsewhere. */
async function describeMissing(scope: ReadScope, path: string): Promise<string> {
  const names = path.split('/');
  const last = lastText(names);
  const hints: string[] = [];
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const directory = names.slice(0, depth).join('/') as ProjectPath;
    const entries = await scope.workspace.list(directory);
    if (entries === null) continue;
    const where = directory === '' ? 'the project' : `"${directory}"`;
    const near = nearestWord(
      names[depth] ?? '',
      entries.map((entry) => entry.name).filter((name) => scope.readable([...names.slice(0, depth), name].join('/'))),
    );
    if (near !== null) hints.push(`The nearest name in ${where} is "${near}".`);
    else if (depth < names.length - 1) hints.push(`There is no "${names[depth] ?? ''}" in ${where}.`);
    break;
  }
  const elsewhere = await scope.workspace.glob(escapeGlob(last), '' as ProjectPath, MAX_ELSEWHERE);
  const paths = elsewhere.paths.filter((found) => scope.readable(found));
  if (paths.length > 0) hints.push(`Files of that name: ${paths.map((found) => `"${found}"`).join(', ')}.`);
  if (hints.length === 0) hints.push('Use fs.list or search.glob to see which files exist.');
  return `There is no "${path}". ${hints.join(' ')}`;
}

/** A glob that matches exactly this name at any depth. */
function escapeGlob(name: string): string {
  const escaped = name.replace(/[\\*?[\]{}!]/g, '\\$&');
  return `**/${escaped}`;
}

function refused(code: 'path_refused' | 'not_found' | 'policy_denied', message: string): ExistingPath {
  return { kind: 'refused', answer: failure(code, message) };
}
