import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * What is known of a database before it is opened. `clean`: closed in order and unchanged since. `cut-off`: its writer was killed, which damages nothing
 * by itself. `suspect`: damage was found in it, or it was changed since it was closed.
 */
export type KnownState = 'clean' | 'cut-off' | 'suspect';

/**
 * A file beside the database that says: closed in order, and this is what it looked like then. A database that looks so still needs no check of every page,
 * which takes seconds for a large one. What changes at rest without changing size or time is found by the checks of the chains, and when it is read.
 */
export function markClean(path: string): void {
  const look = lookOf(path);
  if (look !== null) writeFileSync(markOf(path), look, { mode: 0o600 });
}

/** The next opening looks at every page. In force at once: whether this writer ends in order or not. */
export function markSuspect(path: string): void {
  writeFileSync(markOf(path), '', { mode: 0o600 });
}

export function readMark(path: string): KnownState {
  try {
    return readFileSync(markOf(path), 'utf8') === lookOf(path) ? 'clean' : 'suspect';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'cut-off' : 'suspect';
  }
}

/** Before the first write. */
export function removeMark(path: string): void {
  rmSync(markOf(path), { force: true });
}

const markOf = (path: string): string => `${path}.clean`;

/** Null where a log of writes waits to be folded in: then it was not closed. */
function lookOf(path: string): string | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined || (log !== undefined && log.size > 0)) return null;
  return `${stat.size} ${stat.mtimeNs} ${stat.ino}`;
}
