import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { projectDirs, type ProjectDirs, type UserDirs } from '../../contracts/host-layout.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import { gitFile, isLinked, ordinaryGitDirectories } from '../../lib/git/git-directories.ts';
import { readLinkedWorktree } from '../../platform/git/linked-worktree.ts';
import { openObjectDatabase } from '../../platform/git/object-database.ts';
import { projectIdOf } from '../supervisor/instance.ts';
import { chooseState, isSame, type StateChoice } from './choose-state.ts';
import { readStateRecord, readStates, writeStateRecord } from './state-record.ts';
import type { DirectoryMark, StateRecord } from './state-record.ts';

export interface FoundState {
  readonly dirs: ProjectDirs;
  /** A sentence for the user about a change; null if nothing has changed. */
  readonly notice: string | null;
}

const MAX_COMMIT_BYTES = 4 * 1024 * 1024;

/** The state of the repository at `root`, a real path. Reads only. */
export async function findState(user: UserDirs, root: string): Promise<FoundState> {
  const mark = await markOf(root);
  const ownId = projectIdOf(root);
  const own = projectDirs(user, root, ownId);
  const record = await readStateRecord(own.host);
  if (record?.path === root && isSame(record.mark, mark)) return { dirs: own, notice: null };

  const linked = await readLinkedWorktree(root).catch(() => null);
  const git = linked?.kind === 'linked' ? linked.git : ordinaryGitDirectories(root);
  const choice = await chooseState({ path: root, mark }, ownId, await readStates(user), {
    isOfHistory: (known) => isOfHistory(gitFile(git, 'objects'), known),
    followsHistory: !isLinked(git),
    markAt: (path) => markOf(path).catch(() => null),
  });
  const id = choice.kind === 'new' ? newId(root, mark, choice.other) : choice.id;
  return { dirs: projectDirs(user, root, id), notice: noticeOf(choice, root) };
}

/** Records that the state belongs to the repository in this directory. Its `host` directory must exist. */
export async function bindState({ root, host }: ProjectDirs, head: ObjectId | null): Promise<void> {
  const before = await readStateRecord(host);
  const seen = head === null ? (before?.seen ?? null) : { first: before?.seen?.first ?? head, last: head };
  await writeStateRecord(host, { version: 1, path: root, mark: await markOf(root), seen });
}

async function markOf(path: string): Promise<DirectoryMark> {
  const { ino, birthtimeNs } = await stat(path, { bigint: true });
  return { inode: String(ino), born_ns: String(birthtimeNs) };
}

async function isOfHistory(directory: string, { seen }: StateRecord): Promise<boolean | null> {
  const isThere = await stat(directory).catch(() => null);
  if (seen === null || isThere === null) return null;
  const objects = openObjectDatabase(directory);
  try {
    for (const id of [seen.last, seen.first]) {
      if ((await objects.read(id, MAX_COMMIT_BYTES))?.type === 'commit') return true;
    }
    return false;
  } catch {
    return null;
  } finally {
    await objects.close();
  }
}

function newId(root: string, { inode, born_ns }: DirectoryMark, other: boolean): string {
  if (!other) return projectIdOf(root);
  return createHash('sha256').update(`${root}\0${inode}\0${born_ns}`).digest('hex').slice(0, 16);
}

function noticeOf(choice: StateChoice, root: string): string | null {
  if (choice.kind === 'moved')
    return `this repository was known as ${choice.from}: its sessions, staged work and audit log are used here`;
  return choice.kind === 'new' && choice.other
    ? `another repository was at ${root} before: its sessions and audit log are kept, and not shown here`
    : null;
}
