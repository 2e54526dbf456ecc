import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import { genesisHash, linkHash } from '../../../src/lib/hash-chain.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { auditRecord } from '../audit-records.ts';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

export const auditAppend: Benchmark = {
  name: 'audit append',
  what: 'One record appended to the audit log, on disk when it returns, against the least that a hash chain can do: the same record in canonical form, hashed with its predecessor, appended to a flat file and `fdatasync`ed. Both on the disk of the state directory.',
  dominates:
    'The disk: both wait for one sync. The log also validates and bounds each record, and SQLite writes a page of its write-ahead log where the flat file writes a line.',
  async measure({ directory }) {
    const { database } = openDatabase({
      path: join(directory, 'fluffy.db'),
      backups: join(directory, 'backups'),
      clock: systemClock,
    });
    const log = new SqliteAuditLog(database, systemClock);
    const flat = openFlatChain(join(directory, 'chain.jsonl'));
    let appended = 0;
    let chained = 0;
    try {
      const timed = await interleave(
        [
          { name: 'flat file', once: () => flat.append(auditRecord((chained += 1))) },
          { name: 'audit log', once: () => void log.append(auditRecord((appended += 1))) },
        ],
        { warmUp: 50, atMost: 2_000, atLeast: 200, budgetMs: 8_000 },
      );
      const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      const [bare, own] = rows;
      if (bare === undefined || own === undefined) throw new Error('nothing was timed');
      return {
        tables: [{ title: 'one durable record', unit: 'ms', rows }],
        verdicts: [
          {
            what: 'durable appends to the audit log to those of a flat file, by number in a time',
            value: bare.summary.p50 / own.summary.p50,
            unit: '',
            aim: { kind: 'at least', value: 0.8 },
          },
        ],
      };
    } finally {
      flat.close();
      database.close();
    }
  },
};

function openFlatChain(path: string): { append(record: object): void; close(): void } {
  const file = openSync(path, 'a', 0o600);
  let head = genesisHash(0);
  let count = 0;
  return {
    append(record) {
      count += 1;
      const body = canonicalJson({ ...record, id: count, prev_hash: head, timestamp: Date.now() });
      head = linkHash(head, body);
      writeSync(file, `${head} ${body}\n`);
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}
