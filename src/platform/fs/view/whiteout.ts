import { linkSync, lstatSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { errnoOf } from '../descriptors.ts';
import { loadRenameAt2 } from '../rename-at2.ts';
import { isWhiteout } from '../union/union-lookup.ts';

/** Creates a whiteout, the mark by which an upper directory hides what is below it, at a free path. */
export type MakeWhiteout = (path: string) => void;

const RENAME_WHITEOUT = 4;

/**
 * Creates whiteouts for one slot. The kernel may create no device (its seccomp profile), but since Linux 5.8 any user
 * gets a whiteout in place of a name that is renamed with RENAME_WHITEOUT. One is created so and kept as `master`, on
 * the file system of the later paths; all others are hard links to it. Throws if the file system has no whiteouts: then
 * nothing is shown that should be hidden.
 */
export async function loadWhiteouts(): Promise<(master: string) => MakeWhiteout> {
  const renameAt2 = await loadRenameAt2();
  if (renameAt2 === null) throw new Error('files cannot be hidden: the C library has no renameat2');

  const makeFirst = (master: string): void => {
    const moved = `${master}.moved`;
    for (const left of [`${master}.new`, moved]) rmSync(left, { force: true });
    writeFileSync(`${master}.new`, '');
    const errno = renameAt2(`${master}.new`, moved, RENAME_WHITEOUT);
    if (errno !== 0)
      throw new Error(`files cannot be hidden: the state directory's file system has no whiteouts (errno ${errno})`);
    unlinkSync(moved);
    if (!isWhiteoutAt(`${master}.new`)) throw new Error('files cannot be hidden: the system left no whiteout');
    renameSync(`${master}.new`, master);
  };

  return (master) => (path) => {
    if (!isWhiteoutAt(master)) makeFirst(master);
    try {
      linkSync(master, path);
    } catch (error) {
      // The file system's maximum of hard links is reached: the next ones link to a new master.
      if (errnoOf(error) !== 'EMLINK') throw error;
      unlinkSync(master);
      makeFirst(master);
      linkSync(master, path);
    }
  };
}

function isWhiteoutAt(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && isWhiteout(stat);
}
