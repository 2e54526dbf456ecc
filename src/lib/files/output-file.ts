import { realpath, stat, writeFile } from 'node:fs/promises';
import { writeFileAtomic } from './atomic-file.ts';
import type { FileOptions } from './atomic-file.ts';

/** Writes to a path that a user gave: a file is replaced as a whole, also through a link; a device or a pipe is written to. */
export async function writeOutputFile(path: string, text: string, options: FileOptions): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there !== null && !there.isFile()) return writeFile(path, text);
  await writeFileAtomic(await realpath(path).catch(() => path), text, options);
}
