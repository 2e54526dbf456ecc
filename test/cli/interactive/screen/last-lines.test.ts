import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RawInput, writeLastLines } from '../../../../src/cli/interactive/screen/last-lines.ts';

/** Records what happens to the terminal, in order. */
function terminal() {
  const happened: string[] = [];
  const events = new EventEmitter();
  const input = Object.assign(events, {
    setRawMode: (on: boolean) => void happened.push(on ? 'raw' : 'cooked'),
    resume: () => events,
    pause: () => void happened.push('paused'),
  }) as unknown as RawInput;
  const write = (text: string) => happened.push(text);
  return { happened, input, write, press: () => events.emit('data', Buffer.from('\x03')) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RESTORED = '\x1b[?25h\x1b[?2004l';
const QUIET = { quietMs: 100, withinMs: 2_000 };

test('raw mode is on before the lines are ready, and lasts until no key has come for a while', async () => {
  const { happened, input, write, press } = terminal();
  const lines = Promise.withResolvers<string>();
  const done = writeLastLines(lines.promise, input, write, QUIET);
  expect(happened).toEqual(['raw']);
  lines.resolve('Go on with: this\n');
  for (let key = 0; key < 5; key++) {
    await vi.advanceTimersByTimeAsync(99);
    press();
  }
  await vi.advanceTimersByTimeAsync(99);
  expect(happened).toEqual(['raw', `${RESTORED}Go on with: this\n`]);
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(happened.slice(2)).toEqual(['paused', 'cooked']);
});

test('a key that never stops does not hold the terminal', async () => {
  const { happened, input, write, press } = terminal();
  const done = writeLastLines(Promise.resolve(''), input, write, QUIET);
  for (let key = 0; key < 40; key++) {
    press();
    await vi.advanceTimersByTimeAsync(50);
  }
  await done;
  expect(happened.at(-1)).toBe('cooked');
});
