import type { ObjectId } from '../../contracts/ids.ts';
import { toByteString } from './byte-string.ts';
import type { ByteString } from './byte-string.ts';
import { hashObject } from './object-id.ts';
import { canonicalMode, encodeTree, MODE } from './tree.ts';
import type { TreeEntry } from './tree.ts';

/** The new state of a path: an entry, or no file. Directories follow from the paths below them. */
export type TreeEdit = { readonly mode: number; readonly id: ObjectId } | null;

export type ComposeOutcome =
  /** `created` contains every tree object on the way to an edit, by id; most are new. An empty root is a tree without entries. */
  | { readonly kind: 'ok'; readonly tree: ObjectId; readonly created: ReadonlyMap<ObjectId, Buffer> }
  | { readonly kind: 'refused'; readonly reason: string };

interface EditNode {
  edit?: TreeEdit;
  readonly children: Map<ByteString, EditNode>;
}

/** Thrown inside the recursion only. */
class Refusal extends Error {}

/**
 * The tree that results from applying `edits` (path -> edit) to `base`. Subtrees without an edit keep their ids and are never read. A submodule is
 * never entered.
 */
export async function composeTree(
  base: ObjectId | null,
  edits: ReadonlyMap<string, TreeEdit>,
  readTree: (id: ObjectId) => Promise<readonly TreeEntry[]>,
): Promise<ComposeOutcome> {
  const root: EditNode = { children: new Map() };
  for (const [path, edit] of edits) nodeAt(root, path).edit = edit;
  const created = new Map<ObjectId, Buffer>();

  async function compose(id: ObjectId | null, node: EditNode, where: string): Promise<ObjectId | null> {
    const entries = new Map<ByteString, TreeEntry>();
    for (const entry of id === null ? [] : await readTree(id)) {
      entries.set(entry.name, { ...entry, mode: canonicalMode(entry.mode) });
    }
    for (const [name, child] of node.children) {
      const path = where === '' ? name : `${where}/${name}`;
      const next = await composeEntry(entries.get(name), child, path);
      if (next === null) entries.delete(name);
      else entries.set(name, { ...next, name });
    }
    if (entries.size === 0 && where !== '') return null;
    const content = encodeTree(entries.values());
    const tree = hashObject('tree', content);
    created.set(tree, content);
    return tree;
  }

  async function composeEntry(old: TreeEntry | undefined, node: EditNode, path: string): Promise<TreeEdit> {
    const below = node.children;
    const { edit } = node;
    if (old?.mode === MODE.gitlink && edit !== undefined) throw new Refusal(`${path} is a submodule`);
    if (edit !== undefined && edit !== null) {
      if ([...below.values()].some((child) => !onlyRemoves(child))) {
        throw new Refusal(`${path} would be a file and a directory at once`);
      }
      return edit;
    }
    // Removing a file does not remove a directory of the same name, which is another entry.
    const kept = edit === null && old?.mode !== MODE.directory ? undefined : old;
    if (below.size === 0) return kept ?? null;
    if (old?.mode === MODE.gitlink) throw new Refusal(`${path} is a submodule`);
    const oldTree = kept?.mode === MODE.directory ? kept.id : null;
    if (oldTree === null && onlyRemoves(node)) return kept ?? null;
    if (oldTree === null && kept !== undefined) throw new Refusal(`${path} is a file, not a directory`);
    const tree = await compose(oldTree, node, path);
    return tree === null ? null : { mode: MODE.directory, id: tree };
  }

  try {
    const tree = await compose(base, root, '');
    if (tree === null) throw new Error('the root is always a tree');
    return { kind: 'ok', tree, created };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

function nodeAt(root: EditNode, path: string): EditNode {
  let node = root;
  for (const component of path.split('/')) {
    const name = toByteString(component);
    let child = node.children.get(name);
    if (child === undefined) node.children.set(name, (child = { children: new Map() }));
    node = child;
  }
  return node;
}

function onlyRemoves(node: EditNode): boolean {
  return (node.edit === undefined || node.edit === null) && [...node.children.values()].every(onlyRemoves);
}
