import { copyFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { gitDiffInputSchema } from '../../src/contracts/sandbox/git-tool.ts';
import type { GitDiffInput, GitDiffResult } from '../../src/contracts/sandbox/git-tool.ts';
import { defineTool } from '../sdk/index.ts';
import type { ToolContext } from '../sdk/index.ts';
import { withPrivateIndex } from './private-index.ts';
import { openGit } from './run-git.ts';

const MAX_DIFF_BYTES = 1024 * 1024;

/** The kernel reads the names in it to leave out what may not be read: no setting of the repository may change their form. */
const DIFF = [
  'diff',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  '--ignore-submodules=dirty',
];

export const diffTool = defineTool(
  {
    name: 'git.diff',
    description: 'Shows the changes of project and session against HEAD, new files included.',
    input: gitDiffInputSchema,
    outputMode: 'full',
  },
  diffAgainstHead,
);

export async function diffAgainstHead({ path }: GitDiffInput, context: ToolContext): Promise<GitDiffResult> {
  const git = await openGit(context);
  const paths = path === undefined ? [] : [path];
  return withPrivateIndex(async (env) => {
    // New files show in a diff only when they are in the index: they are added to a copy of it.
    await copyIndex(join(context.workspace, '.git/index'), env.GIT_INDEX_FILE).catch(() =>
      git.run(['read-tree', 'HEAD'], { env }),
    );
    const untracked = await git.run(['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths], { env });
    if (untracked.stdoutBytes.length > 0 && !untracked.truncated) {
      await git.run(['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'], {
        env,
        stdin: untracked.stdoutBytes,
      });
    }
    const diff = await git.run([...DIFF, 'HEAD', '--', ...paths], { env, maxOutputBytes: MAX_DIFF_BYTES });
    return { diff: diff.stdout, truncated: diff.truncated || untracked.truncated };
  });
}

/** With its time: a file that was changed in the moment in which the index was written is known by that alone. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}
