import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** Linux: a descriptor that names an inode without opening it for reading. Same value on every architecture Node runs on. */
export const O_PATH = 0o10000000;
const PIN = O_PATH | constants.O_NOFOLLOW;

/** An inode held by a descriptor: whatever happens to its name afterwards, this stays the same file. */
export interface Pinned {
  readonly fd: number;
  readonly stat: Stats;
}

export type PinOutcome =
  | { readonly kind: 'pinned'; readonly pinned: Pinned }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable' };

/** Path that names `fd` itself, or an entry of the directory it holds. The kernel resolves it from the inode, not by name. */
export function throughFd(fd: number, name?: string): string {
  return name === undefined ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${name}`;
}

/** As `throughFd`, for a name as the bytes it is: a sandbox need not write UTF-8. */
export function throughFdBytes(fd: number, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
}

/**
 * Owns the descriptors of one walk. Each component is opened from its parent's descriptor without following a link, so nothing
 * that is swapped between a check and a use can lead elsewhere.
 */
export class Descriptors {
  readonly #held: number[] = [];

  /** Pins one entry of the directory `parent`. `name` must be a single component; the entry may be of any kind, links included. */
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

  /** Opens for reading what `pinned` holds: the very inode that was examined. */
  reopen(pinned: number): number {
    const fd = openSync(throughFd(pinned), constants.O_RDONLY | constants.O_NOCTTY);
    this.#held.push(fd);
    return fd;
  }

  close(): void {
    for (const fd of this.#held.splice(0)) closeSync(fd);
  }
}

/** Pins a directory by its absolute path, to be the root of walks. Throws when it is missing, a link or no directory. */
export function pinRoot(path: string): number {
  return openSync(path, PIN | constants.O_DIRECTORY);
}

/** Runs `use` with descriptors that are closed when it ends, whichever way. */
export function withDescriptors<T>(use: (descriptors: Descriptors) => T): T {
  const descriptors = new Descriptors();
  try {
    return use(descriptors);
  } finally {
    descriptors.close();
  }
}

/** As `withDescriptors`, for work that waits. */
export async function withDescriptorsAsync<T>(use: (descriptors: Descriptors) => Promise<T>): Promise<T> {
  const descriptors = new Descriptors();
  try {
    return await use(descriptors);
  } finally {
    descriptors.close();
  }
}

/** The system's name of what went wrong, such as `ENOENT`; '' for an error that has none. */
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
