import { afterEach, expect, test, vi } from 'vitest';
import { EventLines } from '../../../src/providers/shared/event-lines.ts';

afterEach(() => vi.restoreAllMocks());

test('an event of many lines is read as one, and its data is parsed a few times only', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const lines = ['{"a": [', ...Array.from({ length: 200 }, () => '{"b": 1},'), '{"b": 2}]}'];
  const events = new EventLines().take(`${lines.map((line) => `data: ${line}\n`).join('')}\n`);
  expect(parse.mock.calls.length).toBeLessThan(10);
  expect(events).toEqual([{ name: null, data: lines.join(' ') }]);
});

test('each event without an empty line after it is checked anew', () => {
  const text = Array.from({ length: 30 }, (_, index) => `event: e\ndata: {"n": ${index}}\n`).join('');
  const lines = new EventLines();
  expect([...lines.take(text), ...lines.end()]).toHaveLength(30);
});
