import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { auditLog } from '../../../src/cli/audit/audit-log.ts';
import { verifyAudit } from '../../../src/cli/audit/verify-audit.ts';
import type { AuditVerdict } from '../../../src/cli/audit/verify-audit.ts';
import type { Anchor } from '../../../src/kernel/audit/compare-anchors.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { auditChain, auditInput, sealRow } from '../../kernel/audit/chain-fixture.ts';
import { databaseFixture } from '../../platform/sqlite/database-fixture.ts';
import type { Fixture } from '../../platform/sqlite/database-fixture.ts';
import { oneEpoch } from '../../support/one-epoch.ts';
import { ROUNDS_TIMEOUT_MS, rounds, seededRandom } from '../../seeded-random.ts';

const RECORDS = 40;
const SIGNED = [10, 20, 30, 40];

interface Scene {
  readonly fixture: Fixture;
  readonly anchors: readonly Anchor[];
  /** Bytes of the database when it had twenty records. */
  readonly old: Buffer;
}

/** A log of forty records, signed by the host every ten. */
function scene(): Scene {
  const fixture = databaseFixture();
  const anchors: Anchor[] = [];
  let old = Buffer.alloc(0);
  for (const upTo of SIGNED) {
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    while (log.head().entries < upTo) log.append(auditInput({ input_summary: `record ${log.head().entries + 1}` }));
    anchors.push({ entries: upTo, head: log.head().hash });
    database.close();
    if (upTo === 20) old = readFileSync(fixture.path);
  }
  return { fixture, anchors, old };
}

const verify = ({ fixture, anchors }: Scene, readAnchors = () => anchors): Promise<AuditVerdict> =>
  verifyAudit({ databasePath: fixture.path, readAnchors: () => oneEpoch(readAnchors()) });

/** Recomputes every hash from record `id` on, as somebody does who has the code and the database but not the host's key. */
function rewriteFrom(path: string, id: number, change: (body: Record<string, unknown>) => object): void {
  const connection = new Database(path);
  const rows = connection
    .prepare<[], { id: number; body: string; hash: string }>('SELECT * FROM audit ORDER BY id')
    .all();
  let previous = rows[id - 2]?.hash ?? (JSON.parse(rows[0]?.body ?? '') as { prev_hash: string }).prev_hash;
  for (const row of rows.slice(id - 1)) {
    const sealed = sealRow(row.id, previous, change(JSON.parse(row.body) as Record<string, unknown>));
    connection.prepare('UPDATE audit SET body = ?, hash = ? WHERE id = ?').run(sealed.body, sealed.hash, row.id);
    previous = sealed.hash;
  }
  connection.close();
}

const sql =
  (statements: string) =>
  ({ fixture }: Scene): void =>
    fixture.edit(statements);

describe('somebody with write access to the database is found out', () => {
  it.each<[string, (scene: Scene) => void, { first_bad: number; trustworthy: number; anchored: number }]>([
    [
      'who edits a record',
      sql("UPDATE audit SET body = replace(body, 'allowed', 'denied') WHERE id = 25"),
      { first_bad: 25, trustworthy: 24, anchored: 20 },
    ],
    [
      'who swaps two records',
      sql(
        'UPDATE audit SET id = -1 WHERE id = 25; UPDATE audit SET id = 25 WHERE id = 26; UPDATE audit SET id = 26 WHERE id = -1',
      ),
      { first_bad: 25, trustworthy: 24, anchored: 20 },
    ],
    [
      'who puts one in',
      sql(
        'UPDATE audit SET id = -id WHERE id > 25; UPDATE audit SET id = 1 - id WHERE id < 0; INSERT INTO audit SELECT 26, body, hash FROM audit WHERE id = 25',
      ),
      { first_bad: 26, trustworthy: 25, anchored: 20 },
    ],
    ['who takes one out', sql('DELETE FROM audit WHERE id = 25'), { first_bad: 25, trustworthy: 24, anchored: 20 }],
    ['who cuts off the tail', sql('DELETE FROM audit WHERE id > 35'), { first_bad: 36, trustworthy: 30, anchored: 30 }],
    ['who empties the log', sql('DELETE FROM audit'), { first_bad: 1, trustworthy: 0, anchored: 0 }],
    ['who deletes the file', ({ fixture }) => rmSync(fixture.path), { first_bad: 1, trustworthy: 0, anchored: 0 }],
    [
      'who truncates the file to nothing',
      ({ fixture }) => truncateSync(fixture.path),
      { first_bad: 1, trustworthy: 0, anchored: 0 },
    ],
    [
      'who rewrites from one record on, with sound hashes',
      ({ fixture }) => rewriteFrom(fixture.path, 25, (body) => ({ ...body, policy_decision: 'allowed_by_token' })),
      { first_bad: 21, trustworthy: 20, anchored: 20 },
    ],
    [
      'who rewrites the whole log, with sound hashes',
      ({ fixture }) => rewriteFrom(fixture.path, 1, (body) => ({ ...body, input_summary: 'nothing to see' })),
      { first_bad: 1, trustworthy: 0, anchored: 0 },
    ],
    [
      'who puts another log in its place',
      ({ fixture }) => {
        const connection = new Database(fixture.path);
        connection.exec('DELETE FROM audit');
        for (const { id, body, hash } of auditChain(60)) {
          connection.prepare('INSERT INTO audit VALUES (?, ?, ?)').run(id, body, hash);
        }
        connection.close();
      },
      { first_bad: 1, trustworthy: 0, anchored: 0 },
    ],
    [
      'who restores an old copy of the database',
      ({ fixture, old }) => writeFileSync(fixture.path, old),
      { first_bad: 21, trustworthy: 20, anchored: 20 },
    ],
    [
      'who restores an old copy and lets the kernel go on from there',
      ({ fixture, old }) => {
        writeFileSync(fixture.path, old);
        const { database } = fixture.open();
        const log = new SqliteAuditLog(database, fixture.clock);
        for (let id = 21; id <= 50; id += 1) log.append(auditInput({ input_summary: 'another story' }));
        database.close();
      },
      { first_bad: 21, trustworthy: 20, anchored: 20 },
    ],
    [
      'who hides a record behind a view',
      sql('ALTER TABLE audit RENAME TO kept; CREATE VIEW audit AS SELECT * FROM kept WHERE id <> 25'),
      { first_bad: 1, trustworthy: 0, anchored: 0 },
    ],
    [
      'who leaves a trigger for the next kernel',
      sql("CREATE TRIGGER t AFTER INSERT ON audit BEGIN UPDATE audit SET body = '' WHERE id = NEW.id; END"),
      { first_bad: 1, trustworthy: 0, anchored: 0 },
    ],
    [
      'who makes a record fifty megabytes long',
      sql('UPDATE audit SET body = CAST(zeroblob(50000000) AS TEXT) WHERE id = 25'),
      { first_bad: 25, trustworthy: 24, anchored: 20 },
    ],
    [
      'who makes it no database',
      ({ fixture }) => writeFileSync(fixture.path, 'SQLite format 4\0'.repeat(512)),
      { first_bad: 1, trustworthy: 0, anchored: 0 },
    ],
  ])('%s', async (_name, attack, expected) => {
    const stage = scene();
    attack(stage);
    const verdict = await verify(stage);
    expect(verdict).toMatchObject({
      intact: false,
      first_bad: { id: expected.first_bad },
      trustworthy_through: expected.trustworthy,
      anchored_through: expected.anchored,
    });
  });

  it('and nobody is accused without cause', async () => {
    expect(await verify(scene())).toMatchObject({ intact: true, entries: RECORDS, anchored_through: RECORDS });
  });

  it('a rewritten log without anything signed is at least said to be unsigned', async () => {
    const stage = scene();
    rewriteFrom(stage.fixture.path, 1, (body) => ({ ...body, input_summary: 'nothing to see' }));
    expect(await verify(stage, () => [])).toMatchObject({ intact: true, anchored_through: 0 });
  });
});

