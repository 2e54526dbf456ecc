import { expect, test } from 'vitest';
import { firstText, lastText } from '../../../src/lib/text/first-last.ts';

test.each([
  { texts: ['a', 'b', 'c'], first: 'a', last: 'c' },
  { texts: ['a'], first: 'a', last: 'a' },
  { texts: [], first: '', last: '' },
])('of $texts, the first is "$first" and the last "$last"', ({ texts, first, last }) => {
  expect([firstText(texts), lastText(texts)]).toEqual([first, last]);
});
