import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_CHAIN } from '../../../src/kernel/audit/verify-chain.ts';
import { checkEnd } from '../../../src/kernel/start/check-chain.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { chainLength, chainSlice } from '../../../src/platform/sqlite/chain-rows.ts';
import { markClean } from '../../../src/platform/sqlite/clean-mark.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { makeAuditLog } from '../make-audit-log.ts';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

const SIZES = [100, 1_000_000];

export const kernelOpen: Benchmark = {
  name: 'kernel open',
  what: 'What a start of the kernel does with its database before it serves anybody, as a call in this process: opened, schema compared, the newest 500 records of the audit log verified, closed again. With a log of 100 records and one of 1,000,000, each closed in order before and, without the mark that says so, as a killed kernel leaves it.',
  dominates:
    'The records that are verified, of which a log of 100 has a fifth; the rest is SQLite, and the sync of the directory. The other records, and after a kernel that was killed every other row, are read while the kernel serves.',
  async measure({ directory }) {
    const logs = SIZES.map((records) => {
      const path = join(directory, `${records}.db`);
      return { records, path, backups: join(directory, 'backups'), clock: systemClock };
    });
    for (const log of logs) makeAuditLog(log, log.records);
    const timed = await interleave(
      logs.flatMap((log) => [
        { name: nameOf(log), once: () => open(log) },
        {
          name: `${nameOf(log)}, after a kernel that was killed`,
          once: () => {
            rmSync(`${log.path}.clean`);
            open(log);
            markClean(log.path);
          },
        },
      ]),
      { warmUp: 3, atMost: 60, atLeast: 10, budgetMs: 12_000 },
    );
    const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
    const [, , large, cutOff] = rows;
    if (large === undefined || cutOff === undefined) throw new Error('nothing was timed');
    return {
      tables: [{ title: 'one start', unit: 'ms', rows }],
      verdicts: [
        {
          what: 'a log of 1,000,000 records, after a kernel that was killed to closed in order',
          value: cutOff.summary.p50 / large.summary.p50,
          unit: '',
          aim: null,
        },
      ],
    };
  },
};

interface Log {
  readonly records: number;
  readonly path: string;
  readonly backups: string;
  readonly clock: typeof systemClock;
}

const nameOf = ({ records }: Log): string => `${records.toLocaleString('en-US')} records`;

function open(log: Log): void {
  const { database } = openDatabase(log);
  const { connection } = database;
  const fault = checkEnd(AUDIT_CHAIN, chainSlice(connection, 'audit'), chainLength(connection, 'audit'));
  const { entries } = new SqliteAuditLog(database, systemClock).head();
  database.close();
  if (fault !== null || entries !== log.records) throw new Error('the log was not found as it was left');
}
