import { describe, expect, it } from 'vitest';
import { formatDuration, formatTokens } from '../../../src/tui/store/format-amount.ts';
import { lookAlikesIn } from '../../../src/tui/store/mixed-alphabets.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';

it.each([
  [980.4, '980ms'],
  [1_400, '1.4s'],
  [125_000, '2m 05s'],
  [3_720_000, '1h 02m'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [812, '812'],
  [12_345, '12.3k'],
  [1_200_000, '1.2M'],
])('%i tokens are %s', (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text);
});

describe('letters that look like Latin ones', () => {
  it.each<readonly [string, string, object[]]>([
    ['are found in a word that has both', 'let p\u0430y = 1', [{ from: 5, to: 6 }]],
    ['are not looked for in words of one alphabet', 'let \u043e\u0434\u0438\u043d = 1', []],
    ['are not in plain text', 'let pay = 1', []],
  ])('%s', (_what, line, found) => {
    expect(lookAlikesIn(line)).toEqual(found);
  });
});

it('frames in a text become ASCII, and other blanks become spaces', () => {
  expect(safeLine('─━│┃┌┼\u00a0x')).toBe('--||++ x');
});
