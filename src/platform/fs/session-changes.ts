import type { ChangeSet, FileChange, FileState } from '../../contracts/review/change-set.ts';
import { sameState } from '../../contracts/review/change-set.ts';
import type { Descriptors } from './descriptors.ts';
import { withDescriptors, withDescriptorsAsync } from './descriptors.ts';
import type { Originals } from './staging/originals.ts';
import { isWhiteout } from './union/union-lookup.ts';
import { compareCodeUnits, stateOf } from './union/union-read.ts';
import type { UnionRoots } from './union/union-walk.ts';
import { locate } from './union/union-walk.ts';

/**
 * Everything staged, compared with what it replaced. A staged file that is equal to its original again is no change.
 */
export async function sessionChanges(roots: UnionRoots, layer: number, originals: Originals): Promise<ChangeSet> {
  const changes: FileChange[] = [];
  for (const { path, state: before } of originals.all()) {
    // Recorded before a crash and never staged: changes there by a person are not this session's work.
    if (!isDecidedByStaging(roots, layer, path)) continue;
    const after = await currentState(roots, path);
    if (!sameState(before, after)) changes.push({ path, before, after });
  }
  return changes.sort((a, b) => compareCodeUnits(a.path, b.path));
}

async function currentState(roots: UnionRoots, path: string): Promise<FileState> {
  return withDescriptorsAsync(async (descriptors) => {
    const found = locate(descriptors, roots, path, 'exact');
    if (found.kind === 'missing' || found.kind === 'diverted') return { kind: 'absent' };
    if (found.kind === 'unreachable') throw new Error(`the staged file ${path} can't be read`);
    return (await stateOf(descriptors, found)) ?? { kind: 'absent' };
  });
}

/** Whether the staging layer decides what is at a path: it has an entry there, or hides the project's. */
function isDecidedByStaging(roots: UnionRoots, layer: number, path: string): boolean {
  return withDescriptors((descriptors) => walkLayer(descriptors, roots, layer, path.split('/')));
}

function walkLayer(descriptors: Descriptors, roots: UnionRoots, layer: number, names: readonly string[]): boolean {
  let directory = layer;
  for (const name of names) {
    const found = descriptors.pin(directory, name);
    if (found.kind !== 'pinned') return false;
    const { fd, stat } = found.pinned;
    if (isWhiteout(stat) || !stat.isDirectory() || roots.marks.isOpaque(fd)) return true;
    directory = fd;
  }
  return true;
}
