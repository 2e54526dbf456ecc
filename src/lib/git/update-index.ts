import type { ObjectId } from '../../contracts/ids.ts';
import type { ByteString } from './byte-string.ts';
import { toByteString } from './byte-string.ts';
import { compareEntries } from './git-index.ts';
import type { GitIndex, IndexEntry, IndexExtension, IndexStat } from './git-index.ts';

export interface IndexEdit {
  readonly path: string;
  /** null: the path is removed from the index. */
  readonly entry: { readonly mode: number; readonly id: ObjectId; readonly stat: IndexStat } | null;
}

/** A stat that matches no file: git compares the content at its next status. */
export const UNKNOWN_STAT: IndexStat = {
  ctimeSeconds: 0,
  ctimeNanoseconds: 0,
  mtimeSeconds: 0,
  mtimeNanoseconds: 0,
  dev: 0,
  ino: 0,
  uid: 0,
  gid: 0,
  size: 0,
};

/**
 * Extensions that stay valid when single entries change. The others are caches by position, offset or tree (TREE, UNTR, FSMN, EOIE, IEOT): all
 * optional, and rebuilt by git. A stale one would make git overlook changes.
 */
const KEPT_EXTENSIONS: ReadonlySet<string> = new Set(['REUC']);

/** The index after these edits. All other entries stay exactly the same. */
export function editIndex(index: GitIndex, edits: readonly IndexEdit[]): GitIndex {
  const edited = new Map(edits.map(({ path, entry }) => [toByteString(path), entry]));
  const kept = index.entries.filter(({ path }) => !edited.has(path));
  const added = [...edited].flatMap(([path, entry]): IndexEntry[] =>
    entry === null ? [] : [{ ...entry, path, stage: 0, assumeValid: false, extended: 0 }],
  );
  return {
    version: index.version,
    entries: [...kept, ...added].sort(compareEntries),
    extensions: index.extensions.filter(isKept),
  };
}

/**
 * The paths for which these edits are not possible without changing other entries: unmerged paths, and entries that would need a file and a directory
 * of the same name.
 */
export function indexConflicts(
  index: GitIndex,
  edits: readonly { readonly path: string; readonly entry: object | null }[],
): { readonly unmerged: readonly ByteString[]; readonly overlapping: readonly ByteString[] } {
  const gone = new Set(edits.filter((edit) => edit.entry === null).map((edit) => toByteString(edit.path)));
  const added = new Set(edits.filter((edit) => edit.entry !== null).map((edit) => toByteString(edit.path)));
  const addedParents = new Set([...added].flatMap(parents));
  const unmerged = new Set<ByteString>();
  const overlapping: ByteString[] = [];
  for (const { path, stage } of index.entries) {
    if (stage !== 0) unmerged.add(path);
    if (gone.has(path) || added.has(path)) continue;
    if (addedParents.has(path) || parents(path).some((parent) => added.has(parent))) overlapping.push(path);
  }
  return { unmerged: [...unmerged], overlapping };
}

/**
 * Entries whose file may have changed in the same second in which the index was written: their stat proves nothing. An index that is written again
 * later must not make them look unchanged.
 */
export function racyEntries(index: GitIndex, indexMtimeSeconds: number): IndexEntry[] {
  return index.entries.filter((entry) => entry.stage === 0 && entry.stat.mtimeSeconds >= indexMtimeSeconds);
}

/** The index without the sizes of these entries, so that git compares their content, as it does itself in this case. */
export function unsettle(index: GitIndex, entries: ReadonlySet<IndexEntry>): GitIndex {
  if (entries.size === 0) return index;
  const forget = (entry: IndexEntry): IndexEntry => ({ ...entry, stat: { ...entry.stat, size: 0 } });
  return { ...index, entries: index.entries.map((entry) => (entries.has(entry) ? forget(entry) : entry)) };
}

function parents(path: ByteString): ByteString[] {
  const found: ByteString[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at) as ByteString);
  return found;
}

function isKept({ signature }: IndexExtension): boolean {
  return KEPT_EXTENSIONS.has(signature);
}
