import { closeSync, copyFileSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../contracts/ports/clock.ts';
import { listBackups, syncDirectory } from './backups.ts';
import { salvageRows } from './salvage-rows.ts';
import { migrate } from './schema.ts';

/** What could be saved of a damaged database. */
export interface Recovery {
  readonly why: string;
  readonly auditEntries: number;
  readonly sessions: number;
  /** Rows that only a snapshot still had. */
  readonly fromBackups: number;
  /** The damaged file, kept for whoever wants to look at it; null if there was none. */
  readonly keptAs: string | null;
}

export interface RecoverOptions {
  readonly path: string;
  readonly backups: string;
  readonly clock: Clock;
  readonly why: string;
}

const KEPT_DAMAGED = 2;

/**
 * Puts a new database in the damaged one's place, with every row that can still be read, and what snapshots have beyond that.
 * The caller holds the writer's lock. Interrupted anywhere it can begin again: the damaged file stays until the new one is complete.
 */
export function recoverDatabase(options: RecoverOptions): Recovery {
  const { path } = options;
  const keptAs = keepDamaged(path, options.clock.nowMs());
  const partial = `${path}.partial`;
  removeDatabase(partial);
  closeSync(openSync(partial, 'wx', 0o600));
  const target = new Database(partial);
  let fromBackups = 0;
  let counts: { auditEntries: number; sessions: number };
  try {
    target.pragma('synchronous = FULL');
    migrate(target);
    if (keptAs !== null) salvageRows(keptAs, target);
    for (const backup of listBackups(options.backups)) fromBackups += salvageRows(backup, target);
    counts = { auditEntries: countRows(target, 'audit'), sessions: countRows(target, 'sessions') };
  } finally {
    target.close();
  }
  renameSync(partial, salvagedPath(path));
  finishRecovery(path);
  return { why: options.why, ...counts, fromBackups, keptAs };
}

/** Carries a completed salvage into place, if one was left behind by a crash. The old write-ahead log must go first: it is not the new file's. */
export function finishRecovery(path: string): void {
  if (!existsSync(salvagedPath(path))) return;
  removeDatabase(path);
  renameSync(salvagedPath(path), path);
  syncDirectory(dirname(path));
}

function salvagedPath(path: string): string {
  return `${path}.salvaged`;
}

function removeDatabase(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(path + suffix, { force: true });
}

/** Copies file and write-ahead log together, so that the copy can be read as the original would be. */
function keepDamaged(path: string, nowMs: number): string | null {
  if (!existsSync(path)) return null;
  const kept = `${path}.damaged-${String(nowMs).padStart(14, '0')}`;
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, kept + suffix);
  const older = readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.damaged-`) && /-\d{14}$/.test(name))
    .sort()
    .slice(0, -KEPT_DAMAGED);
  for (const name of older) removeDatabase(join(dirname(path), name));
  return kept;
}

function countRows(database: Database.Database, table: 'audit' | 'sessions'): number {
  return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
}
