import { expect, it } from 'vitest';
import { parsePythonSpecifier, parsePythonVersion } from '../../../src/lib/packages/python-range.ts';

const MINORS = ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13'];

it.each([
  ['>=3.10', ['3.10', '3.11', '3.12', '3.13']],
  ['>=3.9,<3.12', ['3.9', '3.10', '3.11']],
  ['>= 3.9, < 4', ['3.9', '3.10', '3.11', '3.12', '3.13']],
  ['~=3.10', ['3.10', '3.11', '3.12', '3.13']],
  ['~=3.10.2', ['3.10']],
  ['==3.11.*', ['3.11']],
  ['==3.11', ['3.11']],
  ['>=3.9,!=3.9.1', ['3.9', '3.10', '3.11', '3.12', '3.13']],
  ['>3.11', ['3.12', '3.13']],
  ['<=3.9', ['3.8', '3.9']],
  ['^3.12', ['3.12', '3.13']],
  ['~3.12', ['3.12']],
  ['3.12.*', ['3.12']],
  ['*', MINORS],
])('a package accepts %s', (text, allowed) => {
  const range = parsePythonSpecifier(text);
  expect(MINORS.filter((minor) => range?.allows(minor))).toEqual(allowed);
});

it.each(['', ' ', 'three', '>=3.9 or so', '>=3.12.0rc1', `>=3.${'1'.repeat(100)}`])(
  'nothing is asked for by %j',
  (text) => {
    expect(parsePythonSpecifier(text)).toBeNull();
  },
);

it.each([
  ['3.12', '3.12', false],
  ['3.12.1', '3.12', true],
  ['cpython-3.12.1', '3.12', true],
  ['cpython@3.12', '3.12', false],
  ['python-3.12', '3.12', false],
  ['3.13.0rc1', '3.13', false],
  ['3.13-dev', '3.13', false],
])('a version manager calls %s a version', (text, minor, isExact) => {
  const range = parsePythonVersion(text);
  expect(MINORS.filter((each) => range?.allows(each))).toEqual([minor]);
  expect(range?.isExact).toBe(isExact);
});

it.each(['', 'system', '3', 'pypy3.10-7.3.12', 'my-project', '2.7.18', '3.12.1.4', `3.12.${'1'.repeat(1000)}`])(
  'a version manager calls %j no version',
  (text) => {
    expect(parsePythonVersion(text)).toBeNull();
  },
);
