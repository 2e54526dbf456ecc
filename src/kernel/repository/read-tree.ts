import type { ObjectId } from '../../contracts/ids.ts';
import type { Repository } from '../../contracts/ports/repository.ts';
import { objectUnreadable } from '../../lib/git/repository-unreadable.ts';
import { parseTree } from '../../lib/git/tree.ts';
import type { TreeEntry } from '../../lib/git/tree.ts';

export const MAX_TREE_BYTES = 64 * 1024 * 1024;

/** Reads a tree that must exist. Throws FluffyError `repository_unreadable` if it is missing or not a tree. */
export async function readTree(repository: Pick<Repository, 'readObject'>, id: ObjectId): Promise<TreeEntry[]> {
  const object = await repository.readObject(id, MAX_TREE_BYTES);
  const entries = object?.type === 'tree' ? parseTree(object.content) : null;
  if (entries === null) throw objectUnreadable(id, object, 'tree');
  return entries;
}
