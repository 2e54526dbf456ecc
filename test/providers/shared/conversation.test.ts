import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import { argumentsObject, toTurns } from '../../../src/providers/shared/conversation.ts';

const user = (text: string): ModelMessage => ({ role: 'user', text });
const assistant = (text: string, ...ids: string[]): ModelMessage => ({
  role: 'assistant',
  text,
  calls: ids.map((call_id) => ({ call_id, tool: 'fs.read', arguments: '{}' })),
});
const results = (...ids: string[]): ModelMessage => ({
  role: 'tool',
  results: ids.map((call_id) => ({ call_id, ok: true, content: `result of ${call_id}` })),
});

const missing = (call_id: string) => ({ call_id, ok: false, content: expect.stringContaining('no result') as unknown });
const found = (call_id: string) => ({ call_id, ok: true, content: `result of ${call_id}` });

describe('toTurns', () => {
  test('keeps a complete history as it is', () => {
    expect(toTurns([user('a'), assistant('b', '1', '2'), results('1', '2'), assistant('c')])).toEqual([
      { role: 'user', results: [], texts: ['a'], images: [] },
      { role: 'assistant', text: 'b', calls: [expect.anything(), expect.anything()] },
      { role: 'user', results: [found('1'), found('2')], texts: [], images: [] },
      { role: 'assistant', text: 'c', calls: [] },
    ]);
  });

  test.each([
    [
      'results in another order are put in order',
      [assistant('', '1', '2'), results('2'), results('1')],
      [found('1'), found('2')],
    ],
    ['a missing result is made up', [assistant('', '1', '2'), results('2')], [missing('1'), found('2')]],
    ['missing results at the end are made up', [assistant('', '1')], [missing('1')]],
    ['an interruption by the user', [assistant('', '1'), user('stop')], [missing('1')]],
    ['a result of nothing is dropped', [assistant('', '1'), results('1', '9')], [found('1')]],
  ])('%s', (_what, messages, expected) => {
    expect(toTurns(messages).at(-1)).toMatchObject({ role: 'user', results: expected });
  });

  test('results of an earlier turn do not answer a later one', () => {
    const turns = toTurns([assistant('', '1'), results('1'), assistant('', '1'), user('x')]);
    expect(turns.at(-1)).toMatchObject({ results: [missing('1')] });
  });

  test('neighbours of one role become one turn, and empty ones none', () => {
    expect(
      toTurns([user('a'), user(' '), user('b'), assistant('c'), assistant(''), assistant('d', '1'), results('1')]),
    ).toEqual([
      { role: 'user', results: [], texts: ['a', 'b'], images: [] },
      { role: 'assistant', text: 'c\n\nd', calls: [expect.objectContaining({ call_id: '1' })] },
      { role: 'user', results: [found('1')], texts: [], images: [] },
    ]);
  });

  test('roles alternate and every call is answered once, whatever the history', () => {
    const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3'), { maxLength: 3 });
    const message = fc.oneof(
      fc.constantFrom('', 'text').map(user),
      fc.tuple(fc.constantFrom('', 'text'), ids).map(([text, calls]) => assistant(text, ...calls)),
      ids.map((list) => results(...list)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const turns = toTurns(messages);
        turns.forEach((turn, index) => {
          const next = turns[index + 1];
          expect(next?.role).not.toBe(turn.role);
          if (turn.role === 'user') return;
          const answered = next?.role === 'user' ? next.results.map(({ call_id }) => call_id) : [];
          expect(answered).toEqual(turn.calls.map(({ call_id }) => call_id));
        });
      }),
    );
  });
});

describe('argumentsObject', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":', {}],
    ['', {}],
    ['null', {}],
    ['[1]', {}],
    ['"text"', {}],
    ['3', {}],
  ])('%s becomes %j', (text, expected) => {
    expect(argumentsObject(text)).toEqual(expected);
  });
});
