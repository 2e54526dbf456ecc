import { chmodSync, lchownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { ObjectId } from '../../../contracts/ids.ts';
import type { Repository } from '../../../contracts/ports/repository.ts';
import { fromByteString, toByteString } from '../../../lib/git/byte-string.ts';
import type { GitIndex, IndexEntry } from '../../../lib/git/git-index.ts';
import { compareEntries } from '../../../lib/git/git-index.ts';
import { objectUnreadable, repositoryUnreadable } from '../../../lib/git/repository-unreadable.ts';
import { canonicalMode, MODE, parseTree } from '../../../lib/git/tree.ts';
import { worktreePathProblem } from '../../../lib/git/worktree-path.ts';
import { indexStat } from '../index-stat.ts';
import type { FileOwner } from '../merge/disk.ts';

const MAX_BLOB_BYTES = 2 * 1024 ** 3;
const ENTRIES_PER_TURN = 500;

/**
 * Writes the files of a tree into an empty directory that no other program uses, and returns the matching index.
 * Contents are those of the repository, byte for byte: no filter, hook or conversion runs. Each entry is created, so
 * for a tree with two entries of one name (one of them a link) the file system refuses the second, and nothing is
 * written elsewhere. Throws FluffyError `repository_unreadable` for a tree that git would not check out.
 */
export async function checkOut(
  repository: Pick<Repository, 'readObject'>,
  tree: ObjectId,
  directory: string,
  owner: FileOwner,
): Promise<GitIndex> {
  const entries: IndexEntry[] = [];
  const pending: { readonly id: ObjectId; readonly path: string }[] = [{ id: tree, path: '' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const object = await repository.readObject(at.id);
    const children = object?.type === 'tree' ? parseTree(object.content) : null;
    if (children === null) throw objectUnreadable(at.id, object, 'tree');
    for (const { mode, name, id } of children) {
      const text = fromByteString(name);
      const path = at.path === '' ? text : `${at.path}/${text}`;
      const problem = toByteString(text) === name ? worktreePathProblem(path) : 'a name that is not UTF-8';
      if (problem !== null) throw repositoryUnreadable(path, `the commit has ${problem}`);
      const place = `${directory}/${path}`;
      const kind = canonicalMode(mode);
      if (kind === MODE.directory) {
        mkdirSync(place);
        giveTo(place, owner);
        pending.push({ id, path });
        continue;
      }
      await makeEntry(repository, place, kind, id);
      giveTo(place, owner);
      const stat = indexStat(lstatSync(place, { bigint: true }));
      entries.push({ path: toByteString(path), mode: kind, id, stat, stage: 0, assumeValid: false, extended: 0 });
      if (entries.length % ENTRIES_PER_TURN === 0) await setImmediate();
    }
  }
  return { version: 2, entries: entries.sort(compareEntries), extensions: [] };
}

async function makeEntry(
  repository: Pick<Repository, 'readObject'>,
  place: string,
  mode: number,
  id: ObjectId,
): Promise<void> {
  // A submodule that is not initialised.
  if (mode === MODE.gitlink) return void mkdirSync(place);
  const object = await repository.readObject(id, MAX_BLOB_BYTES);
  if (object?.type !== 'blob') throw objectUnreadable(id, object, 'blob');
  if (mode === MODE.symlink) return symlinkSync(object.content, place);
  writeFileSync(place, object.content, { flag: 'wx' });
  if (mode === MODE.executable) chmodSync(place, 0o777 & ~process.umask());
}

/** Root may work for another user, who then owns these files. */
export function giveTo(path: string, { uid, gid }: FileOwner): void {
  if (process.geteuid?.() === 0) lchownSync(path, uid, gid);
}
