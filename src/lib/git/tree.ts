import type { ObjectId } from '../../contracts/ids.ts';
import { byteStringOf, toByteString } from './byte-string.ts';
import type { ByteString } from './byte-string.ts';
import { ID_BYTES } from './object-id.ts';

export const MODE = {
  directory: 0o40000,
  file: 0o100644,
  executable: 0o100755,
  symlink: 0o120000,
  gitlink: 0o160000,
} as const;

export interface TreeEntry {
  readonly mode: number;
  readonly name: ByteString;
  readonly id: ObjectId;
}

const SPACE = 0x20;

/** Parses a tree object; null if it is malformed: truncated, an empty name or one with a slash, a mode that is not octal. */
export function parseTree(content: Buffer): TreeEntry[] | null {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(SPACE, at);
    const nul = content.indexOf(0, at);
    if (space < 0 || nul < space || nul + 1 + ID_BYTES > content.length) return null;
    const mode = content.toString('latin1', at, space);
    const name = byteStringOf(content.subarray(space + 1, nul));
    if (!/^[0-7]{1,6}$/.test(mode) || name === '' || name.includes('/')) return null;
    const id = content.toString('hex', nul + 1, nul + 1 + ID_BYTES) as ObjectId;
    entries.push({ mode: parseInt(mode, 8), name, id });
    at = nul + 1 + ID_BYTES;
  }
  return entries;
}

/** Encodes entries in git's order. Names are unique (the caller's invariant). */
export function encodeTree(entries: Iterable<TreeEntry>): Buffer {
  const sorted = [...entries].sort((a, b) => compareKeys(sortKey(a), sortKey(b)));
  return Buffer.concat(
    sorted.flatMap((entry) => [
      Buffer.from(`${entry.mode.toString(8)} ${entry.name}\0`, 'latin1'),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

/** The mode as the index stores it: old repositories contain 100664 and others, which git writes back as 100644 or 100755. */
export function canonicalMode(mode: number): number {
  if ((mode & 0o170000) !== 0o100000) return mode;
  return (mode & 0o100) !== 0 ? MODE.executable : MODE.file;
}

/** Git sorts a directory as if its name ended in a slash. */
function sortKey(entry: TreeEntry): string {
  return entry.mode === MODE.directory ? `${entry.name}/` : entry.name;
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The entry at a path below a tree; null if there is none, or if a file, a link or a submodule is on the way. If a tree contains a name twice, the
 * first counts, as for git. `readTree` decides what a missing or malformed tree means.
 */
export async function entryAt(
  readTree: (id: ObjectId) => Promise<readonly TreeEntry[]>,
  tree: ObjectId,
  path: string,
): Promise<TreeEntry | null> {
  const parts = path.split('/');
  let at = tree;
  for (const [index, part] of parts.entries()) {
    const name = toByteString(part);
    const entry = (await readTree(at)).find((found) => found.name === name);
    if (entry === undefined) return null;
    if (index === parts.length - 1) return entry;
    if (entry.mode !== MODE.directory) return null;
    at = entry.id;
  }
  return null;
}
