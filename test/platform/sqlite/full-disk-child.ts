import { statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { seededRandom } from '../../seeded-random.ts';

/**
 * A kernel on a disk that refuses to take more, at places chosen by a seed: `node full-disk-child.ts <directory> <seed> <rounds>`.
 * The kernel's limit on file sizes makes the operating system itself fail the write, in the middle of a page too. Prints, as
 * JSON, the summaries that were acknowledged and how many appends failed with which code.
 */
const [directory = '', seed = '1', roundCount = '1'] = process.argv.slice(2);
const RLIMIT_FSIZE = 1;
const limitType = koffi.struct('rlimit', { soft: 'uint64_t', hard: 'uint64_t' });
const setLimit = koffi.load(null).func('setrlimit', 'int', ['int', koffi.pointer(limitType)]);
const UNLIMITED = 0xffff_ffff_ffff_ffffn;

function limitFileSize(bytes: bigint): void {
  if (setLimit(RLIMIT_FSIZE, { soft: bytes, hard: UNLIMITED }) !== 0) throw new Error('setrlimit failed');
}

const path = join(directory, 'fluffy.db');
const random = seededRandom(Number(seed));
const acknowledged: string[] = [];
const failures: string[] = [];
let number = 0;

function append(log: SqliteAuditLog): boolean {
  number += 1;
  const summary = `record ${number} ${'z'.repeat(Math.floor(random() * 400))}`;
  try {
    log.append(auditInput({ input_summary: summary }));
    acknowledged.push(summary);
    return true;
  } catch (error) {
    if (!(error instanceof FluffyError)) throw error;
    failures.push(error.code);
    return false;
  }
}

for (let round = 0; round < Number(roundCount); round += 1) {
  const { database } = openDatabase({ path, backups: join(directory, 'backups'), clock: systemClock });
  const log = new SqliteAuditLog(database, systemClock);
  append(log);
  const size = Math.max(statSync(`${path}-wal`).size, random() < 0.3 ? statSync(path).size : 0);
  limitFileSize(BigInt(size + Math.floor(random() * 12_000)));
  for (let tries = 0; tries < 6; tries += 1) append(log);
  if (random() < 0.3) database.checkpoint();
  limitFileSize(UNLIMITED);
  if (!append(log)) throw new Error('there was room again, and the append failed');
  database.close();
}
writeSync(1, JSON.stringify({ acknowledged, failures }));
