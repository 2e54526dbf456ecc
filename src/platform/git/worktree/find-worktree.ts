import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { GitDirectories } from '../../../contracts/git-directories.ts';
import { readLinkedWorktree } from '../linked-worktree.ts';
import { readWholeFile } from '../read-file.ts';

const MAX_FILE_BYTES = 8192;

/**
 * The root of the working tree, linked or not, that has this branch checked out, whatever program created it; null if
 * there is none.
 */
export async function findWorktree({ commonDir }: GitDirectories, branch: string): Promise<string | null> {
  // A bare repository has a HEAD too, but nothing checked out.
  if (basename(commonDir) === '.git' && (await line(join(commonDir, 'HEAD'))) === `ref: ${branch}`)
    return dirname(commonDir);
  const holder = join(commonDir, 'worktrees');
  for (const name of (await readdir(holder).catch(() => [])).sort()) {
    const own = join(holder, name);
    if ((await line(join(own, 'HEAD'))) !== `ref: ${branch}`) continue;
    const pointer = await line(join(own, 'gitdir'));
    if (pointer === null) continue;
    const root = dirname(resolve(own, pointer));
    const found = await readLinkedWorktree(root);
    if (found.kind === 'linked' && found.git.gitDir === own) return root;
  }
  return null;
}

async function line(path: string): Promise<string | null> {
  const file = await readWholeFile(path, MAX_FILE_BYTES).catch(() => null);
  return file?.toString('utf8').trimEnd() ?? null;
}
