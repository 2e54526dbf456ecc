import { stat } from 'node:fs/promises';

/** Directories that a toolchain must not be mounted by: these are the whole system. */
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
