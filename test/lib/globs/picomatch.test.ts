import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { GlobSet } from '../../../src/lib/globs/glob-set.ts';
import { parseGlob } from '../../../src/lib/globs/parse-glob.ts';
import { SeededRandom } from '../../kernel/policy/seeded-random.ts';

/** Where picomatch alone would decide otherwise than .gitignore. docs/decisions/0004-globs.md lists the same. */
const DIFFERENCES: readonly {
  readonly pattern: string;
  readonly path: string;
  readonly picomatch: boolean;
  readonly here: boolean | 'refused';
}[] = [
  { pattern: '*.js', path: 'src/a.js', picomatch: false, here: true },
  { pattern: 'src', path: 'src/a.js', picomatch: false, here: true },
  { pattern: 'src/', path: 'src/a.js', picomatch: false, here: true },
  { pattern: '/src/a', path: 'src/a', picomatch: false, here: true },
  { pattern: '*', path: '.env', picomatch: false, here: true },
  { pattern: '**', path: 'config/.env', picomatch: false, here: true },
  { pattern: 'a/*', path: 'a/b/c', picomatch: false, here: true },
  { pattern: '?', path: 'é', picomatch: true, here: false },
  { pattern: '(a|b)', path: 'a', picomatch: true, here: false },
  { pattern: 'src/{a,b}.ts', path: 'src/a.ts', picomatch: true, here: 'refused' },
  { pattern: 'a[b', path: 'a[b', picomatch: true, here: 'refused' },
  { pattern: '!(a)', path: 'b', picomatch: true, here: 'refused' },
  { pattern: '@(a|b)', path: 'a', picomatch: true, here: 'refused' },
  { pattern: '+(a)', path: 'aaa', picomatch: true, here: 'refused' },
  { pattern: '!secret', path: 'public', picomatch: true, here: 'refused' },
  { pattern: 'a[/]b', path: 'a/b', picomatch: true, here: 'refused' },
  { pattern: '#a', path: '#a', picomatch: true, here: 'refused' },
  { pattern: './a', path: 'a', picomatch: true, here: 'refused' },
  { pattern: 'a//b', path: 'a/b', picomatch: false, here: 'refused' },
  { pattern: '[z-a]', path: 'a', picomatch: false, here: 'refused' },
  { pattern: 'a**/b', path: 'ab', picomatch: false, here: 'refused' },
];

describe('where picomatch and .gitignore part', () => {
  test.each(DIFFERENCES)('$pattern on $path', ({ pattern, path, picomatch: theirs, here }) => {
    expect(picomatch.isMatch(path, pattern)).toBe(theirs);
    const parsed = parseGlob(pattern);
    expect(parsed.kind === 'refused' ? 'refused' : new GlobSet([parsed.glob]).matches(path)).toBe(here);
  });
});

/** The same pattern in picomatch's dialect: any depth, what lies beneath and dotfiles have to be asked for there. */
function translated(pattern: string): (path: string) => boolean {
  const anywhere = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  // There a trailing /** may match nothing; here it is any name, and what lies beneath it.
  const itself = anywhere.replace(/(?:\*\*\/)*\*\*$/, '*');
  return picomatch([itself, `${itself}/**`], { dot: true, noextglob: true, nobrace: true, nonegate: true });
}

test('on letters, stars and question marks the two agree once translated', () => {
  const random = new SeededRandom(11);
  const differences: string[] = [];
  let matched = 0;
  for (let round = 0; round < 600; round += 1) {
    const segment = () =>
      random.chance(0.2)
        ? '**'
        : random
            .list(1, 3, () => random.pick(['a', 'b', '.x', '*', '?']))
            .join('')
            .replaceAll(/\*+/g, '*');
    const pattern = `${random.chance(0.2) ? '/' : ''}${random.list(1, 3, segment).join('/')}`;
    const parsed = parseGlob(pattern);
    if (parsed.kind === 'refused') throw new Error(`${pattern} ${parsed.reason}`);
    const set = new GlobSet([parsed.glob]);
    const theirs = translated(pattern);
    for (let index = 0; index < 20; index += 1) {
      const path = random.list(1, 4, () => random.list(1, 3, () => random.pick(['a', 'b', '.x'])).join('')).join('/');
      if (set.matches(path) !== theirs(path)) differences.push(`${pattern} on ${path}: here ${set.matches(path)}`);
      if (set.matches(path)) matched += 1;
    }
  }
  expect(differences).toEqual([]);
  expect(matched).toBeGreaterThan(1_000);
});
