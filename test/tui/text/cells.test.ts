import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { cutRow } from '../../../src/tui/text/cut-row.ts';
import { widestCells } from '../../../src/tui/text/cells.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { hostileText } from '../../support/hostile-text.ts';

it.each([
  ['plain', 5],
  ['a vowel sign behind a blank: \u{1133e}', 30],
  ['a vowel sign alone: ', 20],
  ['\u{1133e}', 1],
  ['a\u0301', 1],
  ['漢', 2],
])('%j takes at most %i cells, and no more are counted than it can take', (text, cells) => {
  expect(widestCells(text)).toBe(cells);
  expect(widestCells(text)).toBeGreaterThanOrEqual(stringWidth(text));
});

const RUNS = process.env['FLUFFY_SOAK'] === '1' ? { numRuns: 20_000 } : { numRuns: 300, seed: 7 };
const letters = fc.constantFrom(
  ' ',
  'a',
  '漢',
  '\u{1133e}',
  '\u0bbe',
  '\u0301',
  '\u200d',
  '👩',
  '🇩',
  '\u{fe0f}',
  '가',
  'ᆨ',
);

it('no row that was cut by it is wider than its room', { timeout: 120_000 }, () => {
  const text = fc.oneof(
    hostileText,
    fc.array(letters, { maxLength: 60 }).map((each) => each.join('')),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.integer({ min: 4, max: 60 }), (texts, width) => {
      const row = texts.map((each) => ({ text: safeLine(each), role: 'plain' as const }));
      const cut = cutRow(row, width, widestCells);
      expect(stringWidth(cut.map((span) => span.text).join(''))).toBeLessThanOrEqual(width);
    }),
    RUNS,
  );
});
