import { expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { SqliteOperationLog } from '../../../src/platform/sqlite/operation-log.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { chainFault } from './chain-fault.ts';
import type { Fixture } from './database-fixture.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from './database-fixture.ts';
import { failingConnection } from './failing-connection.ts';
import type { FailurePlan } from './failing-connection.ts';

const event = (seq: number): FluffyEvent => ({
  type: 'text.done',
  text: 'x',
  session_id: 's_abcdefgh',
  seq,
  ts: seq,
});

/** A bit of everything the kernel writes. A step that fails is tried once more; resolves to how many did. */
function runScenario(fixture: Fixture, plan: FailurePlan): number {
  const { database } = fixture.open((connection) => failingConnection(connection, plan));
  const log = new SqliteAuditLog(database, fixture.clock);
  const store = new SqliteSessionStore(database, fixture.clock);
  const operations = new SqliteOperationLog(database, fixture.clock, systemRandom);
  let operation = '';
  const append = (name: string) => () => void log.append(auditInput({ input_summary: name }));
  const steps: readonly (() => void)[] = [
    append('intent 1'),
    () => store.insert(sessionRow(), sessionSnapshot()),
    () => (operation = operations.begin('merge', '{}')),
    () => log.buffer(auditInput({ input_summary: 'read' })),
    append('intent 2'),
    () => operations.markStep(operation, 0),
    () =>
      store.save(sessionRow({ state: 'planning' }), {
        messages: [{ role: 'user', text: 'hi' }],
        events: [event(1), event(2)],
      }),
    () => operations.finish(operation, 'done'),
    () => store.save(sessionRow({ state: 'planning' }), { outputs: [{ reference: 'o_1', text: 'x'.repeat(1000) }] }),
    append('outcome'),
  ];
  let failures = 0;
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      expect(error).toBeInstanceOf(FluffyError);
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(audit|session|operation)_write_failed$/) as string,
      });
      failures += 1;
      step();
    }
  }
  database.close();
  return failures;
}

it('whichever write fails, nothing acknowledged is lost and nothing is there twice', () => {
  let n = 0;
  let plan: FailurePlan;
  do {
    n += 1;
    plan = { remaining: n, code: n % 2 === 0 ? 'SQLITE_FULL' : 'SQLITE_IOERR_FSYNC', when: 'before' };
    const fixture = databaseFixture();
    const failures = runScenario(fixture, plan);
    expect(failures, `statement ${n}`).toBe(plan.remaining <= 0 ? 1 : 0);
    check(fixture, n);
  } while (plan.remaining <= 0);
  expect(n).toBeGreaterThan(25);
});

function check(fixture: Fixture, n: number): void {
  const { database, recovery } = fixture.open();
  expect(recovery).toBeNull();
  const log = new SqliteAuditLog(database, fixture.clock);
  const store = new SqliteSessionStore(database, fixture.clock);
  const operations = new SqliteOperationLog(database, fixture.clock, systemRandom);
  const summaries = log.recent(100).map(({ input_summary }) => input_summary);
  expect(summaries.reverse(), `statement ${n}`).toEqual(['intent 1', 'read', 'intent 2', 'outcome']);
  expect(store.get('s_abcdefgh')?.state).toBe('planning');
  expect(store.messages('s_abcdefgh')).toEqual([{ role: 'user', text: 'hi' }]);
  expect(store.output('s_abcdefgh', 'o_1')).toHaveLength(1000);
  expect(store.events('s_abcdefgh', 0)).toEqual([event(1), event(2)]);
  expect(operations.pending()).toEqual([]);
  database.close();
  expect(chainFault(fixture.path)).toBeNull();
  expect(chainFault(fixture.path, 'transitions')).toBeNull();
}

it('a write that went through and was reported as failed leaves a sound chain behind', () => {
  for (let n = 1; n <= 9; n += 1) {
    const plan: FailurePlan = { remaining: n, code: 'SQLITE_FULL', when: 'after' };
    const fixture = databaseFixture();
    const { database } = fixture.open((connection) => failingConnection(connection, plan));
    const log = new SqliteAuditLog(database, fixture.clock);
    for (const name of ['one', 'two', 'three']) {
      try {
        log.append(auditInput({ input_summary: name }));
      } catch (error) {
        expect(error).toMatchObject({ code: 'audit_write_failed' });
      }
    }
    log.append(auditInput({ input_summary: 'four' }));
    const summaries = log.recent(10).map(({ input_summary }) => input_summary);
    expect(plan.remaining).toBeLessThanOrEqual(0);
    expect(summaries.length).toBeGreaterThanOrEqual(3);
    expect(log.head().entries).toBe(summaries.length);
    database.close();
    expect(chainFault(fixture.path), `statement ${n}`).toBeNull();
  }
});

it('a write and its rollback that both fail leave nothing half done for the next write', () => {
  // The insert, and the commit.
  for (const n of [2, 3]) {
    const plan: FailurePlan = { remaining: n, inARow: 2, code: 'SQLITE_IOERR_FSYNC', when: 'before' };
    const fixture = databaseFixture();
    const { database } = fixture.open((connection) => failingConnection(connection, plan));
    const log = new SqliteAuditLog(database, fixture.clock);
    const written = ['one', 'two', 'three'].filter((name) => {
      try {
        log.append(auditInput({ input_summary: name }));
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'audit_write_failed' });
        return false;
      }
    });
    expect(written, `statement ${n}`).toEqual(['two', 'three']);
    expect(
      log
        .recent(5)
        .map(({ input_summary }) => input_summary)
        .reverse(),
      `statement ${n}`,
    ).toEqual(written);
    database.close();
    expect(chainFault(fixture.path)).toBeNull();
  }
});

it('records that wait for a full disk are written once there is room, before the next one', () => {
  const plan: FailurePlan = { remaining: Infinity, code: 'SQLITE_FULL', when: 'before' };
  const fixture = databaseFixture();
  const { database } = fixture.open((connection) => failingConnection(connection, plan));
  const log = new SqliteAuditLog(database, fixture.clock);
  log.buffer(auditInput({ input_summary: 'read' }));
  plan.remaining = 1;
  expect(() => log.flush()).toThrow(expect.objectContaining({ code: 'audit_write_failed', why: 'the disk is full' }));
  log.append(auditInput({ input_summary: 'write' }));
  expect(log.recent(5).map(({ input_summary }) => input_summary)).toEqual(['write', 'read']);
});
