import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { RootfsEntry } from './rootfs-entry.ts';
import { sortEntries } from './rootfs-entry.ts';

/** Which entries below a directory are copied; `path` is absolute. false for a directory leaves out everything in it. */
export type TreeFilter = (path: string, kind: 'directory' | 'file' | 'symlink') => boolean;

/**
 * A root file system that is collected from the host. A host path is copied to the same path, with every symbolic link on the way (merged /usr,
 * alternatives, versioned libraries), so that a path that resolves on the host also resolves in the image.
 */
export interface HostTree {
  /** Adds a file and the links that lead to it; resolves to the file's real path, or to `undefined` if there is none. */
  addFile(path: string): Promise<string | undefined>;
  /** Adds a directory with the entries that the filter allows. Links inside it are kept as links. */
  addDirectory(path: string, filter: TreeFilter, options?: { readonly keepTimes: boolean }): Promise<void>;
  /** Adds an entry that is not copied from the host. A later entry of the same path wins. */
  addEntry(entry: RootfsEntry): void;
  entries(): RootfsEntry[];
}

/** More links on one path mean a loop (Linux has the same limit). */
const MAX_LINKS = 40;

/** Entries by path. Directories on the way to an entry are added if nothing else is there. */
class CollectedEntries {
  readonly #entries = new Map<string, RootfsEntry>();

  /** `path` is the entry's own, with a slash before it. */
  put(path: string, entry: RootfsEntry): void {
    this.#addParents(path);
    this.#entries.set(relative(path), entry);
  }

  sorted(): RootfsEntry[] {
    return sortEntries(this.#entries.values());
  }

  #addParents(path: string): void {
    const parent = dirname(path);
    if (parent === '/' || parent === '.' || this.#entries.has(relative(parent))) return;
    this.#addParents(parent);
    this.#entries.set(relative(parent), { kind: 'directory', path: relative(parent), mode: 0o755 });
  }
}

function relative(path: string): string {
  return path.slice(1);
}

export function createHostTree(): HostTree {
  const collected = new CollectedEntries();
  /** Device and inode of a file with several names -> the name under which it is stored; the others become links to it. */
  const hardLinked = new Map<string, string>();

  /** Follows the path one component at a time, records each link, and returns the path without links. */
  async function mirror(path: string): Promise<string | undefined> {
    let real = '/';
    const pending = path.split('/').filter((part) => part !== '');
    let links = 0;
    while (pending.length > 0) {
      const next = join(real, pending.shift() ?? '');
      const info = await lstat(next).catch(() => undefined);
      if (info === undefined) return undefined;
      if (!info.isSymbolicLink()) {
        real = next;
        continue;
      }
      if (++links > MAX_LINKS) return undefined;
      const target = await readlink(next);
      collected.put(next, { kind: 'symlink', path: relative(next), target });
      const absolute = resolve(real, target);
      pending.unshift(...absolute.split('/').filter((part) => part !== ''));
      real = '/';
    }
    return real;
  }

  async function putRegularFile(path: string, keepTimes: boolean): Promise<boolean> {
    const info = await lstat(path);
    if (!info.isFile()) return false;
    const identity = `${info.dev}:${info.ino}`;
    const twin = hardLinked.get(identity);
    if (twin !== undefined && twin !== path) {
      collected.put(path, { kind: 'symlink', path: relative(path), target: twin });
      return true;
    }
    if (info.nlink > 1) hardLinked.set(identity, path);
    collected.put(path, {
      kind: 'file',
      path: relative(path),
      // The host's set-user-id bits (su, mount) must not be in a sandbox.
      mode: info.mode & 0o755,
      content: { kind: 'disk', path },
      mtimeSeconds: keepTimes ? Math.floor(info.mtimeMs / 1000) : undefined,
    });
    return true;
  }

  async function walk(directory: string, filter: TreeFilter, keepTimes: boolean): Promise<void> {
    for (const item of await readdir(directory, { withFileTypes: true })) {
      const path = join(directory, item.name);
      if (item.isDirectory()) {
        if (filter(path, 'directory')) await walk(path, filter, keepTimes);
      } else if (item.isSymbolicLink()) {
        if (!filter(path, 'symlink')) continue;
        collected.put(path, { kind: 'symlink', path: relative(path), target: await readlink(path) });
      } else if (item.isFile() && filter(path, 'file')) {
        await putRegularFile(path, keepTimes);
      }
    }
  }

  return {
    async addFile(path) {
      const real = await mirror(path);
      return real !== undefined && (await putRegularFile(real, false)) ? real : undefined;
    },
    async addDirectory(path, filter, options = { keepTimes: false }) {
      const real = await mirror(path);
      if (real === undefined || !(await lstat(real)).isDirectory()) return;
      await walk(real, filter, options.keepTimes);
    },
    addEntry(entry) {
      collected.put(`/${entry.path}`, entry);
    },
    entries() {
      return collected.sorted();
    },
  };
}
