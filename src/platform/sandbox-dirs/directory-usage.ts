import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/**
 * Whether more than so many bytes (as allocated on disk) or entries are below a directory that is being written to. Stops
 * counting at the bounds, so it costs no more than they allow. What vanishes meanwhile doesn't count; what can't be looked into
 * (no permission, a path too long) counts as too much: nothing may be hidden there.
 */
export async function exceedsBounds(
  root: string,
  { maxBytes, maxEntries }: { readonly maxBytes: number; readonly maxEntries: number },
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
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return true;
    }
  }
  return false;
}
