import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allRecords, archiveRecords, listArchives } from '../../../src/platform/sqlite/audit-archive.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { databaseFixture } from './database-fixture.ts';

/** A log of six records, of which the first four are in two archives. */
async function scene() {
  const fixture = databaseFixture();
  const archives = join(fixture.directory, 'archives');
  const { database } = fixture.open();
  const log = new SqliteAuditLog(database, fixture.clock);
  for (let id = 1; id <= 6; id += 1) log.append(auditInput());
  await archiveRecords(database, archives, 2);
  await archiveRecords(database, archives, 4);
  const ids = (fromId?: number) => [...allRecords(database.connection, archives, fromId)].map(({ id }) => id);
  return { database, archives, ids };
}

it('archives are read once, from the record that is asked for', async () => {
  const { ids } = await scene();
  expect([ids(), ids(3), ids(4)]).toEqual([
    [1, 2, 3, 4, 5, 6],
    [3, 4, 5, 6],
    [4, 5, 6],
  ]);
});

it('what else lies beside archives is none', async () => {
  const { archives, ids } = await scene();
  writeFileSync(join(archives, 'audit-1-2.jsonl'), '[7,"x","y"]\n');
  writeFileSync(join(archives, 'notes.txt'), 'x');
  expect(listArchives(archives)).toHaveLength(2);
  expect(ids()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(listArchives(join(archives, 'none'))).toEqual([]);
});

it('a directory in place of an archive holds no record', async () => {
  const { archives, ids } = await scene();
  mkdirSync(join(archives, 'audit-000000000007-000000000008.jsonl'));
  expect(ids()).toEqual([1, 2, 3, 4, 5, 6]);
});

it.each(['no JSON', '{"id":1}', '[1,2,3]', '[1,"body"]'])(
  'a line %s of an archive is a record that nobody can verify',
  async (line) => {
    const { archives, database } = await scene();
    writeFileSync(join(archives, 'audit-000000000001-000000000002.jsonl'), `${line}\n`);
    expect([...allRecords(database.connection, archives)][0]).toEqual({ id: 1, body: null, hash: null });
  },
);

it('no archive is made where no record is old enough', async () => {
  const { database, archives } = await scene();
  const before = readdirSync(archives);
  await archiveRecords(database, archives, 4);
  expect(readdirSync(archives)).toEqual(before);
});
