import type { FileState } from '../../contracts/review/change-set.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import { entryAt, parseTree } from '../../lib/git/tree.ts';
import type { Objects, Side } from './commit-diff.ts';
import { stateOfEntry } from './commit-diff.ts';
import { MAX_TREE_BYTES } from './read-tree.ts';

/**
 * The file state at a path of a tree. A directory, a submodule, a malformed tree on the way, and a missing entry are
 * `absent`.
 */
export async function stateInTree(objects: Objects, tree: ObjectId, path: string): Promise<FileState> {
  return (await sideInTree(objects, tree, path))?.state ?? { kind: 'absent' };
}

/** The bytes of a regular file; null for anything else. */
export async function bytesInTree(objects: Objects, tree: ObjectId, path: string): Promise<Buffer | null> {
  return (await sideInTree(objects, tree, path))?.bytes ?? null;
}

async function sideInTree(objects: Objects, tree: ObjectId, path: string): Promise<Side | null> {
  const readTree = async (id: ObjectId) => {
    const object = await objects.readObject(id, MAX_TREE_BYTES);
    return (object?.type === 'tree' ? parseTree(object.content) : null) ?? [];
  };
  const entry = await entryAt(readTree, tree, path);
  return entry === null ? null : stateOfEntry(objects, entry);
}
