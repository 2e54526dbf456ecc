import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/kernel/run/end-run.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { queueUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { answerReviews, SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernel } from '../../support/kernel/test-kernel.ts';
import { settle } from '../../support/standing-clock.ts';

function managerOf({ services, session, store }: TestKernel): SessionManager {
  session.save();
  return new SessionManager(services, store, (error) => {
    throw error;
  });
}

async function idle(manager: SessionManager): Promise<void> {
  await settle();
  while (manager.activeRuns > 0) await settle();
}

it.each(['session.finished', 'state.changed'] as const)(
  'a message that is sent at the last %s of a run, when its answer is complete, begins the next one',
  async (moment) => {
    const kernel = testKernel({ state: 'idle' });
    kernel.sandboxes.turns.push(modelAnswer('One.'), modelAnswer('Two.'));
    const manager = managerOf(kernel);
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

describe('what is said while the change is merged', () => {
  /** The model asks for the commit, a person approves, and says something while the commit is made. */
  async function scene(meanwhile: (manager: SessionManager) => void = () => undefined) {
    const kernel = testKernel({
      state: 'reviewing',
      mode: 'explore',
      files: { 'a.js': '1' },
      staged: { 'a.js': '2' },
      commits: {
        prepare: () => Promise.resolve({ kind: 'prepared', message: 'Change a', diff: '+2\n', findings: [] }),
        merge: async () => {
          for (const text of ['Now rename it.', 'And be brief.'])
            await manager.message({ session_id: SESSION_ID, text, message_id: text });
          meanwhile(manager);
          return { kind: 'committed', commit: 'c'.repeat(40) };
        },
      },
    });
    const staging_digest = await kernel.workspace.stagingDigest();
    kernel.session.update({
      base: { branch: 'main', head: '0'.repeat(40) },
      green: { run_id: 't_1', at_ms: 1, staging_digest, passed: 1, skipped: 0, failed: [] },
    });
    kernel.sandboxes.turns.push(
      modelAnswer('', [{ tool: 'git.commit', input: { message: 'Change a' } }]),
      modelAnswer('Renamed.'),
    );
    const manager = managerOf(kernel);
    answerReviews(manager.get(SESSION_ID), kernel.services.humans, 'approve');
    await manager.message({ session_id: SESSION_ID, text: 'Go on.' });
    await idle(manager);
    const events = kernel.store.events(SESSION_ID, 0);
    const texts = events.flatMap((event) => (event.type === 'message.user' ? [event.text] : []));
    const ends = events.flatMap((event) => (event.type === 'session.finished' ? [event.status] : []));
    const isToldLate = events.some((event) => event.type === 'notice' && event.code === 'message_not_read');
    return { kernel, manager, texts, ends, isToldLate };
  }

  it('is the task of a run of its own, with all that was said', async () => {
    const { kernel, manager, texts, ends, isToldLate } = await scene();
    expect({ texts, ends, isToldLate }).toEqual({
      texts: ['Go on.', 'Now rename it.', 'And be brief.'],
      ends: ['committed', 'done'],
      isToldLate: false,
    });
    expect(JSON.stringify(kernel.sandboxes.requests.at(-1))).toMatch(/Now rename it\..*And be brief\./);
    expect(manager.get(SESSION_ID).snapshot).toMatchObject({ task: 'Now rename it.', queued: [], running: false });
  });

  it('begins none while the kernel closes, and the next kernel begins it', async () => {
    let closed: Promise<void> | undefined;
    const { kernel, ends } = await scene((manager) => {
      closed = manager.close();
    });
    await closed;
    expect(ends).toHaveLength(1);
    const next = new SessionManager(kernel.services, kernel.store, () => undefined);
    next.continueIfCut(SESSION_ID);
    await idle(next);
    const all = kernel.store.events(SESSION_ID, 0).filter(({ type }) => type === 'session.finished');
    expect(all).toHaveLength(2);
    expect(JSON.stringify(kernel.sandboxes.requests.at(-1))).toContain('Now rename it.');
  });

  it('is kept and told of where somebody waits for one run only', () => {
    const kernel = testKernel({ options: { interactive: false } });
    queueUserMessage(kernel.session, { text: 'One more thing' });
    finish(kernel.services, kernel.session, { kind: 'committed', commit: 'c'.repeat(40), subject: 'Change a' });
    expect(kernel.eventsOf('notice').map(({ code }) => code)).toEqual(['message_not_read']);
    expect(kernel.session.messages.at(-1)).toMatchObject({ role: 'user', text: 'One more thing' });
  });
});
