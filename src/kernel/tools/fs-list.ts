import { z } from 'zod';
import type { ProjectPath } from '../../contracts/ids.ts';
import type { DirEntry } from '../../contracts/ports/workspace.ts';
import { existingPath } from './shared/existing-path.ts';
import { directoryField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { showName } from './shared/show-name.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';
import { onlyPath } from './tool-context.ts';
import type { ReadScope } from './tool-context.ts';
import { plural } from '../../lib/text/plural.ts';

const MAX_ENTRIES = 1000;

export const fsList = defineTool({
  name: 'fs.list',
  synonyms: ['ls', 'list', 'list_dir', 'list_directory', 'list_files'],
  description: 'List a directory.',
  input: z.strictObject({
    path: directoryField.default('.').describe('Directory relative to the project; default: the project.'),
  }),
  foreign: { names: { path: ['directory', 'dir', 'dir_path', 'relative_workspace_path'] } },
  place: 'kernel',
  effect: 'read',
  plugin: FS_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 1_500, keep: 'head' },
  paths: ({ path }) => [path],
  perform: (_input, context) => context.read((scope) => listDirectory(scope, onlyPath(context))),
});

/** One name a line; directories end in a slash, links have an arrow to their target. */
async function listDirectory(scope: ReadScope, path: string): Promise<ToolAnswer> {
  const found = await existingPath(scope, path);
  if (found.kind === 'refused') return found.answer;
  const shownPath = found.path === '' ? '.' : found.path;
  const entries = await scope.workspace.list(found.path);
  if (entries === null) return failure('invalid_input', `"${shownPath}" is a file. Use fs.read.`);
  if (entries.length === 0) return answer(`"${shownPath}" is an empty directory.`, `${shownPath}: empty`);

  const lines = await Promise.all(entries.slice(0, MAX_ENTRIES).map((entry) => describe(scope, found.path, entry)));
  const left = entries.length - lines.length;
  if (left > 0) lines.push(`(${plural(left, 'more entry', 'more entries')}; use search.glob with a narrower pattern)`);
  return answer(lines.join('\n'), `${shownPath}: ${plural(entries.length, 'entry', 'entries')}`);
}

async function describe(scope: ReadScope, directory: string, entry: DirEntry): Promise<string> {
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
