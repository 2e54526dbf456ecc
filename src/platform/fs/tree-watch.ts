import { closeSync, readSync, statfsSync } from 'node:fs';
import { errnoOf, throughFd } from './descriptors.ts';

/**
 * Notices changes below a directory from now on, so that not every file has to be checked again. Costs no time while
 * nothing changes.
 */
export interface TreeWatch {
  /**
   * Watches another directory, by its descriptor. Returns false if it cannot be watched; then the whole watch is
   * useless.
   */
  add(directory: number): boolean;
  /**
   * Whether nothing was created, removed, renamed, written or otherwise changed in the watched directories since they
   * were added.
   */
  isQuiet(): boolean;
  close(): void;
}

/**
 * Opens a watch of a tree; null if the file system does not report every change, or if the system has no watch left.
 */
export type OpenTreeWatch = (root: number) => TreeWatch | null;

type Init = (flags: number) => number;
type AddWatch = (watch: number, path: string, mask: number) => number;

const IN_NONBLOCK = 0o4000;
const IN_CLOEXEC = 0o2000000;
/** Modify, attributes, moved from and to, create, delete, delete and move of itself. */
const CHANGES = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800;
const IN_ONLYDIR = 0x01000000;
/** Maximum number of directories: the system limits the watches of all programs of a user. */
const MAX_WATCHED = 50_000;
/**
 * ext4, XFS, Btrfs, tmpfs, ZFS and F2FS: all changes there go through this kernel. On network or virtual machine shares
 * other systems change files without a report, and an overlay loses watches when it copies a file up.
 */
const REPORTING: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x2fc12fc1, 0xf2f52010]);

export async function loadTreeWatch(): Promise<OpenTreeWatch> {
  const { default: koffi } = await import('koffi');
  const libc = koffi.load(null);
  const init = libc.func('int inotify_init1(int)') as unknown as Init;
  const addWatch = libc.func('int inotify_add_watch(int, const char *, uint32_t)') as unknown as AddWatch;
  return (root) => {
    if (!REPORTING.has(statfsSync(throughFd(root)).type)) return null;
    const descriptor = init(IN_NONBLOCK | IN_CLOEXEC);
    return descriptor < 0 ? null : new Inotify(descriptor, addWatch);
  };
}

class Inotify implements TreeWatch {
  readonly #descriptor: number;
  readonly #addWatch: AddWatch;
  readonly #events = Buffer.alloc(4096);
  #quiet = true;
  #directories = 0;

  constructor(descriptor: number, addWatch: AddWatch) {
    this.#descriptor = descriptor;
    this.#addWatch = addWatch;
  }

  add(directory: number): boolean {
    this.#directories += 1;
    if (this.#directories > MAX_WATCHED) return false;
    return this.#addWatch(this.#descriptor, throughFd(directory), CHANGES | IN_ONLYDIR) >= 0;
  }

  isQuiet(): boolean {
    this.#quiet &&= !this.#hasEvents();
    return this.#quiet;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #hasEvents(): boolean {
    try {
      return readSync(this.#descriptor, this.#events) > 0;
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') return false;
      throw error;
    }
  }
}
