import type { Database } from 'better-sqlite3';
import { messageOf } from '../../lib/text/message-of.ts';
import { isDamage } from './sqlite-failure.ts';
import type { TableName } from './schema.ts';

/** Without the chains: each of their records is verified at every start. */
type CheckedTable = Exclude<TableName, 'audit' | 'transitions'>;

interface Checked {
  /** Columns by which its index finds a row. */
  readonly key: readonly string[];
  /** The other text columns. */
  readonly texts: readonly string[];
}

const TABLES: Readonly<Record<CheckedTable, Checked>> = {
  sessions: { key: ['id'], texts: ['title', 'state', 'mode', 'status', 'commits', 'snapshot'] },
  session_facts: { key: ['session_id', 'name'], texts: ['body'] },
  messages: { key: ['session_id', 'position'], texts: ['body'] },
  events: { key: ['session_id', 'seq'], texts: ['body'] },
  operations: { key: ['id'], texts: ['kind', 'detail', 'status'] },
  outputs: { key: ['session_id', 'reference'], texts: ['body'] },
};

const SLICE_ROWS = 200;
const SLICE_CHARACTERS = 4 * 1024 * 1024;

type CheckedRow = [ordinal: number, characters: number, indexed: number | null];

/**
 * Reads every row outside of the chains, and finds it by its index, slice by slice; `pause` lets the process do other
 * work in between. Returns what is damaged; null for a sound database, and if `signal` ended the check early.
 */
export async function findDamagedRow(
  connection: Database,
  { pause, signal }: { readonly pause: () => Promise<void>; readonly signal: AbortSignal },
): Promise<string | null> {
  for (const table of Object.keys(TABLES) as CheckedTable[]) {
    const readSlice = prepareSlices(connection, table);
    for (let after: number | null = 0; after !== null;) {
      await pause();
      if (signal.aborted) return null;
      const slice = damageOr(() => readSlice(after ?? 0));
      if (slice.kind === 'damaged') return `${table}, behind row ${after}: ${slice.why}`;
      after = slice.last;
    }
  }
  return null;
}

type Slice =
  { readonly kind: 'read'; readonly last: number | null } | { readonly kind: 'damaged'; readonly why: string };

/** SQLite knows the number of characters of a text only after it has read all its pages. */
function prepareSlices(connection: Database, table: CheckedTable): (after: number) => Slice {
  const { key, texts } = TABLES[table];
  const length = texts.map((column) => `length(t.${column})`).join(' + ');
  const sameKey = key.map((column) => `i.${column} = t.${column}`).join(' AND ');
  const rows = connection
    .prepare<[number], CheckedRow>(
      `SELECT t.ordinal, ${length},
              (SELECT i.ordinal FROM ${table} AS i INDEXED BY sqlite_autoindex_${table}_1 WHERE ${sameKey})
       FROM ${table} AS t NOT INDEXED WHERE t.ordinal > ? ORDER BY t.ordinal LIMIT ${SLICE_ROWS}`,
    )
    .raw();
  return (after) => {
    let last: number | null = null;
    let characters = 0;
    for (const [ordinal, length, indexed] of rows.iterate(after)) {
      if (indexed !== ordinal) return { kind: 'damaged', why: `row ${ordinal} is not in its index` };
      last = ordinal;
      characters += length;
      if (characters > SLICE_CHARACTERS) break;
    }
    return { kind: 'read', last };
  };
}

function damageOr(read: () => Slice): Slice {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return { kind: 'damaged', why: messageOf(error) };
    throw error;
  }
}
