import type { Database, Statement } from 'better-sqlite3';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { markClean, markSuspect } from './clean-mark.ts';
import type { WriteFailureCode } from './sqlite-failure.ts';
import { writeFailure } from './sqlite-failure.ts';

/** Write-ahead log is folded into the database after that many writes or that long, whichever is first. */
const CHECKPOINT_AFTER_WRITES = 1_000;
const CHECKPOINT_AFTER_MS = 60_000;

export interface KernelDatabaseOptions {
  readonly path: string;
  /** Not every page has been looked at since a writer was killed: an orderly end does not make it clean. */
  readonly unchecked: boolean;
  readonly onClose: () => void;
}

/**
 * The kernel's one connection. Every `write` is one transaction, on disk (fsync) when it returns. The connection holds the
 * database exclusively: no second process shares memory with it; readers work on a copy (`openSnapshot`).
 */
export class KernelDatabase {
  readonly connection: Database;
  readonly #clock: Clock;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #options: KernelDatabaseOptions;
  #state: 'sound' | 'unchecked' | 'suspect';
  #writes = 0;
  #allWrites = 0;
  #checkpointedMs: number;

  constructor(connection: Database, clock: Clock, options: KernelDatabaseOptions) {
    this.connection = connection;
    this.#clock = clock;
    this.#options = options;
    this.#state = options.unchecked ? 'unchecked' : 'sound';
    this.#begin = connection.prepare('BEGIN IMMEDIATE');
    this.#commit = connection.prepare('COMMIT');
    this.#rollback = connection.prepare('ROLLBACK');
    this.#checkpointedMs = clock.monotonicMs();
  }

  /** Writes since it was opened. */
  get writes(): number {
    return this.#allWrites;
  }

  /** All of `change` or, with a FluffyError of that code, nothing of it. A FluffyError that `change` throws is passed on. */
  write<T>(code: WriteFailureCode, change: () => T): T {
    let result: T;
    try {
      this.#undo();
      this.#begin.run();
      result = change();
      this.#commit.run();
    } catch (error) {
      this.#undo();
      throw error instanceof FluffyError ? error : writeFailure(code, error);
    }
    this.#countWrite();
    return result;
  }

  /** Folds the write-ahead log into the database. False when that failed: nothing is lost, the log just stays longer. */
  checkpoint(): boolean {
    this.#writes = 0;
    this.#checkpointedMs = this.#clock.monotonicMs();
    try {
      this.connection.pragma('wal_checkpoint(TRUNCATE)');
      return true;
    } catch {
      return false;
    }
  }

  /** Waits for nothing and loses nothing, whatever the disk says. Calls after the first do nothing. */
  close(): void {
    if (!this.connection.open) return;
    try {
      this.checkpoint();
      this.connection.close();
      if (this.#state === 'sound') markClean(this.#options.path);
    } finally {
      this.#options.onClose();
    }
  }

  /** Every row has been read since a writer was killed. */
  trust(): void {
    if (this.#state === 'unchecked') this.#state = 'sound';
  }

  /** Damage was found: the next opening looks at every page, and saves what can be saved. */
  distrust(): void {
    this.#state = 'suspect';
    markSuspect(this.#options.path);
  }

  /** A failed COMMIT may or may not have ended the transaction; a failed ROLLBACK is tried again before the next write. */
  #undo(): void {
    try {
      if (this.connection.inTransaction) this.#rollback.run();
    } catch {
      // The error that led here is the one to tell.
    }
  }

  #countWrite(): void {
    this.#writes += 1;
    this.#allWrites += 1;
    const elapsedMs = this.#clock.monotonicMs() - this.#checkpointedMs;
    if (this.#writes >= CHECKPOINT_AFTER_WRITES || elapsedMs >= CHECKPOINT_AFTER_MS) this.checkpoint();
  }
}
