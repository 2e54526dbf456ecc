import { expect, test } from 'vitest';
import type { Glob } from '../../../src/lib/globs/glob.ts';
import { GlobTrie } from '../../../src/lib/globs/glob-trie.ts';
import { matchGlob } from '../../../src/lib/globs/match-glob.ts';
import { toMatchable } from '../../../src/lib/globs/matchable-path.ts';
import { MAX_GLOB_BYTES, parseGlob } from '../../../src/lib/globs/parse-glob.ts';
import { SeededRandom } from '../../kernel/policy/seeded-random.ts';
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
    const trie = new GlobTrie<number>();
    for (const [index, glob] of globs.entries()) trie.add(glob, index);
    for (let index = 0; index < 20; index += 1) {
      const path = toMatchable(randomPath(random) + (random.chance(0.2) ? '/' : ''));
      const values = trie.collect(path);
      const expected = globs.flatMap((glob, value) => (matchGlob(glob, path) ? [value] : []));
      expect([...new Set(values)].toSorted((a, b) => a - b)).toEqual(expected);
      found += expected.length;
    }
  }
  expect(found).toBeGreaterThan(5_000);
});

test('a value is reported once however often its glob meets the path', () => {
  const trie = new GlobTrie<number>();
  for (const pattern of ['a', '**/a/', 'a/**/a', '**/a/**']) {
    const parsed = parseGlob(pattern);
    if (parsed.kind === 'ok') trie.add(parsed.glob, pattern.length);
  }
  expect(trie.collect(toMatchable('a/'.repeat(1000))).toSorted((a, b) => a - b)).toEqual([1, 5, 6, 7]);
});

test('a trailing slash in the path makes it a directory', () => {
  const trie = new GlobTrie<number>();
  const parsed = parseGlob('build/');
  if (parsed.kind === 'ok') trie.add(parsed.glob, 0);
  const search = (path: string) => trie.collect(toMatchable(path));
  expect([search('build'), search('build/'), search('build/a'), search('a/build/b/c')]).toEqual([[], [0], [0], [0]]);
});

test('globs that begin with many names, and paths with slashes too many, give what matchGlob gives', () => {
  const random = new SeededRandom(8);
  const names = (least: number, most: number) => random.list(least, most, () => random.pick(['a', 'b', '.c']));
  let found = 0;
  for (let round = 0; round < 200; round += 1) {
    const patterns = random.list(1, 30, () => {
      const end = random.pick(['', '', '/', '/**', '/*', '/*.ts', '/**/b']);
      return `${random.pick(['/', ''])}${names(1, 12).join('/')}${end}`;
    });
    const globs = patterns.map((pattern): Glob => {
      const parsed = parseGlob(pattern);
      if (parsed.kind === 'refused') throw new Error(`${pattern} ${parsed.reason}`);
      return parsed.glob;
    });
    const trie = new GlobTrie<number>();
    for (const [index, glob] of globs.entries()) trie.add(glob, index);
    for (let index = 0; index < 20; index += 1) {
      const start = random.chance(0.7) ? random.pick(patterns as [string, ...string[]]).replaceAll(/[*]+/g, 'b') : '';
      const path = toMatchable(start + random.pick(['', '/', '//']) + names(0, 3).join(random.pick(['/', '//'])));
      const expected = globs.flatMap((glob, value) => (matchGlob(glob, path) ? [value] : []));
      expect([...new Set(trie.collect(path))].toSorted((a, b) => a - b)).toEqual(expected);
      found += expected.length;
    }
  }
  expect(found).toBeGreaterThan(4_000);
});

test('a pattern has at most as many bytes as bound the time of matching it', () => {
  expect(parseGlob('é'.repeat(MAX_GLOB_BYTES / 2)).kind).toBe('ok');
  expect(parseGlob(`${'é'.repeat(MAX_GLOB_BYTES / 2)}a`)).toMatchObject({ kind: 'refused' });
});
