import { join } from 'node:path';
import { AUDIT_CHAIN } from '../../../src/kernel/audit/verify-chain.ts';
import { checkEnd } from '../../../src/kernel/start/check-chain.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { chainLength, chainSlice } from '../../../src/platform/sqlite/chain-rows.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { auditRecord } from '../audit-records.ts';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

const SIZES = [100, 1_000_000];

export const kernelOpen: Benchmark = {
  name: 'kernel open',
  what: 'What a start of the kernel does with its database before it serves anybody, as a call in this process: opened, schema compared, the newest 500 records of the audit log verified, closed again in order. Once with a log of 100 records, once with one of 1,000,000.',
  dominates:
    'The records that are verified, of which a log of 100 has a fifth; the rest is SQLite, and the sync of the directory. Only after a crash every page is checked too, which takes about 20 ms for each MiB.',
  async measure({ directory }) {
    const places = SIZES.map((records) => ({ records, place: { ...placeOf(directory, records), clock: systemClock } }));
    for (const { records, place } of places) fill(place, records);
    const timed = await interleave(
      places.map(({ records, place }) => ({
        name: `${records.toLocaleString('en-US')} records`,
        once: () => open(place, records),
      })),
      { warmUp: 3, atMost: 60, atLeast: 10, budgetMs: 12_000 },
    );
    const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
    const [small, large] = rows;
    if (small === undefined || large === undefined) throw new Error('nothing was timed');
    return {
      tables: [{ title: 'one start', unit: 'ms', rows }],
      verdicts: [
        {
          what: 'a log of 1,000,000 records to one of 100',
          value: large.summary.p50 / small.summary.p50,
          unit: '',
          aim: { kind: 'at most', value: 1.2 },
        },
      ],
    };
  },
};

type Place = Parameters<typeof openDatabase>[0];

function placeOf(directory: string, records: number) {
  return { path: join(directory, `${records}.db`), backups: join(directory, 'backups') };
}

function fill(place: Place, records: number): void {
  const { database } = openDatabase(place);
  database.connection.pragma('synchronous = OFF');
  const log = new SqliteAuditLog(database, systemClock);
  for (let index = 0; index < records; index += 1) log.buffer(auditRecord(index));
  log.flush();
  database.close();
}

function open(place: Place, records: number): void {
  const { database } = openDatabase(place);
  const fault = checkEnd(
    AUDIT_CHAIN,
    chainSlice(database.connection, 'audit'),
    chainLength(database.connection, 'audit'),
  );
  const { entries } = new SqliteAuditLog(database, systemClock).head();
  database.close();
  if (fault !== null || entries !== records) throw new Error('the log was not found as it was left');
}
