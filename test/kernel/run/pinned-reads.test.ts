import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../../src/contracts/model/model.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { pin } from '../../../src/kernel/session/pins.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const read = (id: string, content: string, ok = true): ModelMessage[] => [
  {
    role: 'assistant',
    text: '',
    calls: [{ call_id: id, tool: 'fs.read', arguments: JSON.stringify({ path: `lib/${id}.js` }) }],
  },
  { role: 'tool', results: [{ call_id: id, ok, content }] },
];

/** The last request after as many compactions. */
async function compacted(times: number): Promise<string> {
  const { services, session, sandboxes } = testKernel({ state: 'planning', options: { window_tokens: 100_000 } });
  const sent: ModelRequest[] = [];
  sandboxes.chat = (request, onEvent) => {
    sent.push(request);
    for (const event of modelAnswer(request.tools.length === 0 ? '## Goal' : 'Done.')) onEvent(event);
    return Promise.resolve();
  };
  pin(session, 'lib/pinned.js');
  pin(session, 'Never touch the "API".');
  for (const message of [...read('pinned', 'AN-OLDER-READ'), ...read('pinned', 'THE-LAST-READ')]) session.push(message);
  for (const message of read('pinned', 'A-FAILED-READ', false)) session.push(message);
  for (const message of read('other', 'ANOTHER-FILE')) session.push(message);
  for (let time = 0; time < times; time += 1) {
    addUserMessage(session, { text: 'Go on.' });
    for (const message of read('more', 'more '.repeat(2_000))) session.push(message);
    session.update({ compact: { keep: '' } });
    session.save();
    await runSession(services, session, new AbortController().signal);
  }
  return JSON.stringify(sent.at(-1)?.messages);
}

describe('what was read of a pinned path', () => {
  it.each([1, 2, 3])('is in the request after %i compactions, in its newest form', async (times) => {
    const text = await compacted(times);
    expect(text).toMatch(/lib\/pinned\.js, as it was read \(m\d+\.0\):\\nTHE-LAST-READ/);
    expect(text).not.toMatch(/AN-OLDER-READ|A-FAILED-READ|ANOTHER-FILE/);
    expect(text).toContain('Never touch the \\"API\\".');
  });
});
