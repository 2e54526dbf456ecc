import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { isSharedName } from '../../lib/git/git-directories.ts';
import { readWholeFile } from './read-file.ts';

export type LinkedWorktreeOutcome =
  | { readonly kind: 'linked'; readonly git: GitDirectories }
  | { readonly kind: 'submodule' }
  | { readonly kind: 'not-git' }
  /** For example a `.git` file made with --separate-git-dir. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'refused'; readonly reason: string };

const MAX_POINTER_BYTES = 8192;
const CONTROL = /\p{Cc}/u;

/**
 * The git directories of the linked worktree at `root` (a real path), whose `.git` is a file. That file may come from
 * anybody, and it names directories that are then mounted and written. So the repository must name this worktree in
 * return, everything must belong to one user, and no link may be on the way.
 */
export async function readLinkedWorktree(root: string): Promise<LinkedWorktreeOutcome> {
  const gitFile = join(root, '.git');
  const target = await pointer(gitFile, /^gitdir: (.+)/);
  if (target === null) return { kind: 'not-git' };
  const gitDir = resolve(root, target);
  const holder = dirname(gitDir);
  if (/\/modules\//.test(gitDir) && basename(holder) !== 'worktrees') return { kind: 'submodule' };
  if (basename(holder) !== 'worktrees') return { kind: 'elsewhere' };
  const commonDir = dirname(holder);
  if (CONTROL.test(gitDir)) return refused('its .git file names a path with a control character');
  const overlap = overlapping(root, commonDir);
  if (overlap !== null) return refused(overlap);
  const owner = await lstat(gitFile);
  for (const path of [gitDir, commonDir]) {
    const real = await realpath(path).catch(() => null);
    if (real === null) return refused(`its .git file names ${path}, which is not there`);
    if (real !== path) return refused(`the way to ${path}, which its .git file names, leads over a symbolic link`);
  }
  const wrong = await firstWrong(commonDir, gitDir, owner);
  if (wrong !== null) return refused(wrong);
  const common = await pointer(join(gitDir, 'commondir'), /^(.+)/);
  if (common === null || resolve(gitDir, common) !== commonDir)
    return refused(`${gitDir}/commondir does not name ${commonDir}`);
  const back = await pointer(join(gitDir, 'gitdir'), /^(.+)/);
  if (back === null || resolve(gitDir, back) !== gitFile)
    return refused(`${commonDir} does not know this directory as one of its worktrees (\`git worktree repair\`)`);
  return { kind: 'linked', git: { gitDir, commonDir } };
}

/** Files of the project must never be written into git's own directory. */
function overlapping(root: string, commonDir: string): string | null {
  if (commonDir === root || commonDir.startsWith(`${root}/`)) return `its repository, ${commonDir}, is inside it`;
  if (!root.startsWith(`${commonDir}/`)) return null;
  const [first = ''] = relative(commonDir, root).split('/');
  return isSharedName(first) ? `it is in ${commonDir}/${first}, where git has its own files` : null;
}

/**
 * The first part of a repository's directory that git would not create so, or that belongs to another user than the
 * `.git` file.
 */
async function firstWrong(commonDir: string, gitDir: string, owner: Stats): Promise<string | null> {
  const directories = [commonDir, join(commonDir, 'objects'), join(commonDir, 'refs'), dirname(gitDir), gitDir];
  const files = [join(commonDir, 'HEAD'), join(gitDir, 'HEAD')];
  for (const [path, isRight] of [
    ...directories.map((path) => [path, (stat: Stats) => stat.isDirectory()] as const),
    ...files.map((path) => [path, (stat: Stats) => stat.isFile()] as const),
  ]) {
    const stat = await lstat(path).catch(() => null);
    if (stat === null || !isRight(stat)) return `${path} is not what git makes there`;
    if (stat.uid !== owner.uid) return `${path} belongs to uid ${stat.uid}, its .git file to uid ${owner.uid}`;
  }
  return null;
}

async function pointer(path: string, pattern: RegExp): Promise<string | null> {
  const file = await readWholeFile(path, MAX_POINTER_BYTES).catch(() => null);
  return file === null ? null : (pattern.exec(file.toString('utf8'))?.[1]?.trimEnd() ?? null);
}

function refused(reason: string): LinkedWorktreeOutcome {
  return { kind: 'refused', reason };
}
