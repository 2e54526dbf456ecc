import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * What is known of a database before it is opened. `clean`: closed in order and unchanged since. `cut-off`: its writer
 * was killed, which alone damages nothing. `suspect`: damage was found in it, or it was changed since it was closed.
 */
export type KnownState = 'clean' | 'cut-off' | 'suspect';

/**
 * Writes a file beside the database that records its size and time after an orderly close. A database that still
 * matches needs no check of every page, which takes seconds for a large one. Changes that keep size and time are found
 * by the checks of the chains, and when the data is read.
 */
export function markClean(path: string): void {
  const look = lookOf(path);
  if (look !== null) writeFileSync(markOf(path), look, { mode: 0o600 });
}

/** Makes the next opening check every page, whether or not this writer ends in order. */
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

/** Must be called before the first write. */
export function removeMark(path: string): void {
  rmSync(markOf(path), { force: true });
}

const markOf = (path: string): string => `${path}.clean`;

/** null if a write-ahead log exists: then the database was not closed. */
function lookOf(path: string): string | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined || (log !== undefined && log.size > 0)) return null;
  return `${stat.size} ${stat.mtimeNs} ${stat.ino}`;
}
