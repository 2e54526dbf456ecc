import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

export interface UsageBounds {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/**
 * Whether a directory in use exceeds a maximum of bytes (as allocated on disk) or entries. Counting stops at the
 * maximum, which limits the cost. Entries that disappear meanwhile don't count. `unreadable` says how to count what
 * can't be read (no permission, a path too long): if no program has a reason to lock a directory, a locked one hides
 * something.
 */
export async function exceedsBounds(
  root: string,
  { maxBytes, maxEntries }: UsageBounds,
  unreadable: 'exceeds' | 'is-ignored',
): Promise<boolean> {
  const waiting = [root];
  let bytes = 0;
  let entries = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    try {
      for await (const entry of await opendir(path)) {
        const child = join(path, entry.name);
        const found = await lstat(child);
        entries += 1;
        bytes += found.blocks * BLOCK_BYTES;
        if (bytes > maxBytes || entries > maxEntries) return true;
        if (found.isDirectory()) waiting.push(child);
      }
    } catch (error) {
      const vanished = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!vanished && unreadable === 'exceeds') return true;
    }
  }
  return false;
}
