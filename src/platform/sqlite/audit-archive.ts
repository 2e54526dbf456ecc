import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import type { FoundRow } from './chain-rows.ts';
import { chainRows, chainSlice } from './chain-rows.ts';
import type { KernelDatabase } from './kernel-database.ts';
import { makeDirectory } from '../fs/make-directory.ts';

/** A file of records that were moved out of the database: `<from>-<through>.jsonl`, one record a line. */
export interface AuditArchive {
  readonly path: string;
  readonly from: number;
  readonly through: number;
  readonly bytes: number;
}

const NAME = /^audit-(\d{12})-(\d{12})\.jsonl$/;
const MAX_LINE_CHARACTERS = 2 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const lineSchema = z.tuple([z.number().int(), z.string(), z.string()]);

/** Oldest first. Other files in the directory are ignored. */
export function listArchives(directory: string): readonly AuditArchive[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .flatMap((name) => {
      const [, from, through] = NAME.exec(name) ?? [];
      if (from === undefined || through === undefined) return [];
      const path = join(directory, name);
      const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      return [{ path, from: Number(from), through: Number(through), bytes }];
    });
}

/**
 * Moves the records up to `through` into a new archive. The file is on disk before they leave the database: a crash in
 * between leaves them in both, which readers treat as one. Does nothing if there are none.
 */
export async function archiveRecords(database: KernelDatabase, directory: string, through: number): Promise<void> {
  makeDirectory(directory);
  const rows: FoundRow[] = [];
  for (const row of chainRows(database.connection, 'audit')) {
    if (row.id > through) break;
    rows.push(row);
  }
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return;
  const [from, to] = [first.id, last.id].map((id) => String(id).padStart(12, '0'));
  const text = rows.map(({ id, body, hash }) => `${JSON.stringify([id, body, hash])}\n`).join('');
  await writeFileAtomic(join(directory, `audit-${from ?? ''}-${to ?? ''}.jsonl`), text, { mode: 0o600 });
  database.write('audit_write_failed', () => {
    database.connection.prepare('DELETE FROM audit WHERE id <= ?').run(through);
  });
}

export function deleteArchive({ path }: AuditArchive): void {
  rmSync(path, { force: true });
}

/** The newest record of an archive; null if it cannot be read. */
export function lastArchived(archive: AuditArchive): FoundRow | null {
  let last: FoundRow | null = null;
  for (const row of readArchive(archive)) last = row;
  return last;
}

/**
 * All records of a log in order, unverified, from the archives and then from the database; from `fromId` on if it is
 * given. A record that is in both comes once. Throws like `chainRows`.
 */
export function* allRecords(connection: Database, directory: string | undefined, fromId?: number): Generator<FoundRow> {
  const archives = directory === undefined ? [] : listArchives(directory);
  let last = (fromId ?? 1) - 1;
  for (const archive of archives) {
    if (archive.through <= last) continue;
    for (const row of readArchive(archive)) {
      if (row.id <= last) continue;
      last = row.id;
      yield row;
    }
  }
  yield* chainRows(connection, 'audit', last > 0 ? last + 1 : fromId);
}

/** The first record in the database; null if it has none. */
export function firstRecord(connection: Database): FoundRow | null {
  return chainSlice(connection, 'audit')(1, 1)[0] ?? null;
}

/**
 * Lines that are not records become rows that fail verification. The file is not trusted: no link is followed, and no
 * overlong line is held in memory.
 */
function* readArchive(archive: AuditArchive): Generator<FoundRow> {
  const descriptor = openSync(archive.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return;
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = '';
    let next = archive.from;
    for (let count = readSync(descriptor, buffer); count > 0; count = readSync(descriptor, buffer)) {
      const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const row = readLine(line) ?? { id: next, body: null, hash: null };
        next = row.id + 1;
        yield row;
      }
      if (rest.length <= MAX_LINE_CHARACTERS) continue;
      yield { id: next, body: null, hash: null };
      return;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readLine(line: string): FoundRow | null {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    if (!parsed.success) return null;
    const [id, body, hash] = parsed.data;
    return { id, body, hash };
  } catch {
    return null;
  }
}
