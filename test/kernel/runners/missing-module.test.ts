import { expect, it } from 'vitest';
import { pathInside } from '../../../src/kernel/runners/missing-module.ts';

it.each([
  ['../src/f.js', 'src/f.js'],
  ['file:///project/src/a%20b.js', 'src/a b.js'],
  ['file:///%zz', null],
  ['file:///project/%', null],
  ['../../f.js', null],
  ['lodash', null],
])('%s in a test leads to %s', (specifier, path) => {
  expect(pathInside('/project', 'test/a.test.js', specifier)).toBe(path);
});
