import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { SqliteOperationLog } from '../../../src/platform/sqlite/operation-log.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { seededRandom } from '../../seeded-random.ts';
import { sessionRow, sessionSnapshot } from './session-row.ts';

/**
 * A kernel that writes until it is killed: `node writer-child.ts <directory> <seed> [<share>]`, with the share of steps that fold
 * the write-ahead log in. Prints the number of audit records after each write that returned.
 */
const [directory = '', seed = '1', foldShare = '0.005'] = process.argv.slice(2);
const random = seededRandom(Number(seed));
const { database } = openDatabase({
  path: join(directory, 'fluffy.db'),
  backups: join(directory, 'backups'),
  clock: systemClock,
});
const log = new SqliteAuditLog(database, systemClock);
const store = new SqliteSessionStore(database, systemClock);
const operations = new SqliteOperationLog(database, systemClock, systemRandom);
if (store.newest() === null) store.insert(sessionRow(), sessionSnapshot());

for (;;) {
  const choice = random();
  if (choice < 0.1) {
    const row = store.newest() ?? sessionRow();
    const state = row.state === 'idle' ? 'planning' : 'idle';
    store.save({ ...row, state }, { messages: [{ role: 'user', text: 'x'.repeat(2_000) }] });
  } else if (choice < 0.2) {
    operations.finish(operations.begin('merge', '{}'), 'done');
  } else if (choice < 0.2 + Number(foldShare)) {
    database.checkpoint();
  } else if (choice < 0.4) {
    log.buffer(auditInput({ input_summary: 'read' }));
    continue;
  }
  log.append(auditInput({ input_summary: 'y'.repeat(Math.floor(random() * 480)) }));
  writeSync(1, `${log.head().entries}\n`);
}
