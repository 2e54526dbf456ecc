import { expect, it } from 'vitest';
import { graphemesOf } from '../../../src/lib/text/graphemes.ts';

it.each([
  ['', []],
  [
    'a b',
    [
      [0, 'a'],
      [1, ' '],
      [2, 'b'],
    ],
  ],
  [
    'a\r\nb',
    [
      [0, 'a'],
      [1, '\r\n'],
      [3, 'b'],
    ],
  ],
  [
    'e\u0301x',
    [
      [0, 'e\u0301'],
      [2, 'x'],
    ],
  ],
  [
    '👩‍👩‍👧!',
    [
      [0, '👩‍👩‍👧'],
      [8, '!'],
    ],
  ],
])('%j in what a person takes for one character each', (text, graphemes) => {
  expect(graphemesOf(text).map(({ at, text: character }) => [at, character])).toEqual(graphemes);
});
