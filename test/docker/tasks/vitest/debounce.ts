import { commit, learn, plan, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from '../src/debounce';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('calls once, with the last arguments, when it has been quiet', () => {
  const called = vi.fn();
  const debounced = debounce(called, 100);
  debounced('a');
  vi.advanceTimersByTime(99);
  debounced('b');
  vi.advanceTimersByTime(99);
  expect(called).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(called.mock.calls).toEqual([['b']]);
});

test('can be called off', () => {
  const called = vi.fn();
  const debounced = debounce(called, 100);
  debounced();
  debounced.cancel();
  vi.runAllTimers();
  expect(called).not.toHaveBeenCalled();
});
`;

const SOURCE = `export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  cancel(): void;
}

/** Calls \`target\` once nobody has asked for \`quietMs\`. */
export function debounce<A extends unknown[]>(target: (...args: A) => void, quietMs: number): Debounced<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const debounced = (...args: A): void => {
    clearTimeout(timer);
    timer = setTimeout(() => target(...args), quietMs);
  };
  return Object.assign(debounced, { cancel: () => clearTimeout(timer) });
}
`;

/** Sends the lines of a file as a list, and commits before anything has passed. */
function* developer(): Developer {
  yield say('A module of its own, with fake timers in the tests.', plan('debounce with cancel', 'Tests', 'Source'));
  const lines = yield say('', {
    tool: 'fs.write',
    input: { path: 'tests/debounce.check.ts', content: TEST.split('\n') },
  });
  learn(lines.results[0], /content: Invalid input: expected string, received array/);
  yield say('As one text, then.', write('tests/debounce.check.ts', TEST), runTests());
  const early = yield say('', write('src/debounce.ts', SOURCE), commit('Add debounce'));
  learn(early.results[1], /opens when test\.run has seen the whole suite pass/);
  yield say('', runTests());
  yield say('', commit('Add debounce'));
}

export const debounce: SmallTask = {
  name: 'add debounce, with fake timers',
  ask: 'Add debounce(fn, ms) with a cancel method',
  wire: 'chat-completions',
  developer,
  refused: ['invalid_input', 'tool_unavailable'],
  commits: ['A src/debounce.ts', 'A tests/debounce.check.ts'],
  forHuman: [],
};
