import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';

export type RegularFile =
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  /** `code` is the system's error code, such as `EACCES`, if there is one. */
  | { readonly kind: 'refused'; readonly why: string; readonly code?: string };

export interface ReadLimits {
  readonly maxBytes: number;
  /** Whether a symbolic link at the last component is followed. A link in a project may lead to a file of the user. */
  readonly links: 'followed' | 'refused';
}

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a file that another user may have put there. It never blocks and memory is limited: a FIFO is not waited for, devices and sockets are not
 * read, and data beyond `maxBytes` is not stored, whatever size the file claims. Never rejects because of what is on the disk.
 */
export async function readRegularFile(path: string, limits: ReadLimits): Promise<RegularFile> {
  try {
    const handle = await open(path, flagsOf(limits));
    try {
      const refused = refusedBy(await handle.stat(), limits);
      if (refused !== null) return refused;
      const reader = new BoundedReader(limits.maxBytes);
      while (reader.take((await handle.read(reader.chunk())).bytesRead));
      return reader.result();
    } finally {
      await handle.close();
    }
  } catch (error) {
    return failed(error);
  }
}

/** Like `readRegularFile`, synchronous. */
export function readRegularFileSync(path: string, limits: ReadLimits): RegularFile {
  try {
    const fd = openSync(path, flagsOf(limits));
    try {
      const refused = refusedBy(fstatSync(fd), limits);
      if (refused !== null) return refused;
      const reader = new BoundedReader(limits.maxBytes);
      while (reader.take(readSync(fd, reader.chunk())));
      return reader.result();
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return failed(error);
  }
}

/** The text of a file as UTF-8; null if it cannot be read. */
export async function readRegularText(path: string, limits: ReadLimits): Promise<string | null> {
  const read = await readRegularFile(path, limits);
  return read.kind === 'file' ? read.bytes.toString('utf8') : null;
}

/** Like `readRegularText`, synchronous. */
export function readRegularTextSync(path: string, limits: ReadLimits): string | null {
  const read = readRegularFileSync(path, limits);
  return read.kind === 'file' ? read.bytes.toString('utf8') : null;
}

class BoundedReader {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #open = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The buffer for the next read. One byte more than allowed shows that there is more. */
  chunk(): Buffer {
    this.#open = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.#maxBytes + 1 - this.#bytes));
    return this.#open;
  }

  /** Returns whether to read more. */
  take(bytesRead: number): boolean {
    this.#chunks.push(this.#open.subarray(0, bytesRead));
    this.#bytes += bytesRead;
    return bytesRead > 0 && this.#bytes <= this.#maxBytes;
  }

  result(): RegularFile {
    return this.#bytes > this.#maxBytes
      ? tooLarge(this.#maxBytes)
      : { kind: 'file', bytes: Buffer.concat(this.#chunks, this.#bytes) };
  }
}

function flagsOf({ links }: ReadLimits): number {
  const follow = links === 'followed' ? 0 : constants.O_NOFOLLOW;
  return constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | follow;
}

function refusedBy(found: Stats, { maxBytes }: ReadLimits): RegularFile | null {
  if (!found.isFile()) return { kind: 'refused', why: `it is ${kindOf(found)}, not a regular file` };
  return found.size > maxBytes ? tooLarge(maxBytes) : null;
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory';
  return found.isFIFO() ? 'a pipe' : 'a device';
}

function tooLarge(maxBytes: number): RegularFile {
  return { kind: 'refused', why: `it is larger than ${maxBytes} bytes` };
}

function failed(error: unknown): RegularFile {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'missing' };
    case 'ELOOP':
      return { kind: 'refused', why: 'it is a symbolic link', code };
    case 'ENXIO':
      return { kind: 'refused', why: 'it is a socket, not a regular file', code };
    case 'EAGAIN':
      return { kind: 'refused', why: 'reading it would have to wait', code };
    case undefined:
      throw error;
    default:
      return { kind: 'refused', why: `it cannot be read (${code})`, code };
  }
}
