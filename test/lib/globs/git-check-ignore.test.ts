import { expect, test } from 'vitest';
import { matchGlob } from '../../../src/lib/globs/match-glob.ts';
import { toMatchable } from '../../../src/lib/globs/matchable-path.ts';
import { GlobSet } from '../../../src/lib/globs/glob-set.ts';
import { parseGlob } from '../../../src/lib/globs/parse-glob.ts';
import { SeededRandom } from '../../kernel/policy/seeded-random.ts';
import { randomGlob, randomPath } from './generate-globs.ts';
import { IgnoreOracle } from './git-check-ignore.ts';

const PATTERNS = process.env['FLUFFY_SOAK'] === '1' ? 20_000 : 300;
const SEED = Number(process.env['FLUFFY_SEED'] ?? 20_260_101);

test(`globs match what git ignores (seed ${SEED})`, { timeout: 600_000 }, () => {
  using git = new IgnoreOracle();
  const random = new SeededRandom(SEED);
  const differences: string[] = [];
  const seen = { accepted: 0, matched: 0, unmatched: 0 };

  for (let round = 0; round < PATTERNS; round += 1) {
    const pattern = randomGlob(random);
    const parsed = parseGlob(pattern);
    if (parsed.kind === 'refused') continue;
    seen.accepted += 1;
    const paths = [...new Set(random.list(60, 60, () => randomPath(random)))];
    const ignored = git.ignored(pattern, paths);
    const set = new GlobSet([parsed.glob]);
    for (const path of paths) {
      const expected = ignored.has(path);
      seen[expected ? 'matched' : 'unmatched'] += 1;
      if (matchGlob(parsed.glob, toMatchable(path)) !== expected)
        differences.push(`${pattern} on ${path}: git says ${expected}`);
      if (set.matches(path) !== expected) differences.push(`${pattern} on ${path} (trie): git says ${expected}`);
    }
  }
  expect(differences).toEqual([]);
  // The comparison means something only if both answers are common.
  expect(seen.accepted).toBeGreaterThan(PATTERNS / 2);
  expect(Math.min(seen.matched, seen.unmatched)).toBeGreaterThan(seen.accepted * 5);
});
