import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GitDirectories } from '../contracts/git-directories.ts';

/** A path that is mounted at its own place. */
export interface PinnedPath {
  readonly path: string;
  readonly readOnly: boolean;
}

/** What names code that git on the host runs, or directories of other repositories and worktrees, which do. */
const SHARED = ['config', 'config.worktree', 'hooks', 'modules', 'worktrees'];
const OWN = ['commondir', 'config.worktree', 'gitdir'];

/**
 * What L1 has of the project's repository, parents first, beside the project itself. A taken-over kernel must not write what git on the host runs
 * code by, and the merge never does. Only what is there, and is no link: the engine refuses a mount of what is missing.
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
          // Inside `worktrees`, which is read-only for the sake of the other ones.
          { path: linked.gitDir, readOnly: false },
          ...readOnly(linked.gitDir, OWN),
        ];
  return wanted.filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false);
}