describe('a killed kernel', () => {
  /** The files as kill -9 leaves them: forty records in the database, ten in the write-ahead log, all fifty signed. */
  function killed(): Scene {
    const stage = scene();
    const { database } = stage.fixture.open();
    const log = new SqliteAuditLog(database, stage.fixture.clock);
    for (let count = 0; count < 10; count += 1) log.append(auditInput());
    const anchors = [...stage.anchors, { entries: 50, head: log.head().hash }];
    const files = ['', '-wal'].map((suffix) => [suffix, readFileSync(stage.fixture.path + suffix)] as const);
    database.close();
    for (const [suffix, bytes] of files) writeFileSync(stage.fixture.path + suffix, bytes);
    return { ...stage, anchors };
  }

  it('leaves a log that is intact to its last record', async () => {
    expect(await verify(killed())).toMatchObject({ intact: true, entries: 50, anchored_through: 50 });
  });

  it.each<[string, (wal: string) => void]>([
    ['is removed', (wal) => rmSync(wal)],
    ['is cut off', (wal) => truncateSync(wal, 4 * 4096)],
    ['has a bit flipped', (wal) => flipBit(wal, 4096 * 2 * 8 + 5)],
  ])('whose write-ahead log %s is missed', async (_name, attack) => {
    const stage = killed();
    attack(`${stage.fixture.path}-wal`);
    const verdict = await verify(stage);
    expect(verdict).toMatchObject({ intact: false, trustworthy_through: 40, anchored_through: 40 });
    expect(verdict.first_bad?.reason).toMatch(/cut off: 50 records had been signed/);
  });
});

function flipBit(path: string, bit: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  writeFileSync(path, bytes);
}

async function printed(databasePath: string): Promise<string> {
  const lines: string[] = [];
  await auditLog({ databasePath, json: true, write: (line) => void lines.push(line) });
  return lines.join('\n');
}

it('a bit flipped anywhere is found, or it changed nothing that is shown', { timeout: ROUNDS_TIMEOUT_MS }, async () => {
  const stage = scene();
  const genuine = await printed(stage.fixture.path);
  const bits = readFileSync(stage.fixture.path).length * 8;
  const random = seededRandom(5);
  const path = join(stage.fixture.directory, 'flipped.db');
  let found = 0;
  const total = rounds(150, 20_000);
  for (let round = 0; round < total; round += 1) {
    copyFileSync(stage.fixture.path, path);
    const bit = Math.floor(random() * bits);
    flipBit(path, bit);
    let intact = false;
    try {
      intact = (await verifyAudit({ databasePath: path, readAnchors: () => oneEpoch(stage.anchors) })).intact;
    } catch (error) {
      expect(error, `bit ${bit}`).toBeInstanceOf(FluffyError);
    }
    if (intact) expect(await printed(path), `bit ${bit}`).toBe(genuine);
    else found += 1;
  }
  expect(found).toBeGreaterThan(total / 4);
});
