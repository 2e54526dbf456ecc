import { expect, test } from 'vitest';
import { toMatchable } from '../../../src/lib/globs/matchable-path.ts';

test.each([
  { path: '', segments: [], directory: false, normal: true, plain: true },
  { path: 'src/a.ts', segments: ['src', 'a.ts'], directory: false, normal: true, plain: true },
  { path: 'src/', segments: ['src'], directory: true, normal: true, plain: true },
  { path: '/src', segments: ['src'], directory: false, normal: false, plain: true },
  { path: 'src//a/', segments: ['src', 'a'], directory: true, normal: false, plain: true },
  { path: '/', segments: [], directory: true, normal: false, plain: true },
  { path: './a', segments: ['.', 'a'], directory: false, normal: false, plain: false },
  { path: 'a/..', segments: ['a', '..'], directory: false, normal: false, plain: false },
  { path: 'a/...', segments: ['a', '...'], directory: false, normal: true, plain: false },
  { path: 'a\0b', segments: ['a\0b'], directory: false, normal: false, plain: false },
  { path: 'a/b.', segments: ['a', 'b.'], directory: false, normal: true, plain: false },
  { path: 'A/b c', segments: ['A', 'b c'], directory: false, normal: true, plain: false },
  { path: 'e\u0301/b', segments: ['\u00c3\u00a9', 'b'], directory: false, normal: true, plain: false },
  { path: 'é//b', segments: ['\u00c3\u00a9', 'b'], directory: false, normal: false, plain: false },
])('$path is cut up', ({ path, ...expected }) => {
  const { segments, directory, normal, plain } = toMatchable(path);
  expect({ segments, directory, normal, plain }).toEqual(expected);
});
