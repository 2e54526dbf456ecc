import { lstat } from 'node:fs/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import type { RepositoryProblem } from '../../contracts/ports/repository.ts';
import { readRegularText } from '../../lib/files/read-regular-file.ts';
import { gitFile } from '../../lib/git/git-directories.ts';

export type GitOperation = Extract<RepositoryProblem, { kind: 'operation-in-progress' }>['what'];

const MAX_TODO_BYTES = 1024 * 1024;

/** What git leaves in its directory while it waits for a person, outermost operation first. */
const MARKS: readonly (readonly [name: string, what: GitOperation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/** The unfinished operation of a person in the repository, or null. */
export async function operationInProgress(git: GitDirectories): Promise<GitOperation | null> {
  for (const [name, what] of MARKS) {
    const exists = await lstat(gitFile(git, name)).then(
      () => true,
      () => false,
    );
    if (exists) return what;
  }
  return await sequence(git);
}

/** A cherry-pick or revert of several commits: between two of them, only the list of the remaining ones shows it. */
async function sequence(git: GitDirectories): Promise<GitOperation | null> {
  const todo = await readRegularText(gitFile(git, 'sequencer/todo'), { maxBytes: MAX_TODO_BYTES, links: 'refused' });
  if (todo === null) return null;
  return todo.startsWith('revert') ? 'revert' : 'cherry-pick';
}
