import { describe, expect, it } from 'vitest';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { hangingRows } from '../../../src/tui/text/hanging-rows.ts';
import type { Span } from '../../../src/tui/text/span.ts';
import { webAddress } from '../../../src/tui/text/web-address.ts';

const span = (text: string, more: Partial<Span> = {}): Span =>
  ({ text: safeLine(text), role: 'plain', ...more }) as Span;
const textOf = (row: readonly Span[]): string => row.map(({ text }) => text).join('');

describe('a text behind a margin', () => {
  const rows = (text: string, width: number, breakAt: 'blank' | 'character') =>
    hangingRows([span(text)], { first: [span('> ')], rest: [span('  ')], breakAt }, width).map(textOf);

  it.each<readonly [string, string, number, 'blank' | 'character', string[]]>([
    ['is one row where it fits', 'ab cd', 7, 'blank', ['> ab cd']],
    ['ends rows at blanks, which are not drawn', 'abcde fghij', 7, 'blank', ['> abcde', '  fghij']],
    ['carries a word over that does not fit', 'ab cdefg', 8, 'blank', ['> ab ', '  cdefg']],
    ['cuts a word that is longer than a row', 'abcdefgh', 6, 'blank', ['> abcd', '  efgh']],
    ['cuts a word that was carried over', 'a bcdefghij', 6, 'blank', ['> a ', '  bcde', '  fghi', '  j']],
    ['ends rows after any character', 'ab cdefg', 6, 'character', ['> ab c', '  defg']],
    ['has two cells at least', 'abcd', 1, 'character', ['> ab', '  cd']],
  ])('%s', (_what, text, width, breakAt, expected) => {
    expect(rows(text, width, breakAt)).toEqual(expected);
  });
});

it.each<readonly [string, string | undefined]>([
  ['https://host.example/a b', 'https://host.example/a%20b'],
  ['HTTP://HOST.example', 'http://host.example/'],
  ['ftp://host.example', undefined],
  ['javascript:alert(1)', undefined],
  ['https://', undefined],
  [`https://host.example/${'a'.repeat(2_000)}`, undefined],
])('the text %j can be opened as %j', (text, address) => {
  expect(webAddress(text)).toBe(address);
});
