import { closeSync, openSync, readSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { START } from '../../../src/kernel/audit/verify-chain.ts';
import { verifyAudit } from '../../../src/cli/audit/verify-audit.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { auditRecord } from '../audit-records.ts';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

const RECORDS = 60_000;

export const auditVerify: Benchmark = {
  name: 'audit verify',
  what: `What \`fluffy audit verify\` does with a log of ${RECORDS.toLocaleString('en-US')} records, as a call in this process: the database copied, every record read, parsed, checked for form and canonical form, hashed and linked. Beside it the database file read and hashed in one go, which is the least that looks at every byte.`,
  dominates:
    'Each of five parts takes about a fifth: rows out of SQLite, `JSON.parse`, writing the record again to see that it was in canonical form, SHA-256, and the schema; none of them can be left out.',
  async measure({ directory }) {
    const databasePath = join(directory, 'fluffy.db');
    const { database } = openDatabase({ path: databasePath, backups: join(directory, 'backups'), clock: systemClock });
    const log = new SqliteAuditLog(database, systemClock);
    for (let index = 0; index < RECORDS; index += 1) log.buffer(auditRecord(index));
    log.flush();
    database.close();

    const timed = await interleave(
      [
        { name: 'file read and hashed', once: () => hashFile(databasePath) },
        {
          name: '`audit verify`',
          once: async () => {
            const verdict = await verifyAudit({
              databasePath,
              readAnchors: () => [{ epoch: 1, start: START, anchors: [], doubt: null }],
              snapshot: { scratch: directory },
            });
            if (!verdict.intact || verdict.entries !== RECORDS) throw new Error('the log was not found intact');
          },
        },
      ],
      { warmUp: 1, atMost: 15, atLeast: 5, budgetMs: 12_000 },
    );
    const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
    const verified = rows[1];
    if (verified === undefined) throw new Error('nothing was timed');
    return {
      tables: [{ title: `${RECORDS.toLocaleString('en-US')} records`, unit: 'ms', rows }],
      verdicts: [
        {
          what: '`audit verify`',
          value: (RECORDS * 1_000) / verified.summary.p50,
          unit: 'events/s',
          aim: { kind: 'at least', value: 100_000 },
        },
      ],
    };
  },
};

function hashFile(path: string): void {
  const file = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(1024 * 1024);
  try {
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) hash('sha256', chunk, 'hex');
  } finally {
    closeSync(file);
  }
}
