import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../../../src/contracts/model/model.ts';
import { Reply } from '../../../../src/kernel/run/model/reply.ts';

const start = (index: number, call_id = `c${index}`, tool = 'fs.read'): ModelEvent => ({
  type: 'call_start',
  index,
  call_id,
  tool,
});
const delta = (index: number, arguments_delta: string): ModelEvent => ({ type: 'call_delta', index, arguments_delta });
const text = (of: string): ModelEvent => ({ type: 'text_delta', text: of });

function replyOf(...events: readonly ModelEvent[]): Reply {
  const reply = new Reply();
  for (const event of events) reply.take(event);
  return reply;
}

const AGAIN: ModelEvent = { type: 'restart', attempt: 2, after_ms: 1, code: 'overloaded', message: 'later' };
const KIB = 1024;
const LIMITS: readonly (readonly [string, readonly ModelEvent[], ModelEvent])[] = [
  ['524288 characters of text', [text('x'.repeat(512 * KIB))], text('y')],
  ['8388608 characters of arguments', [start(0), delta(0, 'x'.repeat(8 * KIB * KIB))], delta(0, 'y')],
  ['256 calls', Array.from({ length: 256 }, (_, index) => start(index)), start(256)],
];

describe('an answer', () => {
  test.each(LIMITS)('ends when it has more than %s', (limit, most, more) => {
    const reply = replyOf(...most);
    expect(reply.failure).toBeNull();
    expect(reply.take(more)).toBe(false);
    const message = `the answer has more than ${limit}, which is beyond its token limit`;
    expect(reply.failure).toEqual({ code: 'protocol', message });
    expect(reply.take(text('after'))).toBe(false);
    expect(reply.text).not.toContain('after');
  });

  test.each(LIMITS)('that is sent again may have %s again', (_limit, most) => {
    const reply = replyOf(...most, { type: 'thought_delta', text: 'old' }, AGAIN, ...most);
    expect([reply.failure, reply.takeThought()]).toEqual([null, '']);
  });

  test.each([
    ['refusal', 'refusal'],
    ['max_tokens', 'cut-off'],
    ['end_turn', 'end'],
    ['tool_calls', 'end'],
  ] as const)('that stops by %s ended as %s', (stop, ended) => {
    expect(replyOf({ type: 'done', stop }).stop).toBe(ended);
  });

  test('that failed takes nothing more', () => {
    const reply = replyOf(text('a'), { type: 'failed', code: 'overloaded', message: 'later' } as ModelEvent, text('b'));
    expect([reply.text, reply.failure?.message]).toEqual(['a', 'later']);
  });

  test('keeps so much of its thought, once', () => {
    const reply = replyOf(
      { type: 'thought_delta', text: 'x'.repeat(60 * KIB) },
      { type: 'thought_delta', text: 'y'.repeat(60 * KIB) },
    );
    expect([reply.takeThought().length, reply.takeThought()]).toEqual([64 * KIB, '']);
  });
});

describe('its calls', () => {
  test('come in their order, with their arguments in one piece; arguments of none are dropped', () => {
    const reply = replyOf(start(1), start(0), delta(0, '{"a"'), delta(1, '{}'), delta(0, ':1}'), delta(7, 'lost'));
    expect(reply.calls()).toEqual([
      { call_id: 'c0', tool: 'fs.read', arguments: '{"a":1}' },
      { call_id: 'c1', tool: 'fs.read', arguments: '{}' },
    ]);
  });

  test('have each an id of its own, and a name that can be shown', () => {
    const reply = replyOf(
      start(0, 'a'),
      start(1, 'a'),
      start(2, ''),
      start(3, 'call_1'),
      start(4, 'b', '\x1b]0;owned\x07'),
      start(5, 'c', 'default_api:fs_read'),
      start(6, 'd', 'tools/fs.read'),
      start(7, 'e', 'a:/b'),
    );
    expect(reply.calls().map(({ call_id, tool }) => [call_id, tool])).toEqual([
      ['a', 'fs.read'],
      ['call_1', 'fs.read'],
      ['call_2', 'fs.read'],
      ['call_3', 'fs.read'],
      ['b', 'unusable_name'],
      ['c', 'fs_read'],
      ['d', 'fs.read'],
      ['e', 'unusable_name'],
    ]);
  });

  test('have an id that none before has', () => {
    const reply = replyOf(start(0, 'call_1'), start(1, ' '));
    expect(reply.calls().map(({ call_id }) => call_id)).toEqual(['call_1', 'call_1_']);
  });
});
