import { closeSync, copyFileSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../contracts/ports/clock.ts';
import { listBackups, syncDirectory } from './backups.ts';
import { salvageRows } from './salvage-rows.ts';
import { migrate } from './schema.ts';

/** What was saved of a damaged database. */
export interface Recovery {
  readonly why: string;
  readonly auditEntries: number;
  readonly sessions: number;
  /** Number of rows that only a snapshot still had. */
  readonly fromBackups: number;
  /** Path of the damaged file, kept for inspection; null if there was none. */
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
 * Replaces a damaged database by a new one with every row that can still be read, and with what snapshots have beyond
 * that. The caller holds the writer's lock. If it is interrupted, it can start again: the damaged file stays until the
 * new one is complete.
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

/**
 * Moves a completed salvage of an earlier, crashed run to its final name. The old write-ahead log must be removed
 * first, because it does not belong to the new file.
 */
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

/** Copies file and write-ahead log together, so that the copy can be read like the original. */
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
