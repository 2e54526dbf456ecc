import { randomUUID } from 'node:crypto';
import { chmod, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';

/**
 * Removes a directory and everything that a process of the same user left in it: directories without permissions, names
 * that are not text, trees so deep that no path reaches their bottom. Each sub-directory is moved up to the top before
 * it is emptied, so no path gets longer than two names. Follows no link. No process may write to the tree meanwhile.
 */
export async function removeHostileTree(root: string): Promise<void> {
  const found = await lstat(root).catch(ignoreMissing);
  if (found === null) return;
  if (!found.isDirectory()) return unlink(root);
  // A name that can be guessed could be taken already.
  const prefix = Buffer.from(`${root}/.removing-${randomUUID()}-`);
  const waiting: Buffer[] = [Buffer.from(root)];
  const emptied: Buffer[] = [];
  let moved = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    await chmod(directory, 0o700);
    emptied.push(directory);
    for (const entry of await readdir(directory, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([directory, Buffer.from('/'), entry.name]);
      if (!entry.isDirectory()) {
        await unlink(path);
        continue;
      }
      const lifted = Buffer.concat([prefix, Buffer.from(String(moved))]);
      moved += 1;
      // A directory must be writable itself to be moved to another parent.
      await chmod(path, 0o700);
      await rename(path, lifted);
      waiting.push(lifted);
    }
  }
  // All of them are in the top directory, which was emptied first.
  for (const directory of emptied.reverse()) await rmdir(directory);
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
