import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitDirectories } from '../contracts/git-directories.ts';

/** A path that is mounted at the same path. */
export interface PinnedPath {
  readonly path: string;
  readonly readOnly: boolean;
}

/** Files that name code which git on the host runs, and directories of other repositories and worktrees, which contain such files. */
const SHARED = ['config', 'config.worktree', 'hooks', 'modules', 'worktrees'];
const OWN = ['commondir', 'config.worktree', 'gitdir'];

/**
 * The parts of the project's repository that L1 sees, apart from the project itself, parents first. A compromised kernel must not write files by
 * which git on the host runs code; a merge never writes them. Only existing paths that are not links, because the engine refuses a mount of a missing
 * path.
 */
export function pinnedPaths(project: string, linked: GitDirectories | null): PinnedPath[] {
  const git = join(project, '.git');
  const readOnly = (directory: string, names: readonly string[]): PinnedPath[] =>
    names.map((name) => ({ path: join(directory, name), readOnly: true }));
  const wanted =
    linked === null
      ? [{ path: git, readOnly: false }, ...readOnly(git, SHARED)]
      : [
          { path: git, readOnly: true },
          { path: linked.commonDir, readOnly: false },
          ...readOnly(linked.commonDir, SHARED),
          // Inside `worktrees`, which is read-only to protect the other worktrees.
          { path: linked.gitDir, readOnly: false },
          ...readOnly(linked.gitDir, OWN),
        ];
  return wanted.filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false);
}
