import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { readWholeFile } from './read-file.ts';

/** A repository for reading only: any clone, also a bare one or a linked worktree. */
export interface RepositoryPlace extends GitDirectories {
  /** The working tree; null for a bare repository. */
  readonly root: string | null;
}

const MAX_POINTER_BYTES = 8192;

/**
 * The repository that contains `dir` (a real path), searched upwards; null if there is none. No program of it runs and
 * nothing in it is trusted. Unlike git, this accepts a bare repository only outside of every working tree: inside one
 * it is content that anybody may have committed.
 */
export async function locateRepository(dir: string): Promise<RepositoryPlace | null> {
  let bare: string | null = null;
  for (let at = dir; ; at = dirname(at)) {
    const gitPath = join(at, '.git');
    const found = await stat(gitPath).catch(() => null);
    if (found?.isDirectory() === true && (await isGitDir(gitPath))) return place(at, gitPath);
    if (found?.isFile() === true) {
      const target = await pointer(gitPath, /^gitdir: (.+)/);
      if (target !== null && (await isGitDir(resolve(at, target)))) return place(at, resolve(at, target));
    }
    if (bare === null && (await isGitDir(at))) bare = at;
    if (at === dirname(at)) return bare === null ? null : place(null, bare);
  }
}

async function place(root: string | null, gitDir: string): Promise<RepositoryPlace> {
  const common = await pointer(join(gitDir, 'commondir'), /^(.+)/);
  return { root, gitDir, commonDir: common === null ? gitDir : resolve(gitDir, common) };
}

async function pointer(path: string, pattern: RegExp): Promise<string | null> {
  const file = await readWholeFile(path, MAX_POINTER_BYTES);
  return file === null ? null : (pattern.exec(file.toString('utf8'))?.[1]?.trimEnd() ?? null);
}

/** HEAD, and objects with refs, which a linked worktree has elsewhere. */
async function isGitDir(path: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> => (await stat(join(path, name)).catch(() => null)) !== null;
  if (!(await has('HEAD'))) return false;
  return ((await has('objects')) && (await has('refs'))) || (await has('commondir'));
}
