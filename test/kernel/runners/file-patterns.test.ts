import { expect, test } from 'vitest';
import { matcherOf, matchesAnyGlob, matchesPatterns } from '../../../src/kernel/runners/file-patterns.ts';

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
  const first = matcherOf('**/*.once.ts');
  expect(matchesAnyGlob('src/file.ts', ['**/*.once.ts', '**/*.{a,b}.ts'])).toBe(false);
  expect(matcherOf('**/*.once.ts')).toBe(first);
});
