import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gitCommitInputSchema, gitCommitResultSchema } from '../../src/contracts/sandbox/git-tool.ts';
import type { GitCommitInput, GitCommitResult } from '../../src/contracts/sandbox/git-tool.ts';
import { formatDate } from '../../src/lib/git/commit.ts';
import { withLineFeeds } from '../../src/lib/git/line-feeds.ts';
import { NULL_ID } from '../../src/lib/git/object-id.ts';
import { defineTool, ToolFailure } from '../sdk/index.ts';
import type { ToolContext } from '../sdk/index.ts';
import { filtersOf, formsOf } from './git-forms.ts';
import { withPrivateIndex } from './private-index.ts';
import { openGit } from './run-git.ts';
import type { Git } from './run-git.ts';
import { readStatus } from './status-tool.ts';

export const commitTool = defineTool(
  {
    name: 'git.commit',
    description: 'Prepares a commit of exactly the given paths. The kernel checks it and carries it out.',
    input: gitCommitInputSchema,
    outputMode: 'full',
  },
  prepareCommit,
);

interface IndexLine {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/**
 * Makes the objects of the commit and nothing else: no ref, index, log or hook of the repository is touched. A private index
 * starts from the parent and gets exactly the given paths, so what the user has staged or left dirty has no part in it.
 */
export async function prepareCommit(input: GitCommitInput, context: ToolContext): Promise<GitCommitResult> {
  const git = await openGit(context);
  return withPrivateIndex(async (env) => {
    await git.run(['read-tree', input.parent], { env });
    const added = await addBlobs(git, input.entries, context.workspace);
    const removed = input.entries
      .filter(({ mode }) => mode === null)
      .map(({ path }): IndexLine => ({ path, mode: '0', id: NULL_ID }));
    // Removals first: a file may take the place of a directory.
    const lines = [...removed, ...added].map(({ path, mode, id }) => `${mode} ${id}\t${path}\0`);
    await git.run(['update-index', '-z', '--index-info'], { env, stdin: lines.join('') });
    const tree = (await git.run(['write-tree'], { env })).stdout.trim();
    const { author, committer } = input;
    const commit = await git.run(['commit-tree', tree, '-p', input.parent, '--no-gpg-sign', '-F', '-'], {
      stdin: input.message,
      env: {
        ...env,
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: `@${formatDate(author)}`,
        GIT_COMMITTER_NAME: committer.name,
        GIT_COMMITTER_EMAIL: committer.email,
        GIT_COMMITTER_DATE: `@${formatDate(committer)}`,
      },
    });
    const converted = await findConverted(git, env, input.parent, added);
    const status = await readStatus(context);
    return gitCommitResultSchema.parse({ commit: commit.stdout.trim(), tree, converted, status });
  });
}

/** Stores every content as it is, but for line ends where these are named; unfiltered. */
async function addBlobs(git: Git, entries: GitCommitInput['entries'], workspace: string): Promise<IndexLine[]> {
  const lines: IndexLine[] = [];
  const files: { readonly path: string; readonly mode: string }[] = [];
  for (const { path, mode, line_feeds: hasLineFeeds } of entries) {
    if (mode === null) continue;
    const stat = await lstat(join(workspace, path)).catch(() => null);
    if (mode === '120000') {
      if (stat?.isSymbolicLink() !== true) throw new ToolFailure('conflict', `${path} is not the link it should be.`);
      const target = await readlink(join(workspace, path), { encoding: 'buffer' });
      lines.push({ path, mode, id: await store(git, target) });
    } else {
      if (stat?.isFile() !== true) throw new ToolFailure('conflict', `${path} is not the file it should be.`);
      if (hasLineFeeds === true) {
        const content = withLineFeeds(await readFile(join(workspace, path)));
        lines.push({ path, mode, id: await store(git, content) });
      } else files.push({ path, mode });
    }
  }
  const ids = await storeFiles(git, files);
  return [...lines, ...files.map(({ path, mode }, n) => ({ path, mode, id: ids[n] ?? '' }))];
}

async function store(git: Git, content: Buffer): Promise<string> {
  const { stdout } = await git.run(['hash-object', '-w', '--no-filters', '--stdin'], { stdin: content });
  return stdout.trim();
}

async function storeFiles(git: Git, files: readonly { readonly path: string }[]): Promise<string[]> {
  if (files.length === 0) return [];
  const stdin = files.map(({ path }) => `${quotePath(path)}\n`).join('');
  const { stdout } = await git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], { stdin });
  const ids = stdout.trim().split('\n');
  if (ids.length !== files.length) throw new ToolFailure('sandbox_failed', 'git did not answer for every file.');
  return ids;
}

/** The C-style quoting that git reads line by line: no path can pass for two, or for an option. */
function quotePath(path: string): string {
  const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
  const quoted = Array.from(Buffer.from(path), (byte) =>
    byte < 0x20 || byte >= 0x7f || byte === 0x22 || byte === 0x5c ? octal(byte) : String.fromCharCode(byte),
  );
  return `"${quoted.join('')}"`;
}

/** Files that `git add` would have stored in another form: by a filter, which is never run here, or by git's own conversions. */
async function findConverted(
  git: Git,
  env: { readonly GIT_INDEX_FILE: string },
  parent: string,
  added: readonly IndexLine[],
): Promise<GitCommitResult['converted']> {
  const files = added.filter(({ mode }) => mode !== '120000');
  const paths = files.map(({ path }) => path);
  const filters = await filtersOf(git, paths, env);
  const forms = new Map((await formsOf(git, parent, paths)).map(({ path, id }) => [path, id]));
  return files.flatMap(({ path, id }) => {
    const filter = filters.get(path);
    if (filter !== undefined) return [{ path, by: `filter=${filter}` }];
    return String(forms.get(path)) === id ? [] : [{ path, by: 'conversion' }];
  });
}
