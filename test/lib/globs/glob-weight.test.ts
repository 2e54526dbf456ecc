import { expect, test } from 'vitest';
import type { Glob } from '../../../src/lib/globs/glob.ts';
import { GlobScale, weighGlob } from '../../../src/lib/globs/glob-weight.ts';
import { parseGlob } from '../../../src/lib/globs/parse-glob.ts';

function globOf(source: string): Glob {
  const parsed = parseGlob(source);
  if (parsed.kind === 'refused') throw new Error(`${source} ${parsed.reason}`);
  return parsed.glob;
}

test.each([
  ['node_modules/', 0, 1],
  ['*.test.ts', 0, 1],
  ['*.test.*', 2, 2],
  ['*.ts', 0, 1],
  ['test_*.py', 1, 1],
  ['**', 0, 0],
  ['/src/api/', 0, 0],
  ['docs/*.md', 0, 0],
  ['docs/*.test.*', 1, 1],
  ['src/**/gen/*.ts', 3, 3],
  ['**/a/b', 3, 3],
  ['**/fixtures/**', 3, 3],
  ['test.[jt]s', 2, 2],
  [`*${'a'.repeat(31)}*`, 2, 2],
  [`*${'a'.repeat(32)}*`, 3, 3],
])('%s weighs %i, and %i alone', (pattern, indexed, alone) => {
  const glob = globOf(pattern);
  expect([weighGlob(glob, 'indexed'), weighGlob(glob, 'alone')]).toEqual([indexed, alone]);
});

test('of patterns that begin with names, those of the heaviest beginning count', () => {
  const scale = new GlobScale();
  const add = (pattern: string) => {
    scale.add(globOf(pattern), weighGlob(globOf(pattern), 'indexed'));
    return scale.total;
  };
  expect([add('packages/a/**/*.ts'), add('packages/b/**/*.ts'), add('packages/a/**/*.js')]).toEqual([2, 2, 4]);
  expect([add('lib/**/x'), add('test_*.py'), add('packages/c/**/x')]).toEqual([6, 7, 7]);
});
