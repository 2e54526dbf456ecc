import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AUDIT_CHAIN, followChain } from '../../../src/kernel/audit/verify-chain.ts';
import { chainRows } from '../../../src/platform/sqlite/chain-rows.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openSnapshot } from '../../../src/platform/sqlite/open-snapshot.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { ROUNDS_TIMEOUT_MS, rounds } from '../../seeded-random.ts';
import { chainFault } from './chain-fault.ts';
import { databaseFixture } from './database-fixture.ts';

const unreadable = expect.objectContaining({ code: 'database_unreadable' }) as unknown;

/** Number of records, each of which follows the one before; or what kind of snapshot there was instead. */
function countRecords(path: string): number | string {
  const snapshot = openSnapshot(path);
  if (snapshot.kind !== 'open') return snapshot.kind;
  try {
    const { position, fault } = followChain(AUDIT_CHAIN, chainRows(snapshot.connection, 'audit'));
    return fault === null ? position.entries : `${fault.id}: ${fault.reason}`;
  } finally {
    snapshot.close();
  }
}

describe('a snapshot of the database', () => {
  it('has what a running kernel has written so far, without any trace beside the original', () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    log.append(auditInput());
    const before = readdirSync(fixture.directory).map((name) => [
      name,
      statSync(join(fixture.directory, name)).mtimeMs,
    ]);
    const scratch = join(fixture.directory, 'scratch');
    mkdirSync(scratch);
    const snapshot = openSnapshot(fixture.path, { scratch });
    // Already nameless: a crash from here on leaves nothing behind.
    expect(readdirSync(scratch)).toEqual([]);
    if (snapshot.kind !== 'open') throw new Error(snapshot.kind);
    log.append(auditInput());
    expect(snapshot.connection.prepare('SELECT count(*) FROM audit').pluck().get()).toBe(1);
    snapshot.close();
    expect(readdirSync(scratch)).toEqual([]);
    rmSync(scratch, { recursive: true });
    const names = readdirSync(fixture.directory);
    expect(names).toEqual(before.map(([name]) => name));
    expect(countRecords(fixture.path)).toBe(2);
  });

  it('has what a killed kernel left in its write-ahead log', () => {
    const fixture = databaseFixture();
    fixture.fill(3);
    const { database } = fixture.open();
    new SqliteAuditLog(database, fixture.clock).append(auditInput());
    const copy = join(fixture.directory, 'killed.db');
    for (const suffix of ['', '-wal']) copyFileSync(fixture.path + suffix, copy + suffix);
    expect(countRecords(copy)).toBe(4);
    expect(chainFault(copy)).toBeNull();
    rmSync(`${copy}-wal`);
    expect(countRecords(copy)).toBe(3);
  });

  it('cannot be written to', () => {
    const fixture = databaseFixture();
    fixture.fill(1);
    const snapshot = openSnapshot(fixture.path);
    if (snapshot.kind !== 'open') throw new Error(snapshot.kind);
    onTestFinished(() => snapshot.close());
    expect(() => snapshot.connection.exec('DELETE FROM audit')).toThrow(/readonly/);
  });

  it('is of one moment, whatever a kernel writes and folds in meanwhile', { timeout: ROUNDS_TIMEOUT_MS }, async () => {
    for (let seed = 0; seed < rounds(1, 50); seed += 1) await readBesideAWriter(seed);
  });
});

/** Takes ten snapshots while another process writes as fast as it can. */
async function readBesideAWriter(seed: number): Promise<void> {
  const fixture = databaseFixture();
  const writer = new URL('./writer-child.ts', import.meta.url).pathname;
  const args = [writer, fixture.directory, String(seed), '0.05'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    let acknowledged = 0;
    child.stdout.on('data', (chunk: Buffer) => (acknowledged = Number(chunk.toString().trim().split('\n').at(-1))));
    let seen = 0;
    for (let round = 0; round < 10; round += 1) {
      await new Promise(setImmediate);
      const atLeast = Math.max(seen, acknowledged);
      const count = countRecords(fixture.path);
      expect(count).toBeGreaterThanOrEqual(atLeast);
      seen = Number(count);
    }
    expect(seen).toBeGreaterThan(0);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

describe('a path on which there is no database of fluffy’s', () => {
  it('is missing when there is nothing, or nothing in it yet', () => {
    const fixture = databaseFixture();
    expect(openSnapshot(fixture.path).kind).toBe('missing');
    writeFileSync(fixture.path, '');
    expect(openSnapshot(fixture.path).kind).toBe('missing');
  });

  it.each<[string, (path: string, directory: string) => void]>([
    ['a link', (path, directory) => (renameSync(path, join(directory, 'real')), symlinkSync('real', path))],
    ['a FIFO, which is not waited for', (path) => (rmSync(path), spawnSync('mkfifo', [path]))],
    ['a directory', (path) => (rmSync(path), mkdirSync(path))],
    ['a link in place of the write-ahead log', (path) => symlinkSync('/etc/passwd', `${path}-wal`)],
  ])('is refused when it is %s', (_name, replace) => {
    const fixture = databaseFixture();
    fixture.fill(1);
    replace(fixture.path, fixture.directory);
    expect(() => openSnapshot(fixture.path)).toThrow(unreadable);
  });

  it('is refused when it is larger than allowed', () => {
    const fixture = databaseFixture();
    fixture.fill(1);
    truncateSync(fixture.path, 2 ** 40);
    expect(() => openSnapshot(fixture.path, { maxBytes: 10 ** 9 })).toThrow(unreadable);
  });

  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON audit BEGIN SELECT 1; END'],
    ['a view', 'CREATE VIEW v AS SELECT * FROM audit'],
    ['a view in place of a table', 'ALTER TABLE audit RENAME TO a; CREATE VIEW audit AS SELECT * FROM a'],
    ['an index with an expression', 'CREATE INDEX i ON audit (upper(body))'],
    ['a table with a generated column', 'ALTER TABLE audit ADD COLUMN g TEXT AS (upper(body))'],
    ['a table too few', 'DROP TABLE events'],
    ['a virtual table', 'CREATE VIRTUAL TABLE f USING fts5(x)'],
  ])('is unusable with %s', (_name, sql) => {
    const fixture = databaseFixture();
    fixture.fill(1);
    fixture.edit(sql);
    expect(openSnapshot(fixture.path)).toMatchObject({ kind: 'unusable' });
  });

  it('is unusable when it is no database', () => {
    const fixture = databaseFixture();
    writeFileSync(fixture.path, 'x'.repeat(8192));
    expect(openSnapshot(fixture.path)).toMatchObject({ kind: 'unusable' });
  });

  it('is a matter for a newer fluffy when one made it', () => {
    const fixture = databaseFixture();
    fixture.fill(1);
    fixture.edit('PRAGMA user_version = 99');
    expect(() => openSnapshot(fixture.path)).toThrow(expect.objectContaining({ code: 'database_newer' }));
  });

  it('with a second name is read anyway', () => {
    const fixture = databaseFixture();
    fixture.fill(2);
    const other = join(fixture.directory, 'other.db');
    linkSync(fixture.path, other);
    expect(countRecords(other)).toBe(2);
    expect(readFileSync(other).equals(readFileSync(fixture.path))).toBe(true);
  });
});
