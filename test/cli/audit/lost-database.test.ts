import { rmSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anchorHead, anchorKey } from '../../../src/host/signer/index.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { sessionRow, sessionSnapshot } from '../../platform/sqlite/session-row.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { ErrorBench } from '../errors/bench.ts';

let bench: ErrorBench;
beforeEach(() => void (bench = new ErrorBench()));
afterEach(() => bench.close());

/** A kernel that was started on what is left of the database. */
const nothingWaits = (() =>
  Promise.resolve({ client: { request: () => Promise.resolve({ review: null }) }, close: () => undefined })) as never;

/** A project with one record, which the host has signed, and with one session if it is said. */
async function signedProject(sessions: 'session' | 'no session') {
  const made = bench.project();
  const dirs = bench.dirsOf(made);
  const backups = join(dirname(dirs.database), 'backups');
  const { database } = openDatabase({ path: dirs.database, backups, clock: systemClock });
  const log = new SqliteAuditLog(database, systemClock);
  log.append(auditInput());
  if (sessions === 'session') new SqliteSessionStore(database, systemClock).insert(sessionRow(), sessionSnapshot());
  const { entries, hash } = log.head();
  database.close();
  await anchorHead(dirs, { entries, head: hash }, await anchorKey(bench.user), 1);
  return { root: made.root, database: dirs.database };
}

describe.each<[string, (path: string) => void]>([
  ['removed', (path) => rmSync(path)],
  ['emptied', (path) => truncateSync(path, 0)],
])('a database that was %s is not taken for that of a new project', (_, lose) => {
  it.each([
    ['session list'],
    ['session list --json'],
    ['session show'],
    ['session export'],
    ['session undo'],
    ['session redo'],
    ['session rename s_aaaaaaaa title'],
    ['session archive s_aaaaaaaa'],
    ['session rm s_aaaaaaaa'],
    ['audit log'],
  ])('by fluffy %s', async (line) => {
    const { root, database } = await signedProject('session');
    lose(database);
    const { code, stdout, stderr } = await bench.cli([...line.split(' '), '--project', root]);
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
    expect(stderr).toContain('is lost or damaged');
    expect(stderr).toContain(database);
  });

  it.each([['review'], ['review --json'], ['review --approve'], ['review --reject no'], ['review --add-tests']])(
    'by fluffy %s, where a kernel has nothing that waits',
    async (line) => {
      const { root, database } = await signedProject('session');
      lose(database);
      const { code, stdout, stderr } = await bench.cli([...line.split(' '), '--project', root], {}, nothingWaits);
      expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
      expect(stderr).toContain('is lost or damaged');
    },
  );
});

it('is no error of the database that nothing waits in a project with a whole log', async () => {
  const { root } = await signedProject('session');
  const { code, stderr } = await bench.cli(['review', '--approve', '--project', root], {}, nothingWaits);
  expect(code).not.toBe(10);
  expect(stderr).toContain('No review is waiting');
});

it('is no error that a project with a whole log has no session', async () => {
  const { root } = await signedProject('no session');
  expect(await bench.cli(['session', 'list', '--project', root])).toMatchObject({
    code: 0,
    stdout: 'No sessions yet.\n',
  });
});

it('is no error that a new project has neither sessions nor a log', async () => {
  const { root } = bench.project();
  expect(await bench.cli(['session', 'list', '--project', root])).toMatchObject({
    code: 0,
    stdout: 'No sessions yet.\n',
  });
  expect(await bench.cli(['audit', 'log', '--project', root])).toMatchObject({ code: 0, stdout: '' });
});
