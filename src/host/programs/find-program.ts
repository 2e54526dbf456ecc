import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where systems install programs. Daemons are in the first three, which few users have on PATH. */
const SYSTEM_DIRECTORIES = ['usr/local/sbin', 'usr/sbin', 'sbin', 'usr/local/bin', 'usr/bin', 'bin'];

/** The absolute directories of `path`, then those of the system. */
export function programDirectories(path: string, root: string): string[] {
  const named = path.split(':').filter((directory) => directory.startsWith('/'));
  return [...named, ...SYSTEM_DIRECTORIES.map((directory) => join(root, directory))];
}

/** Full path of the first file of this name that can be executed. */
export function findProgram(name: string, directories: readonly string[]): string | undefined {
  return directories.map((directory) => join(directory, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
