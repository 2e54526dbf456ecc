import { describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import type { SessionChanges, SessionStore } from '../../../src/contracts/ports/session-store.ts';
import { Session } from '../../../src/kernel/session/session.ts';
import { forNextTask } from '../../../src/kernel/session/snapshot.ts';
import { sessionRow, sessionSnapshot } from '../../platform/sqlite/session-row.ts';

const BASELINE = { kind: 'known' as const, passed: ['a.test.js\0a'], failed: [], broken_files: [] };
const NOTICE = { type: 'notice', level: 'info', what: 'w', why: 'y', fix: 'f', code: 'undone' } as const;

function scene(clock = { now: 0, monotonic: 0 }) {
  const saves: SessionChanges[] = [];
  const session = new Session({
    row: sessionRow(),
    snapshot: sessionSnapshot(),
    messages: [],
    lastSeq: 0,
    store: { save: (_row, changes) => void saves.push(changes) } as Pick<SessionStore, 'save'> as SessionStore,
    clock: { nowMs: () => clock.now, monotonicMs: () => clock.monotonic, sleep: () => Promise.resolve() },
  });
  /** What the last save wrote beside messages and events. */
  const written = () => {
    const { progress, facts } = saves.at(-1) ?? {};
    return { progress: progress !== undefined, facts };
  };
  return { session, saves, written };
}

describe('what is written', () => {
  it('with an event is the event alone where nothing else changed', () => {
    const { session, saves, written } = scene();
    session.update({ baseline: BASELINE, task: 'do it' });
    session.save();
    session.emit(NOTICE);
    expect(written()).toEqual({ progress: false, facts: {} });
    expect(saves.at(-1)).toMatchObject({ messages: [], events: [{ ...NOTICE, seq: 1 }] });
  });

  it('is each fact once, without the rest of the snapshot', () => {
    const { session, written } = scene();
    session.update({ baseline: BASELINE });
    session.save();
    expect(written()).toEqual({ progress: false, facts: { baseline: BASELINE } });
    session.update({ idle_answers: 1 });
    session.save();
    expect(written()).toEqual({ progress: true, facts: {} });
  });

  it('is a kept output together with the message that refers to it', () => {
    const { session, saves } = scene();
    session.keepOutput('o_1', 'a long output');
    expect(saves).toEqual([]);
    session.push({ role: 'user', text: 'see o_1' });
    session.save();
    expect(saves).toMatchObject([{ messages: [{ text: 'see o_1' }], outputs: [{ reference: 'o_1' }] }]);
    session.save();
    expect(saves.at(-1)).toMatchObject({ messages: [], outputs: [] });
  });

  it.each<[string, (session: Session) => unknown, number]>([
    ['nothing is new', () => undefined, 0],
    ['a message is new', (session) => session.push({ role: 'user', text: 'news' }), 1],
    ['an event is new', (session) => session.stream({ type: 'text.delta', text: 'a' }), 1],
    ['an output is new', (session) => session.keepOutput('o_1', 'a long output'), 1],
    ['a fact is new', (session) => session.update({ baseline: BASELINE }), 1],
    ['the title is new', (session) => session.updateRow({ title: 'new' }), 1],
  ])('before the archive is read, where %s, is what is new and no more', (_name, change, writes) => {
    const { session, saves } = scene();
    session.push({ role: 'user', text: 'before' });
    session.save();
    change(session);
    for (const _reading of [1, 2, 3]) void session.archive;
    expect(saves.length - 1).toBe(writes);
  });

  it('is the removal of every fact when the next task begins', () => {
    const { session, written } = scene();
    session.update({ baseline: BASELINE });
    session.save();
    session.update(forNextTask(session.snapshot, 'next', 1));
    session.save();
    expect(written()).toEqual({ progress: true, facts: { baseline: null } });
  });

  it('is written with the next save if the first one fails', () => {
    const { session, saves, written } = scene();
    session.update({ baseline: BASELINE });
    const push = saves.push.bind(saves);
    saves.push = () => {
      throw new Error('disk full');
    };
    expect(() => session.save()).toThrow('disk full');
    saves.push = push;
    session.save();
    expect(written().facts).toEqual({ baseline: BASELINE });
  });
});

it('an event that is too large is bounded before it is written and shown', () => {
  const { session, saves } = scene();
  const shown: FluffyEvent[] = [];
  session.subscribe((event) => shown.push(event));
  session.emit({ type: 'text.done', text: 'x'.repeat(5_000_000) });
  for (const event of [...(saves.at(-1)?.events ?? []), ...shown])
    expect(JSON.stringify(event).length).toBeLessThan(1_100_000);
  expect(shown).toHaveLength(1);
});

it.each<[string, boolean, readonly ((session: Session) => void)[]]>([
  ['before a run', false, []],
  ['during a run', true, [(session) => session.beginRun({ running: true })]],
  [
    'while a run cleans up',
    false,
    [(session) => session.beginRun({ running: true }), (session) => session.endReading()],
  ],
  ['in the next run', true, [(session) => session.endReading(), (session) => session.beginRun({ running: true })]],
  [
    'after a run',
    false,
    [(session) => session.beginRun({ running: true }), (session) => session.update({ running: false })],
  ],
])('a message %s is read: %s', (_, isRead, steps) => {
  const { session } = scene();
  session.update({ running: false });
  for (const step of steps) step(session);
  expect(session.readsMessages).toBe(isRead);
});

describe('how long a run has taken', () => {
  const HOUR_MS = 3_600_000;
  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('does not change when the calendar is set %s', (_, byMs) => {
    const clock = { now: 10 * HOUR_MS, monotonic: 7 };
    const { session } = scene(clock);
    session.beginRun({ task: 'do it' });
    expect(session.snapshot).toMatchObject({ task: 'do it', run_started_ms: 10 * HOUR_MS });
    clock.now += byMs;
    clock.monotonic += 1500.4;
    expect(session.runElapsedMs).toBe(1500);
  });

  it('is counted by the calendar after a restart of the kernel, and is never negative', () => {
    const clock = { now: 10 * HOUR_MS, monotonic: 0 };
    const { session } = scene(clock);
    session.update({ run_started_ms: clock.now - 2000 });
    expect(session.runElapsedMs).toBe(2000);
    clock.now -= HOUR_MS;
    expect(session.runElapsedMs).toBe(0);
  });
});
