import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { checkKeyText } from './key-text.ts';

const MAX_FILE_BYTES = 8 * 1024;

/**
 * Reads `<keysDirectory>/<name>`, or null if there is no such file. A file that others may read or that somebody else put there
 * is refused, not repaired: the key in it may be known already. Throws FluffyError `key_file_unsafe`, `key_unusable`.
 */
export async function readKeyFile(keysDirectory: string, name: string): Promise<string | null> {
  const directory = await lstat(keysDirectory).catch(missingIsNull);
  if (directory === null) return null;
  if (!directory.isDirectory()) throw unsafe(keysDirectory, 'it is not a directory', `Remove it: rm ${keysDirectory}`);
  const directoryProblem = describeProblem(directory, 0o022);
  if (directoryProblem !== null) throw unsafe(keysDirectory, directoryProblem, `chmod 700 ${keysDirectory}`);
  const path = join(keysDirectory, name);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null;
      if (hasCode(error, 'ELOOP'))
        throw unsafe(path, 'it is a symbolic link', `Replace it: fluffy config set-key ${name}`);
      throw unsafe(path, 'it cannot be opened', `Replace it: fluffy config set-key ${name}`);
    },
  );
  if (file === null) return null;
  try {
    return checkKeyText(await readChecked(file, path), path);
  } finally {
    await file.close();
  }
}

/** Writes `<keysDirectory>/<name>` with mode 0600, whole or not at all, and leaves it on disk before it resolves. */
export async function writeKeyFile(keysDirectory: string, name: string, key: string, suffix: string): Promise<void> {
  await mkdir(keysDirectory, { recursive: true, mode: 0o700 });
  const path = join(keysDirectory, name);
  const temporary = `${path}.${suffix}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${key}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function readChecked(file: FileHandle, path: string): Promise<string> {
  const stats = await file.stat();
  const replace = `Replace it: remove ${path}, then give the key to fluffy config set-key`;
  if (!stats.isFile()) throw unsafe(path, 'it is not a regular file', replace);
  const problem = describeProblem(stats, 0o077);
  if (problem !== null)
    throw unsafe(path, problem, `chmod 600 ${path}, and replace the key if others may have seen it`);
  if (stats.nlink !== 1) throw unsafe(path, 'it has a second name elsewhere', replace);
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
