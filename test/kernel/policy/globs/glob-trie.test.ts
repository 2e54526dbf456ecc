import { expect, test } from 'vitest';
import type { Glob } from '../../../../src/kernel/policy/globs/glob.ts';
import { GlobTrie } from '../../../../src/kernel/policy/globs/glob-trie.ts';
import { matchGlob } from '../../../../src/kernel/policy/globs/match-glob.ts';
import { toMatchable } from '../../../../src/kernel/policy/globs/matchable-path.ts';
import { parseGlob } from '../../../../src/kernel/policy/globs/parse-glob.ts';
import { SeededRandom } from '../seeded-random.ts';
import { randomGlob, randomPath } from './generate-globs.ts';

test('many globs together give what each of them gives alone', () => {
  const random = new SeededRandom(7);
  let found = 0;
  for (let round = 0; round < 300; round += 1) {
    const globs = random
      .list(1, 40, () => randomGlob(random))
      .flatMap((pattern): Glob[] => {
        const parsed = parseGlob(pattern);
        return parsed.kind === 'ok' ? [parsed.glob] : [];
      });
    const trie = new GlobTrie();
    for (const [index, glob] of globs.entries()) trie.add(glob, index);
    for (let index = 0; index < 20; index += 1) {
      const path = toMatchable(randomPath(random) + (random.chance(0.2) ? '/' : ''));
      const values: number[] = [];
      trie.collect(path, values);
      const expected = globs.flatMap((glob, value) => (matchGlob(glob, path) ? [value] : []));
      expect([...new Set(values)].toSorted((a, b) => a - b)).toEqual(expected);
      found += expected.length;
    }
  }
  expect(found).toBeGreaterThan(5_000);
});

test('a value is reported once however often its glob meets the path', () => {
  const trie = new GlobTrie();
  for (const pattern of ['a', '**/a/', 'a/**/a']) {
    const parsed = parseGlob(pattern);
    if (parsed.kind === 'ok') trie.add(parsed.glob, pattern.length);
  }
  const values: number[] = [];
  trie.collect(toMatchable('a/'.repeat(1000)), values);
  expect(values.toSorted((a, b) => a - b)).toEqual([1, 5, 6]);
});

test('a trailing slash in the path makes it a directory', () => {
  const trie = new GlobTrie();
  const parsed = parseGlob('build/');
  if (parsed.kind === 'ok') trie.add(parsed.glob, 0);
  const search = (path: string) => {
    const values: number[] = [];
    trie.collect(toMatchable(path), values);
    return values;
  };
  expect([search('build'), search('build/'), search('build/a'), search('a/build/b/c')]).toEqual([[], [0], [0], [0]]);
});
