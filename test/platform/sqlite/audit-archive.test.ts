import { appendFileSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditLog } from '../../../src/cli/audit/audit-log.ts';
import { formatVerdict } from '../../../src/cli/audit/format-verdict.ts';
import { verifyAudit } from '../../../src/cli/audit/verify-audit.ts';
import type { AnchorsRead } from '../../../src/cli/audit/verify-audit.ts';
import { checkRest } from '../../../src/kernel/start/check-chain.ts';
import { deletionEntry } from '../../../src/kernel/start/plan-retention.ts';
import { AUDIT_CHAIN } from '../../../src/kernel/audit/verify-chain.ts';
import { archiveRecords } from '../../../src/platform/sqlite/audit-archive.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openAuditStorage } from '../../../src/platform/sqlite/audit-storage.ts';
import { chainSlice } from '../../../src/platform/sqlite/chain-rows.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { oneEpoch } from '../../support/one-epoch.ts';
import { databaseFixture } from './database-fixture.ts';

/** 30 records, of which the first 10 and the next 10 are in archives. */
async function scene() {
  const fixture = databaseFixture();
  const archives = join(fixture.directory, 'archives');
  const { database } = fixture.open();
  const log = new SqliteAuditLog(database, fixture.clock);
  const anchors: { entries: number; head: string }[] = [];
  for (let id = 1; id <= 30; id += 1) {
    log.append(auditInput({ input_summary: `record ${id}` }));
    if (id % 5 === 0) anchors.push({ entries: id, head: log.head().hash });
  }
  await archiveRecords(database, archives, 10);
  await archiveRecords(database, archives, 20);
  const verify = () => verifyAudit({ databasePath: fixture.path, archives, readAnchors: () => oneEpoch(anchors) });
  const printed = async () => {
    const lines: string[] = [];
    await auditLog({ databasePath: fixture.path, archives, json: true, write: (line) => void lines.push(line) });
    return lines.map((line) => (JSON.parse(line) as { id: number }).id);
  };
  return {
    fixture,
    archives,
    database,
    log,
    verify,
    printed,
    heads: anchors,
    storage: openAuditStorage(database, archives),
  };
}

const ALL = Array.from({ length: 30 }, (_, index) => index + 1);

it('moves records out of the database, and they are verified and shown as before', async () => {
  const { verify, printed, archives, storage } = await scene();
  expect(readdirSync(archives)).toEqual([
    'audit-000000000001-000000000010.jsonl',
    'audit-000000000011-000000000020.jsonl',
  ]);
  expect(storage.facts()).toMatchObject({ first: { id: 21 }, lastId: 30 });
  expect(await verify()).toMatchObject({ intact: true, entries: 30, anchored_through: 30 });
  expect(await printed()).toEqual(ALL);
});

it('counts the bytes of the records, and not those of sessions beside them', async () => {
  const { database, storage } = await scene();
  const { recordBytes } = storage.facts();
  expect(recordBytes).toBeGreaterThan(10 * 64);
  database.connection.exec('CREATE TABLE other (body BLOB)');
  database.connection.exec('INSERT INTO other VALUES (zeroblob(1000000))');
  expect(storage.facts().recordBytes).toBe(recordBytes);
});

it('goes on where the archives end', async () => {
  const { log, verify } = await scene();
  log.append(auditInput());
  expect(await verify()).toMatchObject({ intact: true, entries: 31 });
});

it('takes a record that a crash left in both places for one', async () => {
  const { database, verify, printed, archives } = await scene();
  const before = chainSlice(database.connection, 'audit')(21, 5);
  await archiveRecords(database, archives, 25);
  const insert = database.connection.prepare('INSERT INTO audit (id, body, hash) VALUES (?, ?, ?)');
  for (const { id, body, hash } of before) insert.run(id, body, hash);
  expect(await verify()).toMatchObject({ intact: true, entries: 30 });
  expect(await printed()).toEqual(ALL);
});

it('lets the background check begin with the first record that is left', async () => {
  const { database } = await scene();
  const read = chainSlice(database.connection, 'audit');
  const options = { pause: () => Promise.resolve(), signal: new AbortController().signal };
  expect(await checkRest(AUDIT_CHAIN, read, 30 + 500, options)).toBeNull();
});

it('is intact without archives that a record says were deleted, and not without others', async () => {
  const { storage, log, verify } = await scene();
  const oldest = storage.oldest();
  if (oldest === null) throw new Error('no archive');
  storage.deleteOldest();
  expect(await verify()).toMatchObject({ intact: false, first_bad: { id: 1 }, trustworthy_through: 0 });
  log.append(deletionEntry(oldest, oldest.head));
  expect(await verify()).toMatchObject({ intact: true, entries: 31, anchored_through: 30 });
  storage.deleteOldest();
  expect(await verify()).toMatchObject({ intact: false });
});

it.each<[number, number, object[]]>([
  [5, 1, [{ epoch: 1, deleted: true, intact: true }]],
  [15, 1, [{ epoch: 1, deleted: false, intact: true, entries: 15 }]],
  [15, 2, [{ epoch: 1, deleted: true, intact: true }]],
])(
  'is intact in all epochs, the second after record %i, when %i archives were deleted',
  async (after, count, earlier) => {
    const { storage, log, archives, fixture, heads } = await scene();
    const [first, second] = [
      heads.filter(({ entries }) => entries <= after),
      heads.filter(({ entries }) => entries > after),
    ];
    const start = { entries: after, hash: first.at(-1)?.head ?? '' };
    const epochs: AnchorsRead = [...oneEpoch(first), { epoch: 2, start, anchors: second, doubt: null }];
    const verify = () => verifyAudit({ databasePath: fixture.path, archives, readAnchors: () => epochs });
    for (let index = 0; index < count; index += 1) {
      const oldest = storage.oldest();
      storage.deleteOldest();
      expect(await verify()).toMatchObject({ earlier: [{ intact: false }] });
      if (oldest !== null) log.append(deletionEntry(oldest, oldest.head));
    }
    const verdict = await verify();
    expect(verdict).toMatchObject({ intact: true, anchored_through: 30, earlier });
    if (verdict.earlier[0]?.deleted === true)
      expect(formatVerdict(verdict)).toMatch(/^Epoch 1, closed by a reset: its records, up to \d+, were deleted/);
  },
);

it.each<[string, (archives: string) => void]>([
  ['a changed line', (archives) => replace(archives, 'record 13', 'record 31')],
  ['a line that is none', (archives) => appendFileSync(join(archives, NAMES[1] ?? ''), 'x\n')],
  ['a file less', (archives) => rmSync(join(archives, NAMES[1] ?? ''))],
])('finds %s', async (_what, spoil) => {
  const { archives, verify } = await scene();
  spoil(archives);
  expect(await verify()).toMatchObject({ intact: false });
});

it('follows no link', async () => {
  const { archives, verify } = await scene();
  rmSync(join(archives, NAMES[0] ?? ''));
  symlinkSync('/etc/passwd', join(archives, NAMES[0] ?? ''));
  await expect(verify()).rejects.toThrow();
});

const NAMES = ['audit-000000000001-000000000010.jsonl', 'audit-000000000011-000000000020.jsonl'];

function replace(archives: string, from: string, to: string): void {
  const path = join(archives, NAMES[1] ?? '');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(from, to));
}
