import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents, each with this mode. Resolves to the first directory that it created. Unlike Node's own `recursive`,
 * it ends if nothing can be created below an existing directory: `mkdir(2)` returns ENOENT in `/proc`, and Node then tries for ever.
 */
export async function makeDirectories(path: string, mode: number): Promise<string | undefined> {
  try {
    return (await makeOne(path, mode)) ? path : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    const made = await makeDirectories(dirname(path), mode);
    return (await makeOne(path, mode)) ? (made ?? path) : made;
  }
}

/** Whether it was created; another process may be first. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    throw error;
  }
}
