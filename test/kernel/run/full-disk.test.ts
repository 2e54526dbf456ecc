import { expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('a run on a full disk ends before a model is asked, in a kernel that is already running too', async () => {
  const kernel = testKernel({ services: { isDiskFull: () => Promise.resolve(true) } });
  await runSession(kernel.services, kernel.session, new AbortController().signal);
  expect(kernel.eventsOf('error')).toMatchObject([{ code: 'disk_full' }]);
  expect(kernel.eventsOf('session.finished')).toMatchObject([{ status: 'failed', exit_code: 1 }]);
  expect(kernel.sandboxes.requests).toEqual([]);
});

it.each([
  [
    new FluffyError({ code: 'session_write_failed', what: 'x', why: 'the disk is full', fix: '', exitCode: 1 }),
    'the disk is full',
  ],
  [new Error('a bug'), 'Error: a bug'],
])('a run whose end cannot be saved says so, with the reason: %s', (cause, why) => {
  const { session } = testKernel({});
  const shown: FluffyEvent[] = [];
  session.subscribe((event) => shown.push(event));
  session.showLost(cause);
  const what = 'The session could not be saved';
  const fix = 'Free disk space or fix permissions, then fluffy --continue';
  expect(shown).toMatchObject([
    { type: 'error', what, why, fix, seq: 1 },
    { type: 'session.finished', summary: `${what}: ${why}. ${fix}`, exit_code: 1, seq: 2 },
  ]);
});
