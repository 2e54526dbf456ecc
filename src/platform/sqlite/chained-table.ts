import type { Database, Statement } from 'better-sqlite3';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { genesisHash, linkHash } from '../../lib/hash-chain.ts';

export interface ChainHead {
  readonly entries: number;
  readonly hash: string;
}

/** A record before it is added to the chain, without `id`, `prev_hash` and `hash`. */
type Body = Readonly<Record<string, unknown>>;

/** A record of the chain, as it is hashed. */
export type Linked<B extends Body> = B & { readonly id: number; readonly prev_hash: string; readonly hash: string };

/**
 * A table whose rows form a hash chain: id, RFC 8785 body (which contains id and prev_hash), hash. The caller must
 * write inside a transaction. The head is always read from the table, never from memory: after a failed transaction
 * only the database knows whether it was committed.
 */
export class ChainedTable {
  readonly #insert: Statement<[number, string, string]>;
  readonly #last: Statement<[], { id: number; hash: string }>;
  readonly #genesisMs: number;

  /** `startedMs` is the start of the kernel; it begins the chain if the table is empty. */
  constructor(connection: Database, table: 'audit' | 'transitions', startedMs: number) {
    this.#insert = connection.prepare(`INSERT INTO ${table} (id, body, hash) VALUES (?, ?, ?)`);
    this.#last = connection.prepare(`SELECT id, hash FROM ${table} ORDER BY id DESC LIMIT 1`);
    this.#genesisMs = startedMs;
  }

  /** The time from which the genesis hash is made; the first record carries it. */
  get genesisMs(): number {
    return this.#genesisMs;
  }

  head(): ChainHead {
    const last = this.#last.get();
    return last === undefined
      ? { entries: 0, hash: genesisHash(this.#genesisMs) }
      : { entries: last.id, hash: last.hash };
  }

  /** Inserts the record after the head. */
  append<B extends Body>(body: B): Linked<B> {
    const head = this.head();
    const linked = { ...body, id: head.entries + 1, prev_hash: head.hash };
    const text = canonicalJson(linked);
    const hash = linkHash(head.hash, text);
    this.#insert.run(linked.id, text, hash);
    return { ...linked, hash };
  }
}
