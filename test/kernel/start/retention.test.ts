import { describe, expect, it } from 'vitest';
import type { AuditInput } from '../../../src/contracts/audit-entry.ts';
import type { SessionRow } from '../../../src/contracts/ports/session-store.ts';
import { KEPT_RECORDS, planRetention } from '../../../src/kernel/start/plan-retention.ts';
import type { LogFacts } from '../../../src/kernel/start/plan-retention.ts';
import { Retention } from '../../../src/kernel/start/retention.ts';
import { standingClock } from '../../support/standing-clock.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;
const settings = { retentionDays: 90, maxSizeBytes: 1_000, rotation: 'daily' } as const;
const quiet: LogFacts = {
  nowMs: NOW,
  settings,
  first: { id: 1, ms: NOW },
  lastId: 5_000,
  recordBytes: 100,
  archives: [],
};
const archive = (from: number, ageDays: number, bytes = 100) => ({
  from,
  through: from + 9,
  bytes,
  newestMs: NOW - ageDays * DAY_MS,
});

describe('what is due of the audit log', () => {
  it.each<[string, Partial<LogFacts>, object]>([
    ['nothing of a young log', {}, { rotateThrough: null, deleteOldest: 0, storage: null }],
    ['all but the newest after a day', { first: { id: 1, ms: NOW - DAY_MS } }, { rotateThrough: 5_000 - KEPT_RECORDS }],
    ['a part of a long log', { first: { id: 1, ms: 0 }, lastId: 90_000 }, { rotateThrough: 10_000 }],
    ['nothing of a short one', { first: { id: 1, ms: 0 }, lastId: KEPT_RECORDS }, { rotateThrough: null }],
    [
      'nothing before the month is over',
      { first: { id: 1, ms: NOW - 29 * DAY_MS }, settings: { ...settings, rotation: 'monthly' } },
      { rotateThrough: null },
    ],
    ['archives past their days', { archives: [archive(1, 99), archive(11, 91), archive(21, 1)] }, { deleteOldest: 2 }],
    [
      'none behind one that cannot be dated',
      { archives: [{ ...archive(1, 99), newestMs: null }, archive(11, 99)] },
      { deleteOldest: 0 },
    ],
    ['a word above 80 per cent', { recordBytes: 801 }, { storage: 'warning', deleteOldest: 0 }],
    ['another above 95', { recordBytes: 951 }, { storage: 'critical' }],
    [
      'no archive before its days are over, however much there is',
      { recordBytes: 700, archives: [archive(1, 91, 200), archive(11, 89, 200), archive(21, 1, 900)] },
      { deleteOldest: 1, storage: 'critical' },
    ],
  ])('%s', (_what, facts, expected) => {
    expect(planRetention({ ...quiet, ...facts })).toMatchObject(expected);
  });
});

function scene(facts: Partial<LogFacts> = {}, sessions: readonly Partial<SessionRow>[] = []) {
  const { clock, advance } = standingClock();
  const done: string[] = [];
  const appended: AuditInput[] = [];
  const state = { idle: true, notices: 0, readable: true };
  const { nowMs: _now, settings: _settings, ...log } = { ...quiet, ...facts };
  const retention = new Retention({
    clock: { ...clock, nowMs: () => NOW },
    isIdle: () => state.idle,
    settings: () => settings,
    log: {
      facts: () => (done.some((each) => each.startsWith('rotate')) ? { ...log, first: { id: 4_001, ms: NOW } } : log),
      rotate: (through) => Promise.resolve(void done.push(`rotate ${through}`)),
      oldest: () => (state.readable ? { from: 1, through: 10, head: 'abc' } : null),
      deleteOldest: () => void done.push('delete'),
    },
    append: (entry) => {
      appended.push(entry);
      done.push(entry.event_type);
    },
    notify: () => void (state.notices += 1),
    sessions: () => sessions as SessionRow[],
    archiveSession: ({ id }) => void done.push(`archive ${id}`),
    onFault: (error) => void done.push(String(error)),
  });
  return { retention, done, appended, state, advance };
}

it('says in the chain what is deleted, before it is gone', async () => {
  const { retention, done, appended } = scene({ archives: [archive(1, 99)] });
  await retention.look();
  expect(done).toEqual(['audit_archive_deleted', 'delete']);
  expect(appended[0]?.metadata).toEqual({ from: '1', through: '10', head: 'abc' });
});

it('keeps an archive that cannot be read: nobody could say what it held', async () => {
  const { retention, done, state } = scene({ archives: [archive(1, 99)] });
  state.readable = false;
  await expect(retention.look()).rejects.toThrow(/stays/);
  expect(done).toEqual([]);
});

it('warns once', async () => {
  const { retention, done, state } = scene({ recordBytes: 850 });
  await retention.look();
  await retention.look();
  expect(done).toEqual(['audit_storage_warning']);
  expect(state.notices).toBe(1);
});

it('archives sessions that are over and a month old', async () => {
  const old = NOW - 31 * DAY_MS;
  const { retention, done } = scene({}, [
    { id: 'old', status: 'done', updated_ms: old },
    { id: 'young', status: 'done', updated_ms: NOW - 29 * DAY_MS },
    { id: 'waits', status: 'waiting', updated_ms: old },
    { id: 'archived', status: 'archived', updated_ms: old },
  ]);
  await retention.look();
  expect(done).toEqual(['archive old']);
});

it('looks only while nothing is under way', async () => {
  const { retention, done, state, advance } = scene({ first: { id: 1, ms: NOW - DAY_MS } });
  const ending = new AbortController();
  const running = retention.run(ending.signal);
  state.idle = false;
  await advance(10 * 60_000);
  expect(done).toEqual([]);
  state.idle = true;
  await advance(10 * 60_000);
  expect(done).toEqual(['rotate 4000']);
  ending.abort();
  await running;
});
