import { describe, expect, it } from 'vitest';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { pin, unpin } from '../../../src/kernel/session/pins.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

describe('a pin', () => {
  it('made while calls run is said after their results, and keeps no run from ending', async () => {
    const kernel = testKernel({ state: 'planning', files: { 'a.js': 'a' } });
    let requests = 0;
    kernel.sandboxes.chat = (_request, onEvent) => {
      requests += 1;
      const answer =
        requests === 1
          ? modelAnswer('Reading.', [{ tool: 'fs.read', input: { path: 'a.js' } }])
          : modelAnswer('That was all.');
      for (const event of answer) onEvent(event);
      if (requests === 2) unpin(kernel.session, '1');
      return Promise.resolve();
    };
    kernel.session.subscribe(({ type }) => {
      if (type === 'tool.started') pin(kernel.session, 'Never use classes.');
    });
    addUserMessage(kernel.session, { text: 'Look at a.js.' });
    await runSession(kernel.services, kernel.session, new AbortController().signal);
    const said = kernel.session.messages.map((message) =>
      message.role === 'user' ? message.text.replace(/^<(environment|session_state)>.*/s, '$1') : message.role,
    );
    expect(said).toEqual([
      'Look at a.js.',
      'environment',
      'session_state',
      'assistant',
      'tool',
      'The user has pinned this: Never use classes.',
      'assistant',
      'The user has taken this pin off: Never use classes.',
    ]);
    expect(requests).toBe(2);
    expect(kernel.eventsOf('session.finished')).toMatchObject([{ status: 'done' }]);
    expect(kernel.eventsOf('notice')).toEqual([]);
  });

  it('is refused beyond the fiftieth, and none is lost', () => {
    const { session } = testKernel();
    const texts = Array.from({ length: 50 }, (_, index) => `Rule ${index}`);
    for (const text of texts) pin(session, text);
    expect(() => pin(session, 'One more')).toThrow(expect.objectContaining({ code: 'usage' }) as Error);
    expect(pin(session, 'Rule 0')).toEqual(texts);
    unpin(session, '1');
    expect(pin(session, 'One more')).toEqual([...texts.slice(1), 'One more']);
  });

  it('made while nothing runs is part of the conversation at once', () => {
    const { session } = testKernel();
    expect(pin(session, 'Two spaces.')).toEqual(['Two spaces.']);
    expect(session.messages).toEqual([
      { role: 'user', text: 'The user has pinned this: Two spaces.', author: 'kernel' },
    ]);
  });
});
