import { expect, it } from 'vitest';
import {
  LEFT_ALONE_MS,
  isLeftAlone,
  leaveAlone,
  modelInUse,
  standIn,
} from '../../../src/kernel/session/model-in-use.ts';
import { Session } from '../../../src/kernel/session/session.ts';
import { MemorySessionStore } from '../../support/kernel/memory-session-store.ts';
import { sessionRow, sessionSnapshot } from '../../platform/sqlite/session-row.ts';

const NOW_MS = 10 * LEFT_ALONE_MS;

function scene() {
  const store = new MemorySessionStore();
  store.insert(sessionRow(), sessionSnapshot());
  const session = new Session({
    row: sessionRow(),
    snapshot: sessionSnapshot(),
    messages: [],
    lastSeq: 0,
    store,
    clock: { nowMs: () => NOW_MS, monotonicMs: () => 0, sleep: () => Promise.resolve() },
  });
  const changes: unknown[] = [];
  session.subscribe((event) => changes.push(event));
  return { session, changes };
}

it.each<[string, string, number, boolean]>([
  ['that failed now', 'vendor/a', NOW_MS, true],
  ['that failed a short time ago', 'vendor/a', NOW_MS + LEFT_ALONE_MS - 1, true],
  ['that failed long ago', 'vendor/a', NOW_MS + LEFT_ALONE_MS, false],
  ['that failed in the future, by a clock that was set back', 'vendor/a', NOW_MS - 1, false],
  ['beside one that failed', 'vendor/b', NOW_MS, false],
])('a model %s', (_, model, nowMs, expected) => {
  const { session } = scene();
  leaveAlone(session, 'vendor/a', NOW_MS);
  expect(isLeftAlone(session, model, nowMs)).toBe(expected);
});

it('a stand-in is reported when it begins and ends, and not when there was none', () => {
  const { session, changes } = scene();
  const { model: chosen } = modelInUse(session);
  standIn(session, null);
  standIn(session, { ...session.snapshot.options, model: 'vendor/b' });
  expect(modelInUse(session).model).toBe('vendor/b');
  standIn(session, null);
  expect(changes).toMatchObject([
    { type: 'model.changed', from: chosen, to: 'vendor/b', by: 'fallback' },
    { type: 'model.changed', from: 'vendor/b', to: chosen, by: 'fallback' },
  ]);
});
