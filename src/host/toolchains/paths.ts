import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularText } from '../../lib/files/read-regular-file.ts';

/** Directories that must not be mounted as a toolchain, because they are the whole system. */
export const SYSTEM_DIRECTORIES: ReadonlySet<string> = new Set([
  ...['/', '/usr', '/usr/lib', '/usr/local', '/usr/local/lib', '/usr/share'],
  ...['/opt', '/home', '/root'],
]);

/** Whether an absolute path is a directory or below it. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Those of some directories directly in `home` that are there and outside of the project. A link must lead to a directory of its own, such as one on another disk. */
export async function ownDirectories(home: string, names: readonly string[], projectRoot: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const real = await realpath(join(home, name)).catch(() => null);
    if (real === null || SYSTEM_DIRECTORIES.has(real) || isBelow(home, real)) continue;
    if (!isBelow(real, projectRoot) && !isBelow(projectRoot, real)) found.push(join(home, name));
  }
  return found;
}

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** The text of a settings file, which may belong to the project; null if it is missing or not a regular file of up to 1 MiB. */
export function settingsText(path: string): Promise<string | null> {
  return readRegularText(path, { maxBytes: MAX_SETTINGS_BYTES, links: 'followed' });
}
