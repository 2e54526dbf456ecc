import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { ProjectDirs, UserDirs } from '../../../src/contracts/host-layout.ts';
import { readSigned } from '../../../src/cli/audit/read-signed.ts';
import { formatVerdict } from '../../../src/cli/audit/format-verdict.ts';
import { resetAudit } from '../../../src/cli/audit/reset-audit.ts';
import { verifyAudit } from '../../../src/cli/audit/verify-audit.ts';
import { anchorHead, anchorKey } from '../../../src/host/signer/index.ts';
import { HostChain } from '../../../src/cli/supervisor/host/host-chain.ts';
import { archiveRecords, listArchives } from '../../../src/platform/sqlite/audit-archive.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { databaseFixture } from '../../platform/sqlite/database-fixture.ts';

const PHRASE = 'reset the audit log';

/** A log of ten records whose tenth is signed. */
async function scene() {
  const fixture = databaseFixture();
  const user = { keys: join(fixture.directory, 'keys'), trust: join(fixture.directory, 'trust') } as UserDirs;
  const host = join(fixture.directory, 'host');
  mkdirSync(host);
  const dirs: ProjectDirs = {
    id: 'p1',
    root: '/project',
    host,
    kernel: dirname(fixture.path),
    database: fixture.path,
    archives: join(fixture.directory, 'archives'),
    anchors: join(host, 'anchors.jsonl'),
  };
  const append = (count: number) => {
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    for (let index = 0; index < count; index += 1) log.append(auditInput());
    const { entries, hash } = log.head();
    database.close();
    return { entries, head: hash };
  };
  const sign = async (head: { entries: number; head: string }) => anchorHead(dirs, head, await anchorKey(user), 1);
  const verify = () =>
    verifyAudit({ databasePath: fixture.path, archives: dirs.archives, readAnchors: () => readSigned(user, dirs) });
  const reset = (answer: string | null = PHRASE) =>
    resetAudit(user, dirs, { nowMs: 5, passphrase: null, ask: () => Promise.resolve(answer) });
  await sign(append(10));
  return { fixture, user, dirs, append, sign, verify, reset };
}

const codeOf = (error: unknown) => (error instanceof FluffyError ? error.code : error);

it('goes on after a count that was signed for nothing, and still says what the old heads are worth', async () => {
  const { append, sign, verify, reset } = await scene();
  await sign({ entries: 1_000_000, head: 'f'.repeat(64) });
  const later = append(3);
  expect(await sign(later)).toMatchObject({ kind: 'refused' });
  expect(await verify()).toMatchObject({ intact: false, epoch: 1 });
  expect(await reset()).toMatchObject({ epoch: 2, entries: 13 });
  expect(await verify()).toMatchObject({ intact: true, epoch: 2, entries: 13, earlier: [{ epoch: 1, intact: false }] });
  expect(await sign(append(2))).toMatchObject({ kind: 'anchored', anchor: { epoch: 2, entries: 15 } });
  const verdict = await verify();
  expect(verdict).toMatchObject({
    intact: true,
    anchored_through: 15,
    earlier: [{ anchored_through: 10, trustworthy_through: 10, entries: 13 }],
  });
  expect(formatVerdict(verdict)).toMatch(/^Epoch 1, closed by a reset: broken at record 14 .*\nAudit log intact/);
});

it('closes an epoch that is broken in the middle, and goes on behind it', async () => {
  const { fixture, append, sign, verify, reset } = await scene();
  append(10);
  fixture.edit("UPDATE audit SET body = replace(body, 'src/a.js', 'src/X.js') WHERE id = 12");
  await reset();
  await sign(append(1));
  expect(await verify()).toMatchObject({
    intact: true,
    entries: 21,
    earlier: [{ intact: false, first_bad: { id: 12 }, trustworthy_through: 11 }],
  });
  fixture.edit("UPDATE audit SET body = replace(body, 'src/a.js', 'src/X.js') WHERE id = 21");
  expect(await verify()).toMatchObject({ intact: false, first_bad: { id: 21 } });
});

it('begins with the first record where the database is lost, which the host then follows', async () => {
  const { fixture, user, dirs, append, verify, reset } = await scene();
  rmSync(fixture.path);
  expect(await verify()).toMatchObject({ intact: false, trustworthy_through: 0 });
  await reset();
  append(2);
  expect(await new HostChain(user, dirs).position()).toEqual({ entries: 0, head: null });
  expect(await verify()).toMatchObject({ intact: true, entries: 2, earlier: [{ intact: false }] });
});

it('does not take the archives of a lost database for the beginning of the new log', async () => {
  const { fixture, dirs, append, verify, reset } = await scene();
  const { database } = fixture.open();
  await archiveRecords(database, dirs.archives, 8);
  database.close();
  rmSync(fixture.path);
  fixture.clock.now += 1;
  await reset();
  append(20);
  expect(await verify()).toMatchObject({ intact: true, entries: 20 });
  expect(listArchives(`${dirs.archives}-before-5`)).toMatchObject([{ from: 1, through: 8 }]);
});

it.each<[string, (found: Awaited<ReturnType<typeof scene>>) => void, string | null, string]>([
  ['an intact log', () => undefined, PHRASE, 'nothing_to_reset'],
  ['another answer', ({ dirs }) => appendFileSync(dirs.anchors, 'x\n'), 'yes', 'not_confirmed'],
  ['no terminal', ({ dirs }) => appendFileSync(dirs.anchors, 'x\n'), null, 'not_confirmed'],
  [
    'a database that is to be restored',
    ({ dirs }) => writeFileSync(dirs.database, 'x'.repeat(4096)),
    PHRASE,
    'database_unreadable',
  ],
  [
    'a database that is gone and has a backup',
    ({ dirs }) => {
      rmSync(dirs.database);
      mkdirSync(join(dirs.kernel, 'backups'));
      writeFileSync(join(dirs.kernel, 'backups/fluffy-20260101000000.db'), '');
    },
    PHRASE,
    'database_unreadable',
  ],
  [
    'a last record that cannot be read',
    ({ dirs, fixture }) => {
      appendFileSync(dirs.anchors, 'x\n');
      fixture.edit("UPDATE audit SET hash = 'none' WHERE id = 10");
    },
    PHRASE,
    'database_unreadable',
  ],
])('changes nothing for %s', async (_what, spoil, answer, code) => {
  const found = await scene();
  spoil(found);
  const before = readFileSync(found.dirs.anchors);
  expect(await found.reset(answer).then(() => null, codeOf)).toBe(code);
  expect(readFileSync(found.dirs.anchors)).toEqual(before);
});

it('asks for no approval key before a person has agreed', async () => {
  const { user, dirs, reset } = await scene();
  appendFileSync(dirs.anchors, 'x\n');
  await reset('no').catch(() => undefined);
  expect(existsSync(join(user.trust, 'approval.key'))).toBe(false);
});
