import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { backupDirectory } from './merge-site.ts';
import type { MergeSite } from './merge-site.ts';
import { makeDirectory } from '../../fs/make-directory.ts';

const linesSchema = z.array(z.string());

/** The private directory of an operation's backups and notes. */
export function ensureBackupDirectory(site: MergeSite, operation: string): string {
  const directory = backupDirectory(site, operation);
  if (!existsSync(directory)) {
    makeDirectory(directory);
    site.disk.syncDirectory(dirname(directory));
  }
  return directory;
}

/**
 * Adds lines to a note among the backups. On disk when it returns, so that what follows can be reverted after a crash.
 */
export function addNote(site: MergeSite, operation: string, name: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const all = [...readNote(site, operation, name), ...lines];
  writeStateFile(site, join(ensureBackupDirectory(site, operation), name), Buffer.from(JSON.stringify(all)));
}

/** All noted lines, oldest first. */
export function readNote(site: MergeSite, operation: string, name: string): string[] {
  const path = join(backupDirectory(site, operation), name);
  return existsSync(path) ? linesSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
}

/**
 * Writes a file of the state directory: it appears completely or not at all, and replaces a half-written file of a
 * crash.
 */
export function writeStateFile(site: MergeSite, path: string, content: Uint8Array): void {
  const temporary = `${path}.new`;
  if (existsSync(temporary)) site.disk.unlink(temporary);
  site.disk.createFile(temporary, content, { mode: 0o600, owner: site.owner });
  site.disk.rename(temporary, path);
  site.disk.syncDirectory(dirname(path));
}
