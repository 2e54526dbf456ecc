import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { KernelDatabase } from './kernel-database.ts';

const KEPT = 5;
const NAME = /^fluffy-\d{14}\.db$/;

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
 * Copies the database as it is now while the kernel goes on, and removes all but the newest five copies. A snapshot has its
 * name only once it is complete and on disk. Resolves with its path.
 */
export async function backUp(database: KernelDatabase, directory: string, clock: Clock): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = `fluffy-${String(clock.nowMs()).padStart(14, '0')}.db`;
  const temporary = join(directory, `${name}.partial`);
  rmSync(temporary, { force: true });
  closeSync(openSync(temporary, 'wx', 0o600));
  await database.connection.backup(temporary);
  const path = join(directory, name);
  renameSync(temporary, path);
  syncDirectory(directory);
  for (const old of listBackups(directory).slice(KEPT)) rmSync(old, { force: true });
  return path;
}

export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
