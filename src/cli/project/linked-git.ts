import type { GitDirectories } from '../../contracts/git-directories.ts';
import { isLinked } from '../../lib/git/git-directories.ts';
import { findRepository } from './find-repository.ts';
import { projectError } from './project-problem.ts';

/**
 * The git directories of the project at `root` if it is a linked worktree; null for any other directory. Throws FluffyError `linked_worktree` for an
 * invalid one.
 */
export async function linkedGit(root: string): Promise<GitDirectories | null> {
  const found = await findRepository(root);
  if (found.kind === 'problem') {
    if (found.problem.kind === 'worktree-refused') throw projectError(found.problem, root);
    return null;
  }
  return found.root === root && isLinked(found.git) ? found.git : null;
}
