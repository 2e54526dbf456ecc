import type { Database, Statement } from 'better-sqlite3';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { markClean, markSuspect } from './clean-mark.ts';
import type { WriteFailureCode } from './sqlite-failure.ts';
import { writeFailure } from './sqlite-failure.ts';

/** The write-ahead log is checkpointed after this many writes or this time, whichever comes first. */
const CHECKPOINT_AFTER_WRITES = 1_000;
const CHECKPOINT_AFTER_MS = 60_000;

export interface KernelDatabaseOptions {
  readonly path: string;
  /** Not every page was checked since a writer was killed; an orderly end does not make the database clean. */
  readonly unchecked: boolean;
  readonly onClose: () => void;
}

/**
 * The kernel's only connection. Every `write` is one transaction, on disk (fsync) when it returns. The connection holds
 * the database exclusively: no second process shares memory with it, and readers work on a copy (`openSnapshot`).
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

  /** Number of writes since it was opened. */
  get writes(): number {
    return this.#allWrites;
  }

  /**
   * Applies all of `change`, or nothing of it and throws a FluffyError of that code. A FluffyError that `change` throws
   * is passed on.
   */
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

  /**
   * Copies the write-ahead log into the database. Returns false if that failed: nothing is lost, the log just stays
   * longer.
   */
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

  /** Never waits and loses no data, whatever error the disk gives. Further calls do nothing. */
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

  /** Called when every row was read since a writer was killed. */
  trust(): void {
    if (this.#state === 'unchecked') this.#state = 'sound';
  }

  /** Called when damage was found: the next opening checks every page, and saves what can be saved. */
  distrust(): void {
    this.#state = 'suspect';
    markSuspect(this.#options.path);
  }

  /**
   * A failed COMMIT may or may not have ended the transaction; a failed ROLLBACK is tried again before the next write.
   */
  #undo(): void {
    try {
      if (this.connection.inTransaction) this.#rollback.run();
    } catch {
      // The first error is the one to report.
    }
  }

  #countWrite(): void {
    this.#writes += 1;
    this.#allWrites += 1;
    const elapsedMs = this.#clock.monotonicMs() - this.#checkpointedMs;
    if (this.#writes >= CHECKPOINT_AFTER_WRITES || elapsedMs >= CHECKPOINT_AFTER_MS) this.checkpoint();
  }
}
