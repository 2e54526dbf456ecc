import { storedContent } from './backup.ts';
import type { BackedUpPath } from './backup.ts';
import type { MergeSite } from './merge-site.ts';
import { lstatEntry, PathBlocked, withEntry } from './project-entry.ts';

/**
 * Restores a path from the backup: content, permissions, owner, time. `remove` deletes what was not there before. `add`
 * restores to a free path, `replace` over what the operation itself had put there. Returns false if its directory is
 * gone or something else is at the path.
 */
export function restoreFile(
  site: MergeSite,
  operation: string,
  backedUp: BackedUpPath,
  how: 'remove' | 'replace' | 'add',
): boolean {
  try {
    return restore(site, operation, backedUp, how);
  } catch (error) {
    if (error instanceof PathBlocked) return false;
    throw error;
  }
}

function restore(
  site: MergeSite,
  operation: string,
  { path, state, content, temporary }: BackedUpPath,
  how: 'remove' | 'replace' | 'add',
): boolean {
  if (how === 'remove') {
    withEntry(site.root, path, (entry) => {
      if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
    });
    return true;
  }
  const restored = `${temporary}-back`;
  const done = withEntry(site.root, restored, (from) => {
    if (lstatEntry(from) !== null) site.disk.unlink(from.path);
    if (state.kind === 'symlink') {
      site.disk.symlink(state.target, from.path, site.owner);
    } else if (content !== null) {
      const { mode, mtime_seconds: mtimeSeconds, uid, gid } = content;
      const bytes = storedContent(site, operation, content);
      site.disk.createFile(from.path, bytes, { mode, mtimeSeconds, owner: { uid, gid } });
    } else {
      throw new Error(`${path} has nothing to restore`);
    }
    return withEntry(site.root, path, (to) => {
      if (how === 'replace') {
        site.disk.rename(from.path, to.path);
      } else {
        site.disk.link(from.path, to.path);
        site.disk.unlink(from.path);
      }
      return true;
    });
  });
  return done === true;
}

/** Removes what an interrupted restore left beside the temporary file. */
export function removeHalfRestored(site: MergeSite, { temporary }: BackedUpPath): void {
  withEntry(site.root, `${temporary}-back`, (entry) => {
    if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
  });
}
