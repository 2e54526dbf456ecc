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

it('a run whose end cannot be saved says so once, with the reason', () => {
  const { session } = testKernel({});
  const shown: FluffyEvent[] = [];
  session.subscribe((event) => shown.push(event));
  const what = 'The session could not be saved';
  session.showLost(
    new FluffyError({ code: 'session_write_failed', what, why: 'the disk is full', fix: '', exitCode: 1 }),
  );
  session.showLost(new Error('a bug'));
  expect(shown.map((event) => (event.type === 'session.finished' ? event.summary : event.type))).toEqual([
    'The session could not be saved: the disk is full. Free disk space or fix permissions, then fluffy --continue',
    'The session could not be saved: Error: a bug. Free disk space or fix permissions, then fluffy --continue',
  ]);
});
