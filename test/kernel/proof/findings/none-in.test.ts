import { expect, it } from 'vitest';
import { noneIn } from '../../../../src/kernel/proof/observations/prove.ts';

it.each([
  ['test/mul.test.ts', 'none'],
  ['tests/test_mul.py', 'none'],
  ['mul_test.go', 'none in the source; what its tests assert is not examined'],
  ['tests/mul.rs', 'none in the source; what its tests assert is not examined'],
  ['src/test/java/MulTest.java', 'none in the source; what its tests assert is not examined'],
])('silence about the findings of %s says no more than is known', (path, words) => {
  expect(noneIn([{ role: 'test', path }])).toBe(words);
  expect(noneIn([{ role: 'source', path }])).toBe('none');
});
