import type { FileChange } from '../../../contracts/review/change-set.ts';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { fromByteString } from '../../../lib/git/byte-string.ts';
import { indexConflicts } from '../../../lib/git/update-index.ts';
import { ancestors } from '../../../lib/ancestors.ts';
import { operationInProgress } from '../operation-in-progress.ts';
import { resolveRef } from '../refs.ts';
import type { MergeSite } from './merge-site.ts';
import { lstatEntry, PathBlocked, stateAt, withEntry } from './project-entry.ts';
import { matches } from './publish-files.ts';
import { readCurrentIndex } from './update-index.ts';

/** Checks the preconditions of a merge while the locks are held. Writes nothing. */
export async function checkProject(site: MergeSite, step: MergeStepOf<'check'>): Promise<StepOutcome> {
  const conflict = (paths: readonly string[], reason: string): StepOutcome => ({ kind: 'conflict', paths, reason });
  const head = await resolveRef(site.git, 'HEAD');
  if (head.name !== step.branchRef) return conflict(['HEAD'], `HEAD is no longer on ${step.branchRef}`);
  if (head.kind !== 'found' || head.id !== step.head) return conflict([step.branchRef], 'the branch has moved');
  const operation = await operationInProgress(site.git);
  if (operation !== null) return conflict(['.git'], `a ${operation} is in progress`);

  const current = readCurrentIndex(site);
  if (current.kind === 'unusable') return conflict(['.git/index'], current.reason);
  const { unmerged, overlapping } = indexConflicts(current.index, step.edits);
  if (unmerged.length > 0) return conflict(unmerged.map(fromByteString), 'these paths are unmerged');
  if (overlapping.length > 0) {
    return conflict(overlapping.map(fromByteString), 'the index has them where a file and a directory would collide');
  }

  const changed = step.changes.filter((change) => !isAsBefore(site, change, step.changes));
  if (changed.length > 0) {
    return conflict(
      changed.map(({ path }) => path),
      'these were changed since they were read',
    );
  }
  return { kind: 'applied' };
}

function isAsBefore(site: MergeSite, change: FileChange, changes: readonly FileChange[]): boolean {
  if (!matches(stateAt(site.root, change.path), change.before)) return false;
  // A link or file on the way is allowed only if this merge replaces it by a directory.
  const opened = new Set(changes.filter(({ after }) => after.kind === 'directory').map(({ path }) => path));
  return ancestors(change.path).some((ancestor) => opened.has(ancestor)) || !isBlocked(site, change.path);
}

function isBlocked(site: MergeSite, path: string): boolean {
  try {
    withEntry(site.root, path, lstatEntry);
    return false;
  } catch (error) {
    if (error instanceof PathBlocked) return true;
    throw error;
  }
}
