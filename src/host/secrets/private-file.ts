import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { createFileAtomic, writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

const MAX_FILE_BYTES = 8 * 1024;

/**
 * Reads a file that only this user may read; null if there is none. A file that others may read, or that another user owns, is refused and not
 * repaired, because its content may already be known. `replace` says how to make it again. Throws FluffyError `key_file_unsafe`.
 */
export async function readPrivateFile(path: string, replace: string): Promise<string | null> {
  const directoryPath = dirname(path);
  const directory = await lstat(directoryPath).catch(missingIsNull);
  if (directory === null) return null;
  if (!directory.isDirectory()) throw unsafe(directoryPath, 'it is not a directory', `Remove it: rm ${directoryPath}`);
  const directoryProblem = describeProblem(directory, 0o022);
  if (directoryProblem !== null) throw unsafe(directoryPath, directoryProblem, `chmod 700 ${directoryPath}`);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw unsafe(path, hasCode(error, 'ELOOP') ? 'it is a symbolic link' : 'it cannot be opened', replace);
  });
  if (file === null) return null;
  try {
    return await readChecked(file, path, replace);
  } finally {
    await file.close();
  }
}

/**
 * Writes a file with mode 0600, completely or not at all, and on disk before it resolves. With `ifAbsent` an existing file is unchanged and the
 * result is false, also if two writers run at once.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { ifAbsent }: { readonly ifAbsent: boolean },
): Promise<boolean> {
  await makeDirectories(dirname(path), 0o700);
  if (ifAbsent) return createFileAtomic(path, text, { mode: 0o600 });
  await writeFileAtomic(path, text, { mode: 0o600 });
  return true;
}

async function readChecked(file: FileHandle, path: string, replace: string): Promise<string> {
  const stats = await file.stat();
  if (!stats.isFile()) throw unsafe(path, 'it is not a regular file', replace);
  const problem = describeProblem(stats, 0o077);
  if (problem !== null) throw unsafe(path, problem, `chmod 600 ${path}, and replace it if others may have read it`);
  if (stats.size > MAX_FILE_BYTES) throw unsafe(path, 'it is far longer than a key', replace);
  return await file.readFile('utf8');
}

function describeProblem(stats: { readonly uid: number; readonly mode: number }, forbidden: number): string | null {
  const self = process.geteuid?.() ?? stats.uid;
  if (stats.uid !== self) return `it belongs to user ${stats.uid}, not to you (${self})`;
  const mode = stats.mode & 0o777;
  return (mode & forbidden) === 0
    ? null
    : `its permissions are ${mode.toString(8).padStart(4, '0')}, open to other users`;
}

function missingIsNull(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unsafe(path: string, why: string, fix: string): FluffyError {
  return new FluffyError({
    code: 'key_file_unsafe',
    what: `The key file ${path} is not safe to use`,
    why,
    fix,
    exitCode: EXIT.usage,
  });
}
