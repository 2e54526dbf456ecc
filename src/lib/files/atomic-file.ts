import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface FileOptions {
  readonly mode: number;
  /** Absent: the user who runs this process. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Replaces or creates a file: readers, and a restart after a crash, see the old content or the new, never a part. A link with this name is replaced
 * and not followed. On disk when it resolves. The directory must exist.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array, options: FileOptions): Promise<void> {
  await placing(path, data, options, async (temporary) => {
    await rename(temporary, path);
    return true;
  });
}

/** Like `writeFileAtomic`, but never replaces: false if something with this name exists already, also if two writers run at once. */
export async function createFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: FileOptions,
): Promise<boolean> {
  return placing(path, data, options, async (temporary) => {
    try {
      await link(temporary, path);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** Writes a temporary file beside `path` to disk, passes it to `place`, and syncs the directory afterwards. The temporary file is always removed. */
export async function placing<T>(
  path: string,
  data: string | Uint8Array,
  { mode, owner }: FileOptions,
  place: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(data);
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    const placed = await place(temporary);
    await syncDirectory(dirname(path));
    return placed;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Makes changed names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
