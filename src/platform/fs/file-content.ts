import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileState } from '../../contracts/review/change-set.ts';
import type { Sha256 } from '../../contracts/ids.ts';
import type { Descriptors } from './descriptors.ts';

const CHUNK_BYTES = 1024 * 1024;
/** After this many bytes the event loop gets a turn: a sandbox may leave gigabytes behind. */
const BYTES_PER_TURN = 8 * CHUNK_BYTES;

export function sha256Of(bytes: Uint8Array): Sha256 {
  return createHash('sha256').update(bytes).digest('hex') as Sha256;
}

/** Reads an open regular file, at most `maxBytes + 1` bytes, because a file may grow while it is read. */
export function readWhole(fd: number, sizeHint: number, maxBytes: number): Buffer {
  const limit = maxBytes + 1;
  let buffer = Buffer.allocUnsafe(Math.min(sizeHint + 1, limit));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2 + CHUNK_BYTES, limit));
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

/** Hashes a pinned regular file in chunks. The size is the number of bytes that were read, not the size from stat. */
export async function hashPinnedFile(
  descriptors: Descriptors,
  pinned: number,
): Promise<Extract<FileState, { kind: 'file' }>> {
  const fd = descriptors.reopen(pinned);
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
    hash.update(chunk.subarray(0, read));
    size += read;
    if (size % BYTES_PER_TURN < CHUNK_BYTES && size >= BYTES_PER_TURN) await setImmediate();
  }
  return {
    kind: 'file',
    sha256: hash.digest('hex') as Sha256,
    size,
    executable: isExecutable(fstatSync(fd).mode),
  };
}

/** Whether git stores the mode as executable. */
export function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}
