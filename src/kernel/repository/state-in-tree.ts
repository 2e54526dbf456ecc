import type { FileState } from '../../contracts/change-set.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import { toByteString } from '../../lib/git/byte-string.ts';
import { MODE, parseTree } from '../../lib/git/tree.ts';
import type { Objects } from './commit-diff.ts';
import { stateOfEntry } from './commit-diff.ts';

const MAX_TREE_BYTES = 64 * 1024 * 1024;

/** What stands at a path of a tree; a directory, a submodule, a malformed tree on the way and nothing at all are `absent`. */
export async function stateInTree(objects: Objects, tree: ObjectId, path: string): Promise<FileState> {
  let at = tree;
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const object = await objects.readObject(at, MAX_TREE_BYTES);
    const entries = object?.type === 'tree' ? parseTree(object.content) : null;
    const entry = entries?.find(({ name }) => name === toByteString(part));
    if (entry === undefined) break;
    if (index === parts.length - 1) return (await stateOfEntry(objects, entry))?.state ?? { kind: 'absent' };
    if (entry.mode !== MODE.directory) break;
    at = entry.id;
  }
  return { kind: 'absent' };
}
