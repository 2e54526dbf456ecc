import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * A file beside the database that says: closed in order, and this is what it looked like then. A database that looks so still needs no check of every page,
 * which takes seconds for a large one. What changes at rest without changing size or time is found by the checks of the chains, and when it is read.
 */
export function markClean(path: string): void {
  const look = lookOf(path);
  if (look !== null) writeFileSync(markOf(path), look, { mode: 0o600 });
}

/** Whether the database is as it was closed. The mark is gone afterwards: from now on it may be written to. */
export function takeCleanMark(path: string): boolean {
  try {
    const marked = readFileSync(markOf(path), 'utf8');
    rmSync(markOf(path));
    return marked === lookOf(path);
  } catch {
    return false;
  }
}

const markOf = (path: string): string => `${path}.clean`;

/** Null where a log of writes waits to be folded in: then it was not closed. */
function lookOf(path: string): string | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined || (log !== undefined && log.size > 0)) return null;
  return `${stat.size} ${stat.mtimeNs} ${stat.ino}`;
}
