import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/platform/fs/ignore/path-glob.ts';
import { holderOfGit, isGitTwin, parsePath, whyNotCreated } from '../../../src/platform/fs/path-rules.ts';

describe('a path', () => {
  it.each([
    ['src/a.ts', ['src', 'a.ts']],
    ['./src//a.ts/', ['src', 'a.ts']],
    ['/project', []],
    ['/project/src', ['src']],
    ['../x', ['..', 'x']],
  ])('%j is taken apart', (path, components) => {
    expect(parsePath(path, '/project')).toEqual({ kind: 'ok', components });
  });

  it.each([
    ['a\nb', 'the path contains a control character'],
    ['a\u009bb', 'the path contains a control character'],
    ['a\ud800b', 'the path is not valid Unicode'],
    ['a/'.repeat(2_048), 'the path is too long'],
    ['é'.repeat(128), 'a name in the path is too long'],
    ['/etc/passwd', 'the path is absolute and outside the project; use a path relative to the project'],
    ['/projects', 'the path is absolute and outside the project; use a path relative to the project'],
  ])('%j is refused', (path, reason) => {
    expect(parsePath(path, '/project')).toEqual({ kind: 'refused', reason });
  });
});

it.each([
  ['src/a.ts', null],
  ['.fluffy/x', null],
  ['a//b', 'the path is not normalised'],
  ['a/../b', 'the path is not normalised'],
  ['a\tb', 'a name contains a control character'],
  ['a\u200bb', 'a name contains an invisible character'],
  ['sub/.GIT/x', `".GIT" is git's own on some file systems`],
  ['git~1', `"git~1" is git's own on some file systems`],
  ['.Fluffy. ', '".Fluffy. " is .fluffy on some file systems'],
])('a file %j may be made, or not', (path, reason) => {
  expect(whyNotCreated(path)).toBe(reason);
});

it.each([
  ['.git/config', ''],
  ['sub/.git::$INDEX/x', 'sub'],
  ['sub/git/x', null],
])('the repository whose own files %j is among', (path, holder) => {
  expect(holderOfGit(path)).toBe(holder);
});

it('names that some file system takes for .git are known', () => {
  expect(['.git', '.Git ', '.g\u200cit', 'GIT~1', '.git.'].every(isGitTwin)).toBe(true);
  expect(['.gitignore', 'git', '.git2'].some(isGitTwin)).toBe(false);
});

describe('a glob with braces', () => {
  const matches = (glob: string, path: string) => {
    const compiled = compileGlob(glob);
    return compiled.kind === 'ok' ? compiled.matches(path) : compiled.reason;
  };

  it.each<readonly [string, string, boolean]>([
    ['*.{ts,js}', 'src/a.js', true],
    ['*.{ts,js}', 'src/a.py', false],
    ['src/{a,b/{c,d}}.ts', 'src/b/d.ts', true],
    ['a\\{b,c}', 'a{b,c}', true],
    ['a{b', 'a{b', true],
  ])('%s and %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each([
    ['{a,b}'.repeat(7), 'braces stand for more than 64 patterns'],
    ['{a,[b}', '"[b" is not a valid pattern'],
  ])('%s is refused', (glob, reason) => {
    expect(matches(glob, 'x')).toBe(reason);
  });
});
