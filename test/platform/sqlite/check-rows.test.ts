import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findDamagedRow } from '../../../src/platform/sqlite/check-rows.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import type { Fixture } from './database-fixture.ts';
import { databaseFixture } from './database-fixture.ts';

const PAGE = 4096;
const SESSION = 's_0123456789abcdef0123';
const EVENTS = 500;

/** A database with events, one of them on several pages of its own, as a killed kernel leaves it: no mark says anything of it. */
function cutOff(): Fixture {
  const fixture = databaseFixture();
  fixture.fill(20);
  const { database } = fixture.open();
  const insert = database.connection.prepare('INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)');
  for (let seq = 1; seq <= EVENTS; seq += 1) insert.run(SESSION, seq, `event ${seq} `.repeat(seq === 300 ? 5_000 : 2));
  database.close();
  rmSync(`${fixture.path}.clean`);
  return fixture;
}

/** Overwrites the page with this text, as a failing disk might. */
function damage({ path }: Fixture, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes.fill(0xa5, Math.floor(at / PAGE) * PAGE, (Math.floor(at / PAGE) + 1) * PAGE);
  writeFileSync(path, bytes);
}

async function find(fixture: Fixture) {
  const opened = fixture.open();
  let pauses = 0;
  const pause = () => Promise.resolve(void (pauses += 1));
  const found = await findDamagedRow(opened.database.connection, { pause, signal: new AbortController().signal });
  return { ...opened, found, pauses };
}

it('after a writer was killed, a sound database is opened at once and read slice by slice', async () => {
  const { recovery, unchecked, found, pauses } = await find(cutOff());
  expect({ recovery, unchecked, found }).toEqual({ recovery: null, unchecked: true, found: null });
  expect(pauses).toBeGreaterThan(EVENTS / 200);
});

it('a damaged page with events is found then, and what can be saved is saved by the next opening', async () => {
  const fixture = cutOff();
  damage(fixture, 'event 100 ');
  const { database, recovery, found } = await find(fixture);
  expect({ recovery, found }).toEqual({
    recovery: null,
    found: expect.stringMatching(/^events, behind row \d+: /) as string,
  });
  database.distrust();
  database.close();
  const next = fixture.open();
  expect(next.recovery).toMatchObject({ auditEntries: 20, sessions: 1 });
  expect(new SqliteSessionStore(next.database, fixture.clock).newest()?.title).toBe('Add error handling');
});

it('a row that its index does not lead to is found', async () => {
  const fixture = cutOff();
  const bytes = readFileSync(fixture.path);
  const places = [...bytes.toString('latin1').matchAll(new RegExp(SESSION, 'g'))].map(({ index }) => index);
  const inIndex = places.filter((at) => !bytes.toString('latin1', at, at + 40).includes('event'));
  expect(inIndex.length).toBeGreaterThan(EVENTS / 2);
  for (const at of inIndex) bytes.write('z', at);
  writeFileSync(fixture.path, bytes);
  expect((await find(fixture)).found).toMatch(/is not in its index$/);
});

it('damage where a start reads is found by the start itself', () => {
  const fixture = cutOff();
  damage(fixture, 'Add error handling');
  expect(fixture.open().recovery).not.toBeNull();
});

it('what was not checked to the end is unchecked for the next opening too, what was checked is not', () => {
  const fixture = cutOff();
  fixture.open().database.close();
  const again = fixture.open();
  expect(again.unchecked).toBe(true);
  again.database.trust();
  new SqliteAuditLog(again.database, fixture.clock).append(auditInput());
  again.database.close();
  expect(fixture.open().unchecked).toBe(false);
});
