import { expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { startNotices } from '../../../src/kernel/start/start-notices.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

const RECOVERY = { why: 'its file is gone or empty', auditEntries: 7, sessions: 2 };
const UNSIGNED = 'the log has 7 records, 90 were signed';

it.each([
  [{ recovery: null, unsigned: null }, []],
  [{ recovery: RECOVERY, unsigned: null }, ['database_restored']],
  [{ recovery: RECOVERY, unsigned: UNSIGNED }, ['database_restored', 'audit_log_unsigned']],
])('a start that found %j is followed by %j', (findings, codes) => {
  expect(startNotices(findings).map(({ code }) => code)).toEqual(codes);
});

it('whoever takes a session up sees what the start found, with what was saved and what is lost', () => {
  const { services, store } = testKernel();
  const notices = startNotices({ recovery: RECOVERY, unsigned: UNSIGNED });
  const manager = new SessionManager(services, store, () => undefined, notices);
  manager.announce(manager.get(SESSION_ID));
  expect(store.events(SESSION_ID, 0)).toMatchObject([
    { type: 'session.started' },
    { code: 'database_restored', why: `${RECOVERY.why}; 2 sessions and 7 audit records could be saved` },
    { code: 'audit_log_unsigned', why: UNSIGNED },
  ]);
});
