import { expect, it } from 'vitest';
import { parseRange, parseRevision } from '../../../src/lib/git/revision.ts';

it.each<[string, string, readonly number[]]>([
  ['main', 'main', []],
  ['@', 'HEAD', []],
  ['HEAD~', 'HEAD', [1]],
  ['v1.0^2~3', 'v1.0', [2, 1, 1, 1]],
  ['feature/x^^', 'feature/x', [1, 1]],
  ['main^0', 'main', [0]],
])('reads %s', (text, name, steps) => {
  expect(parseRevision(text)).toEqual({ text, name, steps });
});

it.each([
  '',
  '-x',
  'a b',
  'main:file',
  'HEAD@{1}~x',
  'main^{tree}',
  ':/text',
  'main~999999999',
  `a${'~90000'.repeat(2)}`,
  'a*',
  'a\\b',
])('does not read %s', (text) => {
  expect(parseRevision(text)).toBeNull();
});

it('reads a range, and leaves out HEAD where git does', () => {
  expect(parseRange('main..HEAD~2')).toEqual({
    from: { text: 'main', name: 'main', steps: [] },
    to: { text: 'HEAD~2', name: 'HEAD', steps: [1, 1] },
  });
  expect(parseRange('main..')).toMatchObject({ to: { name: 'HEAD' } });
  expect(parseRange('..main')).toMatchObject({ from: { name: 'HEAD' } });
});

it.each(['main', 'a...b', 'a..b..c', 'a..-x', '--all..b', ''])('%s is no range', (text) => {
  expect(parseRange(text)).toBeNull();
});
