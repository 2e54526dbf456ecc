import { join } from 'node:path';
import type { Baseline } from '../../../src/contracts/session/session-facts.ts';
import { Session } from '../../../src/kernel/session/session.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import type { KernelDatabase } from '../../../src/platform/sqlite/kernel-database.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

const MANY = 30_000;

export const sessionEvent: Benchmark = {
  name: 'session event',
  what: `One event of a session, on disk before it is shown: in a session that knows no test case, and in one whose baseline has ${MANY.toLocaleString('en')} cases (about 3 MB of JSON). Both on the disk of the state directory.`,
  dominates:
    'The disk: each event waits for one sync. What the session knows of its tests has a row of its own, which an event does not write.',
  async measure({ directory }) {
    const { database } = openDatabase({
      path: join(directory, 'fluffy.db'),
      backups: join(directory, 'backups'),
      clock: systemClock,
    });
    try {
      const none = openSession(database, 's_none', 0);
      const many = openSession(database, 's_many', MANY);
      const timed = await interleave(
        [
          { name: 'no known case', once: () => emit(none) },
          { name: `${MANY.toLocaleString('en')} known cases`, once: () => emit(many) },
        ],
        { warmUp: 20, atMost: 1_000, atLeast: 100, budgetMs: 8_000 },
      );
      const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      const [small, large] = rows;
      if (small === undefined || large === undefined) throw new Error('nothing was timed');
      return {
        tables: [{ title: 'one event', unit: 'ms', rows }],
        verdicts: [
          {
            what: 'an event of a session with 30,000 known test cases to one with none',
            value: large.summary.p50 / small.summary.p50,
            unit: '',
            aim: { kind: 'at most', value: 1.2 },
          },
        ],
      };
    } finally {
      database.close();
    }
  },
};

function emit(session: Session): void {
  session.emit({ type: 'notice', level: 'info', what: 'w', why: 'y', fix: 'f', code: 'undone' });
}

function openSession(database: KernelDatabase, id: string, cases: number): Session {
  const snapshot = newSnapshot(
    {
      mode: 'strict',
      model: 'replay/none',
      approve: 'never',
      limits: {},
      cwd: '',
      test_command: null,
      author: { name: 'Benchmark', email: 'benchmark@example.invalid' },
      interactive: false,
    },
    systemClock.nowMs(),
  );
  const row = {
    id,
    title: '',
    created_ms: systemClock.nowMs(),
    updated_ms: systemClock.nowMs(),
    state: 'planning',
    mode: 'strict',
    status: 'active',
    commits: [],
  } as const;
  const store = new SqliteSessionStore(database, systemClock);
  store.insert(row, snapshot);
  const session = new Session({ row, snapshot, messages: [], lastSeq: 0, store, clock: systemClock });
  session.update({ baseline: baselineOf(cases) });
  session.save();
  return session;
}

function baselineOf(cases: number): Baseline {
  const passed = Array.from(
    { length: cases },
    (_, index) =>
      `test/some/folder/module-${index % 500}.test.ts\0a suite of tests › does what it promises, case ${index}`,
  );
  return { kind: 'known', passed, failed: [], broken_files: [] };
}
