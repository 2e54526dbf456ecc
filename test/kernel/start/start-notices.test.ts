import { expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { lostDatabase, startNotices } from '../../../src/kernel/start/start-notices.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

const RECOVERY = { why: 'its file is missing or empty', auditEntries: 7, sessions: 2 };
const UNSIGNED = { why: 'the log has 7 records, 90 were signed', otherLog: true };

it.each([
  [{ recovery: null, unsigned: null }, []],
  [{ recovery: RECOVERY, unsigned: null }, ['database_restored']],
  [{ recovery: RECOVERY, unsigned: UNSIGNED }, ['database_restored', 'audit_log_unsigned']],
])('a start that found %j is followed by %j', (findings, codes) => {
  expect(startNotices(findings).map(({ code }) => code)).toEqual(codes);
});

it('whoever takes a session up sees what the start found, with what was saved and what is lost', () => {
  const { services, store } = testKernel({ testCommand: { runner: 'node-test', cwd: '', args: [] } });
  const notices = startNotices({ recovery: RECOVERY, unsigned: UNSIGNED });
  const manager = new SessionManager(services, store, () => undefined, notices);
  manager.announce(manager.get(SESSION_ID));
  expect(store.events(SESSION_ID, 0)).toMatchObject([
    { type: 'session.started' },
    { code: 'database_restored', why: `${RECOVERY.why}; 2 sessions and 7 audit records could be saved` },
    { code: 'audit_log_unsigned', why: UNSIGNED.why, fix: expect.stringContaining('fluffy audit reset') as string },
  ]);
});

it.each([
  ['an empty database where the host has signed another log', { unsigned: UNSIGNED, sessions: 0 }, 'database_lost'],
  ['sessions that were saved', { unsigned: UNSIGNED, sessions: 2 }, undefined],
  ['a host that gave no answer', { unsigned: { why: 'no answer', otherLog: false }, sessions: 0 }, undefined],
  ['a signed log', { unsigned: null, sessions: 0 }, undefined],
])('%s: sessions are refused only where nothing is left', async (_what, findings, code) => {
  const lost = lostDatabase(findings);
  expect(lost?.code).toBe(code);
  const { services, store, session } = testKernel();
  const manager = new SessionManager(services, store, () => undefined, [], lost);
  const started = manager.start(session.snapshot.options).then(() => undefined, codeOf);
  expect(await started).toBe(code);
});

const codeOf = (error: unknown) => (error instanceof FluffyError ? error.code : error);
