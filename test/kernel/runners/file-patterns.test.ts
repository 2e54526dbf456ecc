import picomatch from 'picomatch';
import { expect, test, vi } from 'vitest';
import { matchesAnyGlob, matchesPatterns } from '../../../src/kernel/runners/file-patterns.ts';

vi.mock('picomatch', async (original) => {
  const real = await original<{ default: typeof picomatch }>();
  return { default: vi.fn(real.default) };
});

test.each([
  ['./test/*.js', 'test/a.js', true],
  ['**/*.test.js', '.hidden/a.test.js', true],
  ['*.js', 'lib/a.js', false],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(matchesAnyGlob(path, [pattern])).toBe(expected);
});

test('own patterns replace the usual ones, and no pattern opens what is never collected', () => {
  const patterns = { own: ['spec/**'], usual: ['test/**'], never: ['**/node_modules/**'] };
  expect(['spec/a.js', 'test/a.js', 'spec/node_modules/a.js'].map((path) => matchesPatterns(path, patterns))).toEqual([
    true,
    false,
    false,
  ]);
});

test('a pattern is compiled once for all the files of a project', () => {
  vi.mocked(picomatch).mockClear();
  for (let file = 0; file < 1_000; file += 1) matchesAnyGlob(`src/file${file}.ts`, ['**/*.once.ts', '**/*.{a,b}.ts']);
  expect(picomatch).toHaveBeenCalledTimes(2);
});
