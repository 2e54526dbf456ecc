import type { ObjectId } from '../../contracts/ids.ts';
import type { Repository } from '../../contracts/ports/repository.ts';
import type { ByteString } from '../../lib/git/byte-string.ts';
import { objectUnreadable } from '../../lib/git/repository-unreadable.ts';
import { canonicalMode, MODE, parseTree } from '../../lib/git/tree.ts';
import type { TreeEntry } from '../../lib/git/tree.ts';
import { MAX_TREE_BYTES } from './read-tree.ts';

type Leaf = Pick<TreeEntry, 'mode' | 'id'>;

/** The entries at a path in both trees; null if there is none. Directories are left out. */
export interface EntryChange {
  readonly path: ByteString;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
}

export type ChangedEntriesOutcome =
  /** Sorted by path, by UTF-16 code units. */
  | { readonly kind: 'ok'; readonly changes: readonly EntryChange[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Limits trees that repeat one subtree on many levels and so have an exponential number of paths. */
const MAX_TREES_READ = 100_000;
const MAX_CHANGES = 50_000;
const MAX_DEPTH = 512;

/** Thrown inside the recursion only. */
class Refusal extends Error {}

/**
 * Every path at which two trees differ. Subtrees with equal ids are never read. Throws FluffyError
 * `repository_unreadable` if a tree is missing.
 */
export async function changedEntries(
  objects: Pick<Repository, 'readObject'>,
  before: ObjectId,
  after: ObjectId,
): Promise<ChangedEntriesOutcome> {
  const changes: EntryChange[] = [];
  let treesRead = 0;

  async function entriesOf(tree: ObjectId | null): Promise<ReadonlyMap<ByteString, Leaf>> {
    if (tree === null) return new Map();
    treesRead += 1;
    if (treesRead > MAX_TREES_READ) throw new Refusal('the trees have too many directories');
    const entries = new Map<ByteString, Leaf>();
    for (const { name, mode, id } of await treeEntries(tree)) {
      // If a name occurs twice, git uses the first entry and other tools the last.
      if (entries.has(name)) throw new Refusal(`tree ${tree} contains a name twice`);
      entries.set(name, { mode: canonicalMode(mode), id });
    }
    return entries;
  }

  async function treeEntries(tree: ObjectId): Promise<readonly TreeEntry[]> {
    const object = await objects.readObject(tree, MAX_TREE_BYTES);
    if (object === null) throw objectUnreadable(tree, null, 'tree');
    const entries = object.type === 'tree' ? parseTree(object.content) : null;
    if (entries === null) throw new Refusal(`object ${tree} is not a tree`);
    return entries;
  }

  async function compare(from: ObjectId | null, to: ObjectId | null, prefix: string, depth: number): Promise<void> {
    if (from === to) return;
    if (depth > MAX_DEPTH) throw new Refusal('the trees are nested too deeply');
    const [old, now] = [await entriesOf(from), await entriesOf(to)];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [a, b] = [old.get(name) ?? null, now.get(name) ?? null];
      if (a?.id === b?.id && a?.mode === b?.mode) continue;
      const path = `${prefix}${name}` as ByteString;
      const [leafA, leafB] = [leafOf(a), leafOf(b)];
      if (leafA !== null || leafB !== null) changes.push({ path, before: leafA, after: leafB });
      if (changes.length > MAX_CHANGES) throw new Refusal('too many files change');
      await compare(treeOf(a), treeOf(b), `${path}/`, depth + 1);
    }
  }

  try {
    await compare(before, after, '', 0);
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
  const keyed = changes.map((change) => ({ change, key: Buffer.from(change.path, 'latin1').toString('utf8') }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { kind: 'ok', changes: keyed.map(({ change }) => change) };
}

function leafOf(entry: Leaf | null): Leaf | null {
  return entry === null || entry.mode === MODE.directory ? null : entry;
}

function treeOf(entry: Leaf | null): ObjectId | null {
  return entry?.mode === MODE.directory ? entry.id : null;
}
