import { z } from 'zod';
import { searchBase } from './shared/existing-path.ts';
import { directoryField } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { showName } from './shared/show-name.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';
import type { ReadScope } from './tool-context.ts';

const MAX_PATHS = 1000;

export const searchGlob = defineTool({
  name: 'search.glob',
  synonyms: ['glob', 'find', 'file_search', 'find_file', 'find_files'],
  description: 'Find files by a glob pattern.',
  input: z.strictObject({ pattern: z.string().min(1).max(500), path: directoryField.optional() }),
  foreign: {
    names: { pattern: ['glob', 'glob_pattern', 'file_name', 'query'], path: ['directory', 'dir', 'dir_path'] },
  },
  place: 'kernel',
  effect: 'read',
  plugin: KERNEL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 1_500, keep: 'head' },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  describe: ({ pattern, path = '' }) => [JSON.stringify(pattern), path].filter((part) => part !== '').join(' '),
  perform: ({ pattern }, context) => context.read((scope) => glob(scope, pattern, context.named[0])),
});

/** Matching files, one a line. */
async function glob(scope: ReadScope, pattern: string, path: string | undefined): Promise<ToolAnswer> {
  if (pattern.split('/').includes('..')) {
    return failure('path_refused', 'A pattern must not contain "..". Pass the directory to search in as path.');
  }
  const base = await searchBase(scope, path);
  if (base.kind === 'refused') return base.answer;
  const found = await scope.workspace.glob(pattern, base.path, MAX_PATHS);
  // A name alone can reveal a secret, so policy that hides a file from reading also hides its name.
  const paths = found.paths.filter((each) => !each.split('/').includes('.git') && scope.readable(each));
  const { truncated } = found;
  if (paths.length === 0) {
    return answer(
      `No file matches "${pattern}". Files that git ignores are left out unless the pattern names their directory.`,
      'no files',
    );
  }
  const more = truncated ? ['(more files match; use a narrower pattern)'] : [];
  return answer([...paths.map(showName), ...more].join('\n'), `${paths.length}${truncated ? ' or more' : ''} files`);
}
