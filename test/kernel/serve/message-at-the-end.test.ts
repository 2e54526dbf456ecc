import { expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

it.each(['session.finished', 'state.changed'] as const)(
  'a message that is sent at the last %s of a run, when its answer is complete, begins the next one',
  async (moment) => {
    const kernel = testKernel({ state: 'idle' });
    kernel.sandboxes.turns.push(modelAnswer('One.'), modelAnswer('Two.'));
    kernel.session.save();
    const manager = new SessionManager(kernel.services, kernel.store, (error) => {
      throw error;
    });
    const ends: string[] = [];
    let sent = false;
    await new Promise<void>((resolve) => {
      manager.get(SESSION_ID).subscribe((event) => {
        if (event.type === 'session.finished' && ends.push(event.summary) === 2) resolve();
        const isIdle = event.type !== 'state.changed' || event.to === 'idle';
        if (event.type !== moment || !isIdle || sent) return;
        sent = true;
        void manager.message({ session_id: SESSION_ID, text: 'And now?' });
      });
      void manager.message({ session_id: SESSION_ID, text: 'What is this?' });
    });
    expect(ends).toEqual(['One.', 'Two.']);
  },
);
