import { expect, test } from 'vitest';
import { neededFacts, shownFacts } from '../../../src/lib/globs/glob-cover.ts';
import type { Glob } from '../../../src/lib/globs/glob.ts';
import { matchGlob } from '../../../src/lib/globs/match-glob.ts';
import { toMatchable } from '../../../src/lib/globs/matchable-path.ts';
import { parseGlob } from '../../../src/lib/globs/parse-glob.ts';
import { SeededRandom } from '../../kernel/policy/seeded-random.ts';
import { randomGlob, randomPath } from './generate-globs.ts';

function globOf(source: string): Glob {
  const parsed = parseGlob(source);
  if (parsed.kind === 'refused') throw new Error(`${source} ${parsed.reason}`);
  return parsed.glob;
}

function covers(wide: Glob, narrow: Glob): boolean {
  const shown = new Set(shownFacts(wide));
  return neededFacts(narrow).some((fact) => shown.has(fact));
}

test.each([
  ['src/', 'src/a.ts', true],
  ['src', 'src/a.ts', true],
  ['/src/', 'src/a.ts', true],
  ['src/**', 'src/a.ts', true],
  ['src/*', 'src/a/**/b.ts', true],
  ['src/', 'lib/src/a.ts', true],
  ['src/', '**/src/*.ts', true],
  ['/src/', 'lib/src/a.ts', false],
  ['src/**', 'src/', false],
  ['src/**', '/src', false],
  ['src/*/', 'src/a.ts', false],
  ['src/', 'src', false],
  ['src/', '/src', false],
  ['src', 'src/', true],
  ['a/b', 'a/b/', true],
  ['a/b/', 'a/b', false],
  ['a/b', 'a/bc', false],
  ['a/\\*', 'a/b', false],
  ['**', '*.ts', true],
  ['*', 'src/', true],
  ['*/', 'src/a', false],
  ['*.ts', '*.ts', true],
  ['*.ts', 'a.ts', false],
])('that %s covers %s is certain: %s', (wide, narrow, expected) => {
  expect(covers(globOf(wide), globOf(narrow))).toBe(expected);
});

test('what a covered glob matches, the other one matches', () => {
  const random = new SeededRandom(5);
  let covered = 0;
  let matched = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const [wide, narrow] = [parseGlob(randomGlob(random)), parseGlob(randomGlob(random))];
    if (wide.kind === 'refused' || narrow.kind === 'refused' || wide.glob.source === narrow.glob.source) continue;
    if (!covers(wide.glob, narrow.glob)) continue;
    covered += 1;
    for (let index = 0; index < 20; index += 1) {
      const path = randomPath(random) + (random.chance(0.3) ? '/' : '');
      if (!matchGlob(narrow.glob, toMatchable(path))) continue;
      matched += 1;
      expect([wide.glob.source, narrow.glob.source, path, matchGlob(wide.glob, toMatchable(path))]).toEqual([
        wide.glob.source,
        narrow.glob.source,
        path,
        true,
      ]);
    }
  }
  expect(covered).toBeGreaterThan(500);
  expect(matched).toBeGreaterThan(500);
});
