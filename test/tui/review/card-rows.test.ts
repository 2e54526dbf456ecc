import { describe, expect, it } from 'vitest';
import { NO_COLOURS } from '../../../src/tui/code/code-colours.ts';
import { cardOf } from '../../../src/tui/review/card.ts';
import type { CardSource } from '../../../src/tui/review/card.ts';
import { cardRows } from '../../../src/tui/review/card-rows.ts';
import type { CardPlace } from '../../../src/tui/review/card-words.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';

const painter = createPainter('none', 0);

const REVIEW: CardSource = {
  review_id: 'r_1',
  kind: 'merge',
  risk: 'high',
  reasons: [
    'Sensitive files change: package.json.',
    'A changed line has 1204 characters, and nobody reads one to its end.',
  ],
  message: 'Say what is wrong\n\nThe error names the line.\n\nFluffy-Mode: strict\n',
  diff: `diff --git a/package.json b/package.json
--- a/package.json
+++ b/package.json
@@ -1,3 +1,3 @@
 {
-  "version": "1.0.0"
+  "version": "1.0.1"\u0020
 }
diff --git a/src/a.js b/src/a.js
--- a/src/a.js
+++ b/src/a.js
@@ -10,6 +10,9 @@ export function parse(text) {
 \tconst lines = text.split('\\n');
-\treturn lines;
+\tif (lines.length === 0) throw new Error('nothing to parse in the text that was given'); // \u001b[2J
+\tconst is\u0410dmin = true;          // far away
+\u00a0
+\treturn lines;\r
 }
 
 // end
`,
  facts: {
    grade: { verified: false, reasons: ['the new tests were not seen to fail again without the new source'] },
    files: [
      { path: 'package.json', kind: 'other', sensitive: true },
      { path: 'src/a.js', kind: 'source', sensitive: false },
    ],
    proof: [
      {
        title: 'New tests before the change',
        outcome: 'held',
        detail: '1 failure: test/a.test.js › says what is wrong',
      },
      { title: 'Whole suite', outcome: 'held', detail: '12 passed, 1 skipped' },
      { title: 'New tests without the new source', outcome: 'impossible', detail: 'the run was cut off' },
    ],
  },
};

const draw = (review: CardSource, width: number, place: CardPlace = 'screen') =>
  `${cardRows(cardOf(review), { width, colours: NO_COLOURS, place })
    .map((row) => painter.row(row).trimEnd())
    .join('\n')}\n`;

describe('the card of a review', () => {
  it.each([40, 80, 140])('at %i columns', async (width) => {
    await expect(draw(REVIEW, width)).toMatchFileSnapshot(`../../golden/card-${width}.txt`);
  });

  it('says reasons and grade again below a long change', () => {
    const many = Array.from({ length: 40 }, (_, index) => `+line ${index}\n`).join('');
    const drawn = draw({ ...REVIEW, diff: `--- a/x\n+++ b/x\n@@ -0,0 +1,40 @@\n${many}` }, 80);
    expect(drawn.match(/Sensitive files change/g)?.length).toBe(2);
    expect(drawn.match(/not verified/g)?.length).toBe(2);
    expect(drawn.lastIndexOf('Sensitive files change')).toBeGreaterThan(drawn.indexOf('line 39'));
  });

  it('has its edge on every row, the last one too where it goes on in another row', () => {
    const rows = draw(REVIEW, 40).trimEnd().split('\n');
    expect(rows.filter((row) => !/^[╭│]/.test(row))).toEqual([rows.at(-1)]);
    expect(rows.at(-1)).toMatch(/^╰ {3,}\S/);
  });

  it('offers an editor only where one can have the terminal', () => {
    expect(draw(REVIEW, 80)).toContain('/edit FILE');
    expect(draw(REVIEW, 80, 'lines')).not.toContain('/edit');
    expect(draw(REVIEW, 80, 'lines')).toContain('/reject "why"');
  });

  it('offers tests only for a change that was made without them', () => {
    const facts = { ...REVIEW.facts!, tests_can_follow: true as const };
    expect(draw(REVIEW, 80)).not.toContain('add-tests');
    expect(draw({ ...REVIEW, facts }, 80)).toContain('│ /add-tests     the model writes tests');
    expect(draw({ ...REVIEW, facts }, 80, 'command-line')).toContain('fluffy review --add-tests');
  });

  it('offers no choice of files where fluffy review has none', () => {
    expect(draw(REVIEW, 80, 'lines')).toContain('│ /approve FILE');
    const drawn = draw(REVIEW, 80, 'command-line');
    expect(drawn).toContain('fluffy review --approve ');
    expect(drawn).not.toContain('--approve FILE');
  });

  it('shows whatever the kernel observed, by the names it gives', () => {
    const facts = { ...REVIEW.facts!, proof: [{ title: 'Something new', outcome: 'failed' as const, detail: 'why' }] };
    expect(draw({ ...REVIEW, facts }, 80)).toContain('✗ Something new  why');
  });

  it('shows the input of a call with numbers, and what each choice leads to', () => {
    const { facts: _, ...call } = REVIEW;
    const drawn = draw({ ...call, kind: 'policy', message: 'shell.run', diff: '{\n  "command": ["ls"]\n}' }, 80);
    expect(drawn).toContain('│   2     "command": ["ls"]\n');
    expect(drawn).toContain('/approve       lets this one call run, in its sandbox');
  });
});

describe('files that were accepted before', () => {
  const rows = (accepted: readonly string[]) =>
    cardRows({ ...cardOf(REVIEW), accepted: new Set(accepted) }, { width: 80, colours: NO_COLOURS, place: 'screen' })
      .map((row) => painter.row(row))
      .join('\n');

  it('are marked in the table and above their change, by what no file name can draw', () => {
    const drawn = rows(['src/a.js']);
    expect(drawn).toContain('Files  ✓ as you accepted it');
    expect(drawn).toMatch(/✓ source +\+4 +-1 +src\/a\.js/);
    expect(drawn).toMatch(/ {2}sensitive +\+1 +-1 +package\.json/);
  });

  it('are not spoken of where there are none', () => {
    expect(rows([])).not.toContain('✓ as you');
  });
});
