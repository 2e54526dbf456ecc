import type { Statement } from 'better-sqlite3';
import { auditEntrySchema, auditInputSchema } from '../../contracts/audit-entry.ts';
import type { AuditEntry, AuditInput } from '../../contracts/audit-entry.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { capText } from '../../lib/text/cap-text.ts';
import type { ChainHead } from './chained-table.ts';
import { ChainedTable } from './chained-table.ts';
import type { KernelDatabase } from './kernel-database.ts';
import { databaseFailure, writeFailure } from './sqlite-failure.ts';

const BUFFERED_ENTRIES = 100;
const BUFFERED_MS = 500;

const SUMMARY_LENGTH = 500;
/** Maximum of every other text, so that no record gets larger than a verifier reads. */
const TEXT_LENGTH = 2_000;
const METADATA_KEYS = 16;

type Stamped = Omit<AuditEntry, 'id' | 'prev_hash' | 'hash'>;

/**
 * The audit log in the kernel's database. The constructor writes nothing; the first record carries the chain's
 * beginning.
 */
export class SqliteAuditLog implements AuditLog {
  readonly #database: KernelDatabase;
  readonly #clock: Clock;
  readonly #chain: ChainedTable;
  readonly #recent: Statement<[number], { body: string; hash: string }>;
  #buffered: Stamped[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(database: KernelDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#chain = new ChainedTable(database.connection, 'audit', clock.nowMs());
    this.#recent = database.connection.prepare('SELECT body, hash FROM audit ORDER BY id DESC LIMIT ?');
  }

  append(entry: AuditInput): AuditEntry {
    const written = this.#write([...this.#buffered, this.#stamp(entry)]);
    this.#emptyBuffer();
    const last = written.at(-1);
    if (last === undefined) throw new Error('an append wrote nothing');
    return last;
  }

  /** Throws FluffyError `audit_write_failed` if a hundred entries wait and can't be written. */
  buffer(entry: AuditInput): void {
    if (this.#buffered.length >= BUFFERED_ENTRIES) this.flush();
    this.#buffered.push(this.#stamp(entry));
    this.#timer ??= setTimeout(() => this.#flushOnTime(), BUFFERED_MS).unref();
  }

  /** Throws FluffyError `audit_write_failed`; the entries then keep waiting. */
  flush(): void {
    if (this.#buffered.length > 0) this.#write(this.#buffered);
    this.#emptyBuffer();
  }

  head(): ChainHead {
    return this.#chain.head();
  }

  recent(limit: number): readonly AuditEntry[] {
    this.flush();
    return this.#recent.all(limit).map(({ body, hash }) => parseRow(body, hash));
  }

  #write(entries: readonly Stamped[]): readonly AuditEntry[] {
    return this.#database.write('audit_write_failed', () =>
      entries.map((entry) => {
        const first = this.#chain.head().entries === 0 ? { metadata: this.#withGenesis(entry) } : {};
        return this.#chain.append({ ...entry, ...first });
      }),
    );
  }

  #withGenesis(entry: Stamped): Record<string, string> {
    return { ...entry.metadata, genesis_timestamp: String(this.#chain.genesisMs) };
  }

  #stamp(entry: AuditInput): Stamped {
    const parsed = auditInputSchema.safeParse(bound(entry));
    if (!parsed.success) throw writeFailure('audit_write_failed', parsed.error);
    return { ...parsed.data, timestamp: this.#clock.nowMs() };
  }

  #flushOnTime(): void {
    this.#timer = null;
    try {
      this.flush();
    } catch {
      // They wait for the next append, flush or full buffer, which reports the failure to its caller.
    }
  }

  #emptyBuffer(): void {
    this.#buffered = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/**
 * Makes all texts well-formed and limits their length: a lone surrogate in a model's argument has no canonical form.
 */
function bound(entry: AuditInput): AuditInput {
  const { input_summary, output_summary, metadata, ...rest } = entry;
  const texts = Object.entries(rest).map(([key, value]) => [
    key,
    typeof value === 'string' ? capText(value, TEXT_LENGTH) : value,
  ]);
  const capped = Object.entries(metadata ?? {})
    .slice(0, METADATA_KEYS)
    .map(([key, value]) => [capText(key, 100), capText(value, TEXT_LENGTH)]);
  const { caller } = rest;
  return {
    ...(Object.fromEntries(texts) as typeof rest),
    caller: typeof caller === 'string' ? caller : boundCaller(caller),
    input_summary: capText(input_summary, SUMMARY_LENGTH),
    ...(output_summary === undefined ? {} : { output_summary: capText(output_summary, SUMMARY_LENGTH) }),
    ...(metadata === undefined ? {} : { metadata: Object.fromEntries(capped) as Record<string, string> }),
  };
}

function boundCaller(caller: { plugin: string; sandbox_id?: string | undefined }): AuditInput['caller'] {
  const plugin = capText(caller.plugin, TEXT_LENGTH);
  return caller.sandbox_id === undefined ? { plugin } : { plugin, sandbox_id: capText(caller.sandbox_id, 100) };
}

function parseRow(body: string, hash: string): AuditEntry {
  const fields: unknown = JSON.parse(body);
  const parsed = auditEntrySchema.safeParse(typeof fields === 'object' ? { ...fields, hash } : fields);
  if (parsed.success) return parsed.data;
  throw databaseFailure('database_row_invalid', 'An audit record cannot be read', parsed.error);
}
