import type { Statement } from 'better-sqlite3';
import { z } from 'zod';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { OperationLog, OperationStatus, PendingOperation } from '../../contracts/ports/operation-log.ts';
import type { Random } from '../../contracts/ports/random.ts';
import type { KernelDatabase } from './kernel-database.ts';
import { databaseFailure } from './sqlite-failure.ts';

const rowSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  detail: z.string(),
  last_step: z.number().int(),
  status: z.enum(['pending', 'done', 'undone']),
});

/** Multi-step operations in the kernel's database. */
export class SqliteOperationLog implements OperationLog {
  readonly #database: KernelDatabase;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #insert: Statement;
  readonly #mark: Statement;
  readonly #finish: Statement;
  readonly #pending: Statement<[], unknown>;
  readonly #finished: Statement<[string, number], unknown>;
  readonly #find: Statement<[string], unknown>;

  constructor(database: KernelDatabase, clock: Clock, random: Random) {
    this.#database = database;
    this.#clock = clock;
    this.#random = random;
    const { connection } = database;
    const columns = 'id, kind, detail, last_step, status';
    this.#insert = connection.prepare(
      "INSERT INTO operations (id, kind, detail, last_step, status, created_ms, updated_ms) VALUES (?, ?, ?, -1, 'pending', ?, ?)",
    );
    this.#mark = connection.prepare(
      "UPDATE operations SET last_step = max(last_step, ?), updated_ms = ? WHERE id = ? AND status = 'pending'",
    );
    this.#finish = connection.prepare('UPDATE operations SET status = ?, updated_ms = ? WHERE id = ?');
    this.#pending = connection.prepare(`SELECT ${columns} FROM operations WHERE status = 'pending' ORDER BY ordinal`);
    this.#finished = connection.prepare(
      `SELECT ${columns} FROM operations WHERE status = 'done' AND kind = ? ORDER BY ordinal DESC LIMIT ?`,
    );
    this.#find = connection.prepare(`SELECT ${columns} FROM operations WHERE id = ?`);
  }

  begin(kind: string, detail: string): string {
    const id = this.#random.id('o');
    const now = this.#clock.nowMs();
    this.#database.write('operation_write_failed', () => this.#insert.run(id, kind, detail, now, now));
    return id;
  }

  /** Marking an earlier step again changes nothing. Throws for an operation that is not pending. */
  markStep(id: string, step: number): void {
    this.#change(() => this.#mark.run(step, this.#clock.nowMs(), id).changes, `there is no pending operation ${id}`);
  }

  /** May be called again: a finished operation may be undone later. */
  finish(id: string, status: 'done' | 'undone'): void {
    this.#change(() => this.#finish.run(status, this.#clock.nowMs(), id).changes, `there is no operation ${id}`);
  }

  pending(): readonly PendingOperation[] {
    return this.#pending.all().map((row) => {
      const { id, kind, detail, last_step } = parseRow(row);
      return { id, kind, detail, lastStep: last_step };
    });
  }

  finished(kind: string, limit: number): readonly { readonly id: string; readonly detail: string }[] {
    return this.#finished.all(kind, limit).map((row) => {
      const { id, detail } = parseRow(row);
      return { id, detail };
    });
  }

  find(id: string): { readonly kind: string; readonly detail: string; readonly status: OperationStatus } | null {
    const row = this.#find.get(id);
    if (row === undefined) return null;
    const { kind, detail, status } = parseRow(row);
    return { kind, detail, status };
  }

  #change(update: () => number, otherwise: string): void {
    this.#database.write('operation_write_failed', () => {
      if (update() === 0) throw new Error(otherwise);
    });
  }
}

function parseRow(row: unknown): z.infer<typeof rowSchema> {
  const parsed = rowSchema.safeParse(row);
  if (parsed.success) return parsed.data;
  throw databaseFailure('database_row_invalid', 'The record of an operation cannot be read', parsed.error);
}
