import type { ProjectPath } from '../../../contracts/ids.ts';
import type { DirEntry } from '../../../contracts/ports/workspace.ts';
import type { ToolInput } from '../../../contracts/tools.ts';
import type { NativeScope } from './existing-path.ts';
import { existingPath } from './existing-path.ts';
import type { NativeAnswer } from './native-answer.ts';
import { answer, refuse } from './native-answer.ts';
import { showName } from './show-name.ts';

const MAX_ENTRIES = 1000;

/** `fs.list`: one name a line, directories with a slash, links with an arrow to what they name. */
export async function listDirectory(input: ToolInput<'fs.list'>, scope: NativeScope): Promise<NativeAnswer> {
  const found = await existingPath(scope, input.path);
  if (found.kind === 'refused') return found.answer;
  const shownPath = found.path === '' ? '.' : found.path;
  const entries = await scope.workspace.list(found.path);
  if (entries === null) return refuse('invalid_input', `"${shownPath}" is a file. Use fs.read.`);
  if (entries.length === 0) return answer(`"${shownPath}" is an empty directory.`, `${shownPath}: empty`);

  const lines = await Promise.all(entries.slice(0, MAX_ENTRIES).map((entry) => describe(scope, found.path, entry)));
  const left = entries.length - lines.length;
  if (left > 0) lines.push(`(${left} more entries; use search.glob with a narrower pattern)`);
  return answer(lines.join('\n'), `${shownPath}: ${entries.length} entries`);
}

async function describe(scope: NativeScope, directory: string, entry: DirEntry): Promise<string> {
  const name = showName(entry.name);
  switch (entry.kind) {
    case 'file':
      return name;
    case 'directory':
      return `${name}/`;
    case 'special':
      return `${name} (special file)`;
    case 'symlink': {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      const state = await scope.workspace.stat(path as ProjectPath);
      return state.kind === 'symlink' ? `${name} -> ${showName(state.target)}` : name;
    }
  }
}

/** `fs.exists`: a missing path is an answer here, not a failure. */
export async function exists(input: ToolInput<'fs.exists'>, scope: NativeScope): Promise<NativeAnswer> {
  const resolved = await scope.workspace.resolve(input.path);
  if (resolved.kind === 'refused') return refuse('path_refused', `"${input.path}" is refused: ${resolved.reason}.`);
  if (!resolved.exists) return answer(`"${input.path}" does not exist.`, `${input.path}: does not exist`);
  const entries = await scope.workspace.list(resolved.path);
  const what = entries === null ? 'file' : 'directory';
  const led = resolved.path === input.path.replace(/\/+$/, '') || resolved.path === '' ? '' : `, at "${resolved.path}"`;
  return answer(`"${input.path}" exists and is a ${what}${led}.`, `${input.path}: ${what}`);
}
