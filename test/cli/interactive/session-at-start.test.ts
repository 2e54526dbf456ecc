import { expect, it } from 'vitest';
import { sessionAtStart } from '../../../src/cli/interactive/session-at-start.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from '../../platform/sqlite/database-fixture.ts';

const OPTIONS = { model: 'anthropic/claude', mode: 'strict' } as const;
const STORED = { model: 'replay/stored', mode: 'explore' };

function storedProject() {
  const fixture = databaseFixture();
  const { database } = fixture.open();
  const snapshot = sessionSnapshot();
  new SqliteSessionStore(database, fixture.clock).insert(
    sessionRow({ id: 's_a', mode: 'explore' }),
    sessionSnapshot({ options: { ...snapshot.options, model: 'replay/stored' } }),
  );
  return { dirs: { database: fixture.path } } as unknown as Parameters<typeof sessionAtStart>[1];
}

it.each([
  ['of a new session are those of the options', null, undefined, false, OPTIONS],
  ['of a resumed session are its own', { session: 's_a', fork: false }, undefined, false, STORED],
  ['of the newest session are its own', { session: 'latest', fork: false }, undefined, false, STORED],
  [
    'of a fork: the model of the session',
    { session: 's_a', fork: true },
    undefined,
    false,
    { ...STORED, mode: 'strict' },
  ],
  ['are those that the person chose', { session: 's_a', fork: false }, 'strict' as const, true, OPTIONS],
  [
    'are unknown while the person chooses a session',
    { session: null, fork: false },
    undefined,
    false,
    { ...OPTIONS, model: '' },
  ],
])('model and mode %s', (_, resume, mode, isModelChosen, expected) => {
  expect(sessionAtStart({ resume, mode }, storedProject(), OPTIONS, isModelChosen)).toEqual(expected);
});
