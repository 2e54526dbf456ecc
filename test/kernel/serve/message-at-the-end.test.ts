import { expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

it('a message that is sent as soon as a run has ended begins the next one', async () => {
  const kernel = testKernel({ state: 'idle' });
  kernel.sandboxes.turns.push(modelAnswer('One.'), modelAnswer('Two.'));
  kernel.session.save();
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  const ends: string[] = [];
  await new Promise<void>((resolve) => {
    manager.get(SESSION_ID).subscribe((event) => {
      if (event.type !== 'session.finished') return;
      ends.push(event.summary);
      if (ends.length === 2) resolve();
      else void manager.message({ session_id: SESSION_ID, text: 'And now?' });
    });
    void manager.message({ session_id: SESSION_ID, text: 'What is this?' });
  });
  expect(ends).toEqual(['One.', 'Two.']);
});
