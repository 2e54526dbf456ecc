import { afterEach, describe, expect, it, vi } from 'vitest';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openSnapshot } from '../../../src/platform/sqlite/open-snapshot.ts';
import { genesisHash } from '../../../src/lib/hash-chain.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { databaseFixture } from './database-fixture.ts';
import { chainFault } from './chain-fault.ts';

afterEach(() => vi.useRealTimers());

function openLog() {
  const fixture = databaseFixture();
  const { database } = fixture.open();
  return { fixture, database, log: new SqliteAuditLog(database, fixture.clock) };
}

/** What another process finds on the disk at this moment. */
function onDisk(path: string): readonly string[] {
  const snapshot = openSnapshot(path);
  if (snapshot.kind !== 'open') return [];
  const bodies = snapshot.connection.prepare<[], string>('SELECT body FROM audit ORDER BY id').pluck().all();
  snapshot.close();
  return bodies.map((body) => (JSON.parse(body) as { input_summary: string }).input_summary);
}

describe('append', () => {
  it('is on disk when it returns, linked to the record before', () => {
    const { fixture, log } = openLog();
    const first = log.append(auditInput({ input_summary: 'first' }));
    fixture.clock.now += 5;
    const second = log.append(auditInput({ input_summary: 'second' }));
    expect(onDisk(fixture.path)).toEqual(['first', 'second']);
    expect(first).toMatchObject({ id: 1, timestamp: 1_760_000_000_000, prev_hash: genesisHash(1_760_000_000_000) });
    expect(second).toMatchObject({ id: 2, timestamp: 1_760_000_000_005, prev_hash: first.hash });
    expect(log.head()).toEqual({ entries: 2, hash: second.hash });
    expect(log.recent(1)).toEqual([second]);
    expect(log.recent(10)).toEqual([second, first]);
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('goes on where the log of an earlier kernel ended', () => {
    const { fixture, database, log } = openLog();
    const last = log.append(auditInput());
    database.close();
    fixture.clock.now += 1_000;
    const next = new SqliteAuditLog(fixture.open().database, fixture.clock).append(auditInput());
    expect(next).toMatchObject({ id: 2, prev_hash: last.hash });
    expect(next.metadata?.['genesis_timestamp']).toBeUndefined();
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('keeps metadata beside the beginning of the chain', () => {
    const { log } = openLog();
    expect(log.append(auditInput({ metadata: { output_digest: 'd' } })).metadata).toEqual({
      output_digest: 'd',
      genesis_timestamp: '1760000000000',
    });
  });

  it.each([
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['NUL', 'a\0b', 'a\0b'],
    ['600 characters', 'x'.repeat(600), `${'x'.repeat(499)}…`],
  ])('takes a summary with %s', (_name, text, kept) => {
    const { fixture, log } = openLog();
    log.append(auditInput({ input_summary: text, output_summary: text }));
    expect(log.recent(1)[0]).toMatchObject({ input_summary: kept, output_summary: kept });
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('takes metadata under a name that is special to JavaScript, without harm', () => {
    const { fixture, log } = openLog();
    const metadata = JSON.parse('{"__proto__":"x","9":"b","10":"a"}') as Record<string, string>;
    log.append(auditInput({ metadata }));
    expect(log.recent(1)[0]?.metadata).toMatchObject({ 9: 'b', 10: 'a' });
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('bounds every text, so that a record is never larger than what a verifier reads', () => {
    const { fixture, log } = openLog();
    const huge = '\u0001'.repeat(500_000);
    const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}${huge}`, huge]));
    log.append(
      auditInput({
        deny_reason: huge,
        caller: { plugin: huge, sandbox_id: huge },
        session_id: huge,
        policy_rule_name: huge,
        metadata,
      }),
    );
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('refuses what is no record, before it is written', () => {
    const { fixture, log } = openLog();
    const bad = auditInput({ event_type: 'gossip' as 'syscall' });
    expect(() => log.append(bad)).toThrow(expect.objectContaining({ code: 'audit_write_failed' }));
    expect(onDisk(fixture.path)).toEqual([]);
  });
});

describe('buffer', () => {
  it('keeps records in memory until an append writes them first, in order', () => {
    const { fixture, log } = openLog();
    log.buffer(auditInput({ input_summary: 'read 1' }));
    fixture.clock.now += 7;
    log.buffer(auditInput({ input_summary: 'read 2' }));
    expect(onDisk(fixture.path)).toEqual([]);
    expect(log.head().entries).toBe(0);
    log.append(auditInput({ input_summary: 'write' }));
    expect(onDisk(fixture.path)).toEqual(['read 1', 'read 2', 'write']);
    expect(log.recent(3).map(({ timestamp }) => timestamp)).toEqual([7, 7, 0].map((ms) => 1_760_000_000_000 + ms));
  });

  it('writes after half a second', () => {
    vi.useFakeTimers();
    const { fixture, log } = openLog();
    log.buffer(auditInput({ input_summary: 'read' }));
    vi.advanceTimersByTime(499);
    expect(onDisk(fixture.path)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(onDisk(fixture.path)).toEqual(['read']);
  });

  it('holds a hundred records at most', () => {
    const { fixture, log } = openLog();
    for (let index = 0; index < 100; index += 1) log.buffer(auditInput());
    expect(onDisk(fixture.path)).toHaveLength(0);
    log.buffer(auditInput());
    expect(onDisk(fixture.path)).toHaveLength(100);
  });

  it('is shown by recent', () => {
    const { log } = openLog();
    log.buffer(auditInput({ input_summary: 'read' }));
    expect(log.recent(5)).toMatchObject([{ id: 1, input_summary: 'read' }]);
  });
});
