import type { Workspace } from '../../contracts/ports/workspace.ts';
import { diffChanges } from '../../lib/diff/change-diff.ts';
import { sessionChanges } from './session-changes.ts';
import type { StagingContext } from './staging/stage-file.ts';
import { originalBytes } from './staging/stage-file.ts';
import { readUnion } from './union/union-read.ts';
import type { UnionRoots } from './union/union-walk.ts';

/**
 * The session's changes as a diff. An original that was too large to store is read from `projectAlone`, the project
 * without staged changes.
 */
export async function sessionDiff(
  staging: StagingContext,
  projectAlone: UnionRoots,
  maxFileBytes: number,
): ReturnType<Workspace['diff']> {
  const { roots, directories, originals } = staging;
  return diffChanges(await sessionChanges(roots, directories.layer, originals), {
    before: ({ path, before }) =>
      before.kind === 'file'
        ? (originals.content(before) ?? originalBytes({ ...staging, roots: projectAlone }, path, before))
        : null,
    after: ({ path }) => {
      const read = readUnion(roots, path, maxFileBytes, 'exact');
      return read.kind === 'file' ? read.bytes : null;
    },
  });
}
