import { describe, expect, it } from 'vitest';
import { toByteString } from '../../../src/lib/globs/glob.ts';
import {
  parseIgnoreFile,
  parseIgnorePattern,
  patternMatches,
  ruleMatches,
} from '../../../src/lib/globs/ignore-rules.ts';

describe('a line of an ignore file', () => {
  it.each<readonly [string, string, boolean]>([
    ['*.log', 'a.log', true],
    ['*.log', 'src/deep/a.log', true],
    ['a**b', 'x/aXXb', true],
    ['/a.log', 'a.log', true],
    ['/a.log', 'src/a.log', false],
    ['src/a.log', 'src/a.log', true],
    ['src/a.log', 'src/a.log.txt', false],
    ['src/*.log', 'src/a.log', true],
    ['src/*.log', 'src/deep/a.log', false],
    ['src/**/a', 'src/a', true],
    ['src/**/**/a', 'src/x/y/a', true],
    ['src/**/**/a', 'src/a', true],
    ['src/**', 'src/x/y', true],
    ['**/a', 'x/y/a', true],
    ['a?c', 'abc', true],
    ['src/a?c', 'src/a/c', false],
    ['src/[ab]', 'src/b', true],
    ['src/[ab]', 'src/c', false],
    ['src/\\*', 'src/*', true],
    ['src/\\*', 'src/x', false],
    ['a b  ', 'a b', true],
    ['a\\ ', 'a ', true],
    ['é', 'é', true],
  ])('%j and the file %j', (line, path, matches) => {
    const rules = parseIgnoreFile(line);
    expect(rules.some((rule) => ruleMatches(rule, toByteString(path), false))).toBe(matches);
  });

  it('that ends in a slash is for directories alone', () => {
    const [rule] = parseIgnoreFile('build/\n');
    if (rule === undefined) throw new Error('no rule');
    expect([ruleMatches(rule, 'build', true), ruleMatches(rule, 'build', false)]).toEqual([true, false]);
  });

  it.each(['', '   ', '# a comment', '!', '/', 'src/[ab', 'src/a\\', '[ab', 'a\\'])('%j matches nothing', (line) => {
    expect(parseIgnoreFile(`${line}\r\n`)).toEqual([]);
  });

  it('can take back what another one ignores', () => {
    expect(parseIgnoreFile('\ufeff*.log\n!keep.log\n').map(({ negated }) => negated)).toEqual([false, true]);
  });
});

it('a pattern alone is for files and directories', () => {
  const pattern = parseIgnorePattern('src/*');
  expect(pattern !== null && patternMatches(pattern, 'src/x')).toBe(true);
  expect(parseIgnorePattern('src/[')).toBeNull();
});
