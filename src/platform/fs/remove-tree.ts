import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { errnoOf, throughFd, throughFdBytes, withDescriptors } from './descriptors.ts';

/**
 * Removes an entry of a pinned directory and everything below it, without following links. Returns true if all of it is
 * gone. Entries of another user that cannot be removed stay.
 */
export function removeTree(parent: number, name: string): boolean {
  return removeEntry(parent, Buffer.from(name), (directory) => removeEntries(directory));
}

/**
 * Removes the entries of the directory, not the directory itself. A sandbox can nest directories deeper than
 * descriptors or the stack allow. So this never descends: inner directories are moved up to the top and removed there.
 */
export function removeEntries(top: number): boolean {
  const stuck = new Set<string>();
  let counter = 0;
  const hoist = (directory: number, inner: Buffer): boolean => {
    unlock(directory, inner);
    for (;;) {
      counter += 1;
      const outcome = rename(throughFdBytes(directory, inner), throughFd(top, `.removing-${counter}`));
      if (outcome !== 'taken') return outcome === 'moved';
    }
  };
  const empty = (directory: number): boolean =>
    readdirSync(throughFd(directory), { encoding: 'buffer' })
      .map((inner) => removeEntry(directory, inner, () => hoist(directory, inner)))
      .every((gone) => gone);

  for (;;) {
    const entries = readdirSync(throughFd(top), { encoding: 'buffer' }).filter(
      (name) => !stuck.has(name.toString('hex')),
    );
    if (entries.length === 0) return stuck.size === 0;
    for (const name of entries) {
      if (!removeEntry(top, name, empty)) stuck.add(name.toString('hex'));
    }
  }
}

/** Unlinks an entry; if it is a directory, `empty` clears it first. `empty` may also have removed the directory. */
function removeEntry(parent: number, name: Buffer, empty: (directory: number) => boolean): boolean {
  const path = throughFdBytes(parent, name);
  try {
    if (!lstatSync(path).isDirectory()) {
      unlinkSync(path);
      return true;
    }
    unlock(parent, name);
    const emptied = withDescriptors((descriptors) => {
      const found = descriptors.pin(parent, name);
      return found.kind === 'pinned' && empty(found.pinned.fd);
    });
    if (emptied) rmdirSync(path);
    return emptied;
  } catch (error) {
    switch (errnoOf(error)) {
      case 'ENOENT':
        return true;
      case 'EACCES':
      case 'EPERM':
      case 'ENOTEMPTY':
      case 'EBUSY':
        return false;
      default:
        throw error;
    }
  }
}

/** Makes a locked directory (mode 000, left by a sandbox of the same uid) accessible. */
function unlock(parent: number, name: Buffer): void {
  withDescriptors((descriptors) => {
    const found = descriptors.pin(parent, name);
    if (found.kind !== 'pinned') return;
    const { fd, stat } = found.pinned;
    if (stat.isDirectory() && (stat.mode & 0o700) !== 0o700 && stat.uid === process.geteuid?.()) {
      chmodSync(throughFd(fd), 0o700);
    }
  });
}

function rename(from: Buffer, to: string): 'moved' | 'taken' | 'denied' {
  try {
    renameSync(from, to);
    return 'moved';
  } catch (error) {
    switch (errnoOf(error)) {
      // The name existed before, perhaps deliberately.
      case 'ENOTDIR':
      case 'ENOTEMPTY':
      case 'EEXIST':
        return 'taken';
      case 'EACCES':
      case 'EPERM':
        return 'denied';
      default:
        throw error;
    }
  }
}
