import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './descriptors.ts';

/**
 * Makes a directory that is the kernel's alone (mode 0700), and those above it. One that is there stays as it is. Node's own `recursive` never returns
 * below a mounted directory that was deleted: nothing can be made in it, and it exists all the same.
 *
 * @throws the error of the file system: ENOENT below a directory that was deleted.
 */
export function makeDirectory(path: string): void {
  if (made(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** False where the directory above is missing. */
function made(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  return true;
}
