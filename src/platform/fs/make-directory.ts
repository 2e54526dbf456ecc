import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './descriptors.ts';

/**
 * Makes a directory and its parents, by default accessible only to the kernel. An existing directory stays unchanged.
 * Node's own `recursive` never returns below a mounted directory that was deleted: such a directory still exists, but
 * nothing can be created in it.
 *
 * @throws the error of the file system: ENOENT below a directory that was deleted.
 */
export function makeDirectory(path: string, mode = 0o700): void {
  if (made(path, mode)) return;
  makeDirectory(dirname(path), mode);
  mkdirSync(path, { mode });
}

/** False if the parent is missing. */
function made(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  return true;
}
