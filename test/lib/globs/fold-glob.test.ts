import { expect, it } from 'vitest';
import { matchGlob } from '../../../src/lib/globs/match-glob.ts';
import { toMatchable } from '../../../src/lib/globs/matchable-path.ts';
import { foldGlob, parseGlob } from '../../../src/lib/globs/parse-glob.ts';

function folded(source: string): ReturnType<typeof foldGlob> {
  const parsed = parseGlob(source);
  if (parsed.kind !== 'ok') throw new Error(parsed.kind);
  return foldGlob(parsed.glob);
}

it.each(['src/**', '*.pem', 'a[0-9]'])('a glob without capital letters is its own folded one: %s', (source) => {
  expect(folded(source)).toBeNull();
});

it.each([
  ['Makefile', 'makefile'],
  ['**/README.*', 'docs/readme.md'],
  ['[[:upper:]]x', 'ax'],
])('a glob with capital letters matches folded paths: %s', (source, path) => {
  const glob = folded(source);
  expect(glob !== null && matchGlob(glob, toMatchable(path))).toBe(true);
});
