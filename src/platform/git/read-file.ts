import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';

/** With O_NONBLOCK, opening a FIFO does not wait for its writer. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens a regular file; null if there is no file. A link as the last component is refused unless the caller allows it.
 * Throws FluffyError `repository_unreadable` for links, special files and everything that the system refuses.
 */
export async function openRegularFile(
  path: string,
  link: 'refused' | 'followed' = 'refused',
): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, READ_FLAGS | (link === 'refused' ? constants.O_NOFOLLOW : 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw repositoryUnreadable(path, code === 'ELOOP' ? 'it is a symbolic link' : String(code), error);
  }
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw repositoryUnreadable(path, 'it is not a regular file');
}

/** The whole content of a small regular file; null if there is none. A file larger than `maxBytes` is an error. */
export async function readWholeFile(path: string, maxBytes: number): Promise<Buffer | null> {
  const handle = await openRegularFile(path);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size > maxBytes)
      throw repositoryUnreadable(path, `it has ${size} bytes, more than the ${maxBytes} that are read`);
    return await readAt(handle, 0, size);
  } finally {
    await handle.close();
  }
}

/** Up to `length` bytes from `position`; fewer at the end of the file. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
