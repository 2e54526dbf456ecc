import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { KernelDatabase } from './kernel-database.ts';
import { makeDirectory } from '../fs/make-directory.ts';

const KEPT = 5;
/** Damage may be noticed late: copies of the last minutes do not replace older ones. */
const APART_MS = 30 * 60_000;
const PARTIAL = '.partial';
const NAME = /^fluffy-(\d{14})\.db$/;

/** Paths of the snapshots in `directory`, newest first. */
export function listBackups(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => NAME.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => join(directory, name));
}

/**
 * Copies the database while the kernel continues, and removes old copies: the newest one stays, and of the others the
 * newest that are half an hour apart, five in all. A snapshot gets its name only once it is complete and on disk.
 * Resolves with its path. Rejects if it can't be made, which does no harm.
 */
export async function backUp(database: KernelDatabase, directory: string, clock: Clock): Promise<string> {
  const temporary = createPartial(directory, clock);
  try {
    await database.connection.backup(temporary);
    return complete(temporary);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The same, synchronously, for a connection that nothing else uses: before its schema is changed. */
export function backUpNow(connection: Database, directory: string, clock: Clock): string {
  const temporary = createPartial(directory, clock);
  try {
    connection.prepare('VACUUM INTO ?').run(temporary);
    return complete(temporary);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function createPartial(directory: string, clock: Clock): string {
  makeDirectory(directory);
  const path = join(directory, `${nameAfterNewest(directory, clock.nowMs())}${PARTIAL}`);
  closeSync(openSync(path, 'wx', 0o600));
  return path;
}

/** The newest copy must sort last even if the calendar was set back; otherwise it would be removed first. */
function nameAfterNewest(directory: string, nowMs: number): string {
  const [newest] = listBackups(directory);
  const newestMs = newest === undefined ? -1 : timeOf(newest);
  return `fluffy-${String(Math.max(nowMs, newestMs + 1)).padStart(14, '0')}.db`;
}

function complete(partial: string): string {
  const path = partial.slice(0, -PARTIAL.length);
  renameSync(partial, path);
  const directory = dirname(path);
  syncDirectory(directory);
  keepNewest(directory);
  return path;
}

function keepNewest(directory: string): void {
  const [, ...others] = listBackups(directory);
  const apart: string[] = [];
  for (const path of others.reverse()) {
    const before = apart.at(-1);
    if (before === undefined || timeOf(path) - timeOf(before) >= APART_MS) apart.push(path);
    else rmSync(path, { force: true });
  }
  for (const old of apart.slice(0, Math.max(0, apart.length - (KEPT - 1)))) rmSync(old, { force: true });
}

function timeOf(path: string): number {
  return Number(NAME.exec(basename(path))?.[1]);
}

/** Removes unfinished snapshots of a crash. For the only writer, before it makes any. */
export function removePartialBackups(directory: string): void {
  if (!existsSync(directory)) return;
  const names = readdirSync(directory).filter((name) => name.startsWith('fluffy-') && name.includes(PARTIAL));
  for (const name of names) rmSync(join(directory, name), { force: true });
}

export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
