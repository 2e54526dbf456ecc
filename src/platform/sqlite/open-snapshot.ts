import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { SCHEMA_VERSION, describeSchema, expectedSchema, schemaVersionOf } from './schema.ts';

export interface SnapshotOptions {
  /** Directory for the private copy; default: the system's temporary directory. */
  readonly scratch?: string;
  /** Larger databases are refused. Default 8 GiB. */
  readonly maxBytes?: number;
}

export type Snapshot =
  /** No file, or a file in which no kernel has created its tables yet. */
  | { readonly kind: 'missing' }
  /**
   * Not a database, damaged at its root, or with tables, views or triggers that no fluffy created: its content is not
   * trusted.
   */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'open'; readonly connection: Database.Database; close(): void };

const DEFAULT_MAX_BYTES = 8 * 1024 ** 3;
const ATTEMPTS = 50;
const CHUNK_BYTES = 1024 * 1024;
const WAL_HEADER_BYTES = 32;

/**
 * Opens a private copy of a database that may belong to a hostile user and to which a kernel may be writing. The
 * original is only read: no lock is taken, no memory is shared, no file is created beside it, links and special files
 * are not followed.
 *
 * The copy is consistent. The file is copied first, the write-ahead log after it. If the log's header is the same
 * before and after, every page that a checkpoint changed meanwhile is also in the copied log, which takes precedence.
 * Otherwise the copy is repeated.
 *
 * Throws FluffyError `database_newer`, `database_unreadable`.
 */
export function openSnapshot(databasePath: string, options: SnapshotOptions = {}): Snapshot {
  const directory = mkdtempSync(join(options.scratch ?? tmpdir(), 'fluffy-snapshot-'));
  try {
    const copy = join(directory, 'copy.db');
    if (!copyConsistently(databasePath, copy, options.maxBytes ?? DEFAULT_MAX_BYTES)) return { kind: 'missing' };
    return openHardened(copy);
  } catch (error) {
    throw error instanceof FluffyError ? error : unreadable(databasePath, error);
  } finally {
    // The open connection keeps the files. Without names, no crash leaves a copy of a user's sessions behind.
    rmSync(directory, { recursive: true, force: true });
  }
}

function openHardened(path: string): Snapshot {
  let connection: Database.Database | null = null;
  const close = (): void => void connection?.close();
  try {
    connection = new Database(path, { fileMustExist: true });
    connection.pragma('trusted_schema = OFF');
    connection.pragma('cell_size_check = ON');
    connection.pragma('mmap_size = 0');
    connection.pragma('temp_store = MEMORY');
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.pragma('query_only = ON');
    const version = schemaVersionOf(connection);
    if (version > SCHEMA_VERSION) throw newer(version);
    if (describeSchema(connection) === expectedSchema(version)) {
      if (version > 0) return { kind: 'open', connection, close };
      close();
      return { kind: 'missing' };
    }
    close();
    return { kind: 'unusable', reason: 'its tables are not the known ones' };
  } catch (error) {
    close();
    if (error instanceof Database.SqliteError) return { kind: 'unusable', reason: error.message };
    throw error;
  }
}

/** False if there is no database. */
function copyConsistently(from: string, to: string, maxBytes: number): boolean {
  if (!isThere(from)) return false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const logBefore = walHeader(`${from}-wal`);
    const stable = copyFile(from, to, maxBytes);
    if (stable === null) return false;
    const logCopied = isThere(`${from}-wal`) && copyFile(`${from}-wal`, `${to}-wal`, maxBytes) !== null;
    if (!logCopied) rmSync(`${to}-wal`, { force: true });
    const logAfter = walHeader(`${from}-wal`);
    if (logBefore.equals(logAfter) && (stable === 'unchanged' || logAfter.length > 0)) return true;
  }
  throw new Error('it was rewritten again and again while it was read');
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether the file stayed unchanged while it was copied; null if it was deleted before. */
function copyFile(from: string, to: string, maxBytes: number): 'unchanged' | 'changed' | null {
  const source = openRegular(from);
  if (source === null) return null;
  const target = openSync(to, 'w', 0o600);
  try {
    const before = fstatSync(source, { bigint: true });
    if (before.size > maxBytes) throw new Error(`${from} has more than ${maxBytes} bytes`);
    ftruncateSync(target, 0);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let copied = 0; copied <= maxBytes;) {
      const count = readSync(source, buffer, 0, buffer.length, copied);
      if (count === 0) break;
      writeSync(target, buffer, 0, count, copied);
      copied += count;
    }
    return isSame(before, fstatSync(source, { bigint: true })) ? 'unchanged' : 'changed';
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** Each write changes `ctime` too, and no program can set it. */
function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.ctimeNs === b.ctimeNs;
}

function walHeader(path: string): Buffer {
  const source = openRegular(path);
  if (source === null) return Buffer.alloc(0);
  try {
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    return header.subarray(0, readSync(source, header, 0, header.length, 0));
  } finally {
    closeSync(source);
  }
}

/** A link could lead anywhere, and opening a FIFO would wait for ever. */
function openRegular(path: string): number | null {
  if (!isThere(path)) return null;
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(path, flags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path} is not a regular file`);
}

function newer(version: number): FluffyError {
  return new FluffyError({
    code: 'database_newer',
    what: 'The database cannot be read',
    why: `a newer fluffy made it (schema ${version}, this one knows ${SCHEMA_VERSION})`,
    fix: 'Use that newer fluffy',
    exitCode: EXIT.usage,
  });
}

function unreadable(path: string, cause: unknown): FluffyError {
  return new FluffyError({
    code: 'database_unreadable',
    what: `The database ${path} cannot be read`,
    why: messageOf(cause),
    fix: 'Check owner and permissions of the state directory; fluffy doctor names it',
    exitCode: EXIT.failed,
    cause,
  });
}
