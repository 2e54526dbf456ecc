import { describe, expect, test } from 'vitest';
import { parsePackedRefs, parseRefFile } from '../../../src/lib/git/packed-refs.ts';
import { isRefName, shortRefName } from '../../../src/lib/git/ref-name.ts';
import { worktreePathProblem } from '../../../src/lib/git/worktree-path.ts';

const ID = 'a'.repeat(40);

test.each([
  ['refs/heads/main', true],
  ['refs/heads/ä/b.c', true],
  ['refs/heads/../../../etc/passwd', false],
  ['heads/main', false],
  [`refs/heads/${'x'.repeat(1024)}`, false],
  ['refs/heads/\ud800', false],
  ['refs/heads/a b', false],
  ['refs/heads/a\nb', false],
  ['refs/heads/a:b', false],
  ['refs/heads/a@{1}', false],
  ['refs/heads//a', false],
  ['refs/heads/', false],
  ['refs/heads/.a', false],
  ['refs/heads/a.lock', false],
  ['refs/heads/a./b', false],
])('%j is the name of a ref: %s', (name, expected) => {
  expect(isRefName(name)).toBe(expected);
});

test('a branch is named without its place', () => {
  expect([shortRefName('refs/heads/a/b'), shortRefName('refs/tags/v1')]).toEqual(['a/b', 'refs/tags/v1']);
});

test.each([
  [`${ID}\n`, { kind: 'id', id: ID }],
  ['ref: refs/heads/main\n', { kind: 'symbolic', target: 'refs/heads/main' }],
  ['ref: refs/heads/../../x\n', { kind: 'invalid' }],
  ['ref: /etc/passwd\n', { kind: 'invalid' }],
  [`${ID}0\n`, { kind: 'invalid' }],
  ['', { kind: 'invalid' }],
])('the file of a ref with %j is %j', (text, expected) => {
  expect(parseRefFile(text)).toEqual(expected);
});

test('of packed refs, only those with a proper name and id count', () => {
  const lines = [
    '# pack-refs with: peeled fully-peeled sorted',
    `${ID} refs/heads/main`,
    `^${ID}`,
    `${ID}\trefs/heads/tab`,
    `${ID} refs/heads/../x`,
    `${'z'.repeat(40)} refs/heads/z`,
  ];
  expect([...parsePackedRefs(lines.join('\n'))]).toEqual([['refs/heads/main', ID]]);
});

describe('a path that a commit may have', () => {
  test.each([
    ['src/a.js', null],
    ['.gitignore', null],
    ['', 'an empty path'],
    ['a\0b', 'a NUL byte'],
    ['a\ud800', 'not valid Unicode'],
    ['/a', 'an empty component'],
    ['a//b', 'an empty component'],
    ['./a', 'a component .'],
    ['a/../b', 'a component ..'],
    ['.git/config', 'a path inside a .git directory'],
    ['a/.GIT/hooks/x', 'a path inside a .git directory'],
    ['.g\u200cit/config', 'a path inside a .git directory'],
    ['git~1/config', 'a path inside a .git directory'],
    ['.git. ./config', 'a path inside a .git directory'],
    ['.git::$INDEX_ALLOCATION/config', 'a path inside a .git directory'],
    ['a\\.git\\config', 'a path inside a .git directory'],
  ])('%j: %s', (path, problem) => {
    expect(worktreePathProblem(path)).toBe(problem);
  });
});
