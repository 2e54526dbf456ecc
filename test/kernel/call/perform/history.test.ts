import { expect, it } from 'vitest';
import { sessionHistory } from '../../../../src/kernel/call/perform/history.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

/** A conversation whose newest hundred messages have the words of its form in every one, and the wanted text in none. */
function longConversation() {
  const { session } = testKernel();
  session.push({ role: 'user', text: 'The role of the path is written in content.' });
  for (let index = 0; index < 50; index += 1) {
    const call = { call_id: `c${index}`, tool: 'fs.write', arguments: '{"path":"a.js","content":"one \\"two\\""}' };
    session.push({ role: 'assistant', text: '', calls: [call] });
    session.push({ role: 'tool', results: [{ call_id: call.call_id, ok: true, content: 'done' }] });
  }
  return sessionHistory(session);
}

it.each(['role', 'path', 'content'])('%j is found where somebody said it, not as a name of a field', (query) => {
  expect(longConversation().search(query, 20)).toEqual([
    { reference: 'm0', what: 'user', excerpt: 'The role of the path is written in content.' },
  ]);
});

it('what a call was given is found as it was meant, no more than wanted', () => {
  const history = longConversation();
  expect(history.search('one "two"', 3)).toMatchObject([
    { reference: 'm99', what: 'call fs.write', excerpt: 'a.js one "two"' },
    { reference: 'm97' },
    { reference: 'm95' },
  ]);
  expect(history.read('m99')).toContain('{"path":"a.js"');
});
