import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryProblem } from '../../contracts/ports/repository.ts';

export type GitOperation = Extract<RepositoryProblem, { kind: 'operation-in-progress' }>['what'];

/** What git leaves in its directory while it waits for a human, the outermost first. */
const MARKS: readonly (readonly [name: string, what: GitOperation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/** The operation that a human has begun in the repository and not finished, or null. */
export async function operationInProgress(gitDir: string): Promise<GitOperation | null> {
  for (const [name, what] of MARKS) {
    const exists = await lstat(join(gitDir, name)).then(
      () => true,
      () => false,
    );
    if (exists) return what;
  }
  return null;
}
