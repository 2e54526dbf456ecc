import type { DirectoryMark, RecordedState, StateRecord } from './state-record.ts';

/** The directory that is opened. */
export interface OpenedDirectory {
  readonly path: string;
  readonly mark: DirectoryMark;
}

export interface Lookups {
  /** Whether the repository contains a commit that the record names; null if that is unknown. */
  readonly isOfHistory: (record: StateRecord) => Promise<boolean | null>;
  /** False in a linked worktree: it shares its history with other worktrees, one of which may be gone. */
  readonly followsHistory: boolean;
  /** The directory at a path now; null if there is none. */
  readonly markAt: (path: string) => Promise<DirectoryMark | null>;
}

export type StateChoice =
  | { readonly kind: 'known'; readonly id: string }
  /** The repository was at another path. */
  | { readonly kind: 'moved'; readonly id: string; readonly from: string }
  /** `other`: the path's own state belongs to another repository, and stays unchanged. */
  | { readonly kind: 'new'; readonly other: boolean };

/**
 * Which state belongs to the repository in a directory. The same directory keeps its state at any path. Another directory at the same path gets the
 * state if it has the same history (a copy, a clone, another disk). If a path is gone, its state follows the history.
 *
 * @param ownId the default id of a state for this path
 */
export async function chooseState(
  opened: OpenedDirectory,
  ownId: string,
  states: readonly RecordedState[],
  { isOfHistory, followsHistory, markAt }: Lookups,
): Promise<StateChoice> {
  const recorded = states.flatMap(({ id, record }) => (record === null ? [] : [{ id, record }]));
  const same = recorded.find(({ record }) => isSame(record.mark, opened.mark));
  if (same?.record.path === opened.path) return { kind: 'known', id: same.id };

  const atPath = recorded.filter(({ record }) => record.path === opened.path);
  for (const { id, record } of atPath) if ((await isOfHistory(record)) !== false) return { kind: 'known', id };
  if (same !== undefined) {
    const there = await markAt(same.record.path);
    // One directory under two paths, for example through a bind mount.
    if (there !== null && isSame(there, opened.mark)) return { kind: 'known', id: same.id };
    return { kind: 'moved', id: same.id, from: same.record.path };
  }
  if (states.some(({ id, record }) => id === ownId && record === null)) return { kind: 'known', id: ownId };

  for (const { id, record } of followsHistory ? recorded : []) {
    if (record.path === opened.path || (await markAt(record.path)) !== null) continue;
    if ((await isOfHistory(record)) === true) return { kind: 'moved', id, from: record.path };
  }
  return { kind: 'new', other: atPath.length > 0 || recorded.some(({ id }) => id === ownId) };
}

/** If the file system does not record a directory's creation time, an inode alone proves nothing. */
export function isSame(a: DirectoryMark, b: DirectoryMark): boolean {
  return a.inode === b.inode && a.born_ns === b.born_ns && a.born_ns !== '0';
}
