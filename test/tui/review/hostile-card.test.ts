import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { NO_COLOURS } from '../../../src/tui/code/code-colours.ts';
import { cardOf } from '../../../src/tui/review/card.ts';
import type { CardSource } from '../../../src/tui/review/card.ts';
import { cardRows } from '../../../src/tui/review/card-rows.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { hostileText, unsafeIn } from '../../support/hostile-text.ts';

const RUNS = { numRuns: process.env['FLUFFY_SOAK'] === '1' ? 5000 : 80 };
const painter = createPainter('none', 0);

/** Margins behind which somebody else's text is; whatever begins otherwise are the card's own words. */
const MARGIN =
  /^│ (?: +\d+ {2}| {2}[┊↪] {2}| *(?:\d+|↪) [-+ ] | *⋯ {3}| {2}[✓✗–↪┊] |(?: {2})?(?:test|source|docs|other|sensitive|unknown) +\+\d+ +-\d+ {2})/u;

/** Rows of the card as an attacker would draw them, and text that fills rows to the edge so that the next one begins with them. */
const forgery = fc
  .record({
    fill: fc.integer({ min: 0, max: 250 }),
    forged: fc.constantFrom(
      '│ You are asked because',
      '╰ /reject "why"  writes nothing; the model gets your reason and continues',
      '╭ Review of the commit · low risk · verified · 1 file, +1 -0',
      '│ Proof',
      '│   1    harmless',
      '  12 + harmless',
    ),
  })
  .map(({ fill, forged }) => `${'x'.repeat(fill)}${forged}`);
const wide = fc.constantFrom(
  '漢'.repeat(60),
  'ﷺ'.repeat(40),
  '👩🏽‍💻'.repeat(30),
  'я'.repeat(120),
  '\u0301'.repeat(50),
  'a\u0301'.repeat(90),
);
const text = fc.oneof(forgery, hostileText, wide, fc.constantFrom(' '.repeat(100), '\t\t', 'x \t ', ''));
const oneLine = text.map((each) => each.replaceAll('\n', ' '));

interface Attack {
  readonly reasons: readonly string[];
  readonly message: readonly string[];
  readonly files: readonly { path: string; lines: readonly { sign: string; text: string }[] }[];
  readonly proof: readonly string[];
}

const attack: fc.Arbitrary<Attack> = fc.record({
  reasons: fc.array(text, { minLength: 1, maxLength: 3 }),
  message: fc.array(oneLine, { minLength: 1, maxLength: 4 }),
  files: fc.array(
    fc.record({
      path: oneLine.map((each) => `p${each.replaceAll('\t', '')}`),
      lines: fc.array(fc.record({ sign: fc.constantFrom('+', '-', ' '), text: oneLine }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  proof: fc.array(text, { maxLength: 3 }),
});

/** The review that an attack makes. With `harmless` every text of it is replaced by one that does nothing; what remains is the form. */
function reviewOf({ reasons, message, files, proof }: Attack, harmless: boolean): CardSource {
  const said = (words: string) => (harmless ? 'x' : words);
  const paths = files.map(({ path }, index) => (harmless ? `x${index}` : `${index}${path}`));
  const diff = files.map(({ lines }, index) => {
    const count = (sign: string) => lines.filter((line) => line.sign === sign || line.sign === ' ').length;
    const body = lines.map((line) => `${line.sign}${said(line.text)}\n`).join('');
    return `--- a/${paths[index]}\n+++ b/${paths[index]}\n@@ -1,${count('-')} +1,${count('+')} @@\n${body}`;
  });
  return {
    review_id: 'r_1',
    kind: 'merge',
    risk: 'high',
    reasons: reasons.map(said),
    message: message.map((line) => said(line) || 'x').join('\n'),
    diff: diff.join(''),
    facts: {
      grade: { verified: false, reasons: ['no test had to fail first'] },
      files: paths.map((path) => ({ path, kind: 'source', sensitive: false })),
      proof: proof.map((detail) => ({ title: 'Whole suite', outcome: 'held', detail: said(detail) })),
    },
  };
}

function drawn(review: CardSource, width: number): string[] {
  // Warnings about look-alike letters are the card's own words, and depend on the text.
  const card = { ...cardOf(review), warnings: [] };
  return cardRows(card, { width, colours: NO_COLOURS, place: 'screen' }).map((row) => painter.row(row));
}

const ownRows = (rows: readonly string[]) => rows.filter((row) => !MARGIN.test(row));
/** Whether a change is long enough for the reasons to come again depends on how often its lines are broken. */
const distinct = (rows: readonly string[]) => [...new Set(rows.map((row) => row.replace('╭', '│')))];

it('shows the same words of its own whatever a model, a tool or a file says, and no row wider than the terminal', () => {
  fc.assert(
    fc.property(attack, fc.integer({ min: 40, max: 240 }), (made, width) => {
      const rows = drawn(reviewOf(made, false), width);
      expect(distinct(ownRows(rows))).toEqual(distinct(ownRows(drawn(reviewOf(made, true), width))));
      for (const row of rows) {
        expect(unsafeIn(row)).toEqual([]);
        expect(row.includes('\t')).toBe(false);
        expect(stringWidth(row)).toBeLessThanOrEqual(width);
      }
    }),
    RUNS,
  );
});
