import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Stats } from 'node:fs';

/**
 * Linux: a descriptor that refers to an inode without opening it for reading. The value is the same on every
 * architecture that Node runs on.
 */
export const O_PATH = 0o10000000;
const PIN = O_PATH | constants.O_NOFOLLOW;

/** An inode held by a descriptor. It stays the same file, whatever happens to its name. */
export interface Pinned {
  readonly fd: number;
  readonly stat: Stats;
}

export type PinOutcome =
  | { readonly kind: 'pinned'; readonly pinned: Pinned }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable' };

/**
 * A path for `fd` itself, or for an entry of the directory that it holds. The operating system resolves it from the
 * inode, not by name.
 */
export function throughFd(fd: number, name?: string): string {
  return name === undefined ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${name}`;
}

/** Like `throughFd`, for a name as bytes, because a sandbox need not write UTF-8. */
export function throughFdBytes(fd: number, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
}

/**
 * Owns the descriptors of one walk. Each component is opened from its parent's descriptor without following a link, so
 * an entry that is replaced between check and use cannot lead elsewhere.
 */
export class Descriptors {
  readonly #held: number[] = [];

  /**
   * Pins one entry of the directory `parent`. `name` must be a single component. The entry may be of any kind, also a
   * link.
   */
  pin(parent: number, name: string | Buffer): PinOutcome {
    if (name.includes('\0')) return { kind: 'missing' };
    let fd: number;
    try {
      fd = openSync(typeof name === 'string' ? throughFd(parent, name) : throughFdBytes(parent, name), PIN);
    } catch (error) {
      return failedPin(error);
    }
    this.#held.push(fd);
    return { kind: 'pinned', pinned: { fd, stat: fstatSync(fd) } };
  }

  /** Opens what `pinned` holds for reading: exactly the inode that was examined. */
  reopen(pinned: number): number {
    const fd = openSync(throughFd(pinned), constants.O_RDONLY | constants.O_NOCTTY);
    this.#held.push(fd);
    return fd;
  }

  close(): void {
    for (const fd of this.#held.splice(0)) closeSync(fd);
  }
}

/** Pins a directory by its absolute path, as the root of walks. Throws if it is missing, a link, or not a directory. */
export function pinRoot(path: string): number {
  return openSync(path, PIN | constants.O_DIRECTORY);
}

/** Runs `use` with descriptors that are closed when it ends, also after an exception. */
export function withDescriptors<T>(use: (descriptors: Descriptors) => T): T {
  const descriptors = new Descriptors();
  try {
    return use(descriptors);
  } finally {
    descriptors.close();
  }
}

/** Like `withDescriptors`, for asynchronous work. */
export async function withDescriptorsAsync<T>(use: (descriptors: Descriptors) => Promise<T>): Promise<T> {
  const descriptors = new Descriptors();
  try {
    return await use(descriptors);
  } finally {
    descriptors.close();
  }
}

/** The system's error code, such as `ENOENT`; '' for an error without one. */
export function errnoOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

function failedPin(error: unknown): PinOutcome {
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
      return { kind: 'missing' };
    case 'EACCES':
    case 'EPERM':
      return { kind: 'unreachable' };
    default:
      throw error;
  }
}
