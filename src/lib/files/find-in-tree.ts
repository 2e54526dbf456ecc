import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The path of the first wanted entry, relative to `root`; null if there is none, or if the signal comes first. No link is followed, `.git` is not
 * entered, and an unreadable directory is skipped.
 */
export async function findInTree(
  root: string,
  isWanted: (entry: Dirent) => boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const pending = [''];
  for (let next = pending.pop(); next !== undefined && !signal.aborted; next = pending.pop()) {
    const entries = await readdir(join(root, next), { withFileTypes: true }).catch(() => []);
    const found = entries.find(isWanted);
    if (found !== undefined) return join(next, found.name);
    for (const entry of entries) if (entry.isDirectory() && entry.name !== '.git') pending.push(join(next, entry.name));
  }
  return null;
}
