import { describe, expect, it } from 'vitest';
import { NO_COLOURS } from '../../../src/tui/code/code-colours.ts';
import { fileRows } from '../../../src/tui/diff/diff-rows.ts';
import { readDiff } from '../../../src/tui/diff/read-diff.ts';
import { widestCells } from '../../../src/tui/text/cells.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { own } from '../../../src/tui/text/span.ts';

function draw(body: string, width: number): string[] {
  const lines = body.split('\n');
  const [old, fresh] = ['-', '+'].map((sign) => lines.filter((line) => line[0] === sign || line[0] === ' ').length);
  const [file] = readDiff(`--- a/x.txt\n+++ b/x.txt\n@@ -1,${old} +1,${fresh} @@\n${body}\n`).files;
  const rows = fileRows(file!, { width, colours: NO_COLOURS, edge: [own('│ ')] });
  return rows.map((row) => createPainter('none', 0).row(row).trimEnd());
}

describe('a change in a wide terminal', () => {
  it('has what replaces a line beside it', () => {
    expect(draw(' same\n-old\n-gone\n+new\n last', 140).map((row) => row.replace(/ {20,}/, '    '))).toEqual([
      '│   1   same    │   1   same',
      '│   2 - old    │   2 + new',
      '│   3 - gone    │',
      '│   4   last    │   3   last',
    ]);
  });

  it('has number, sign and mark on each row of both sides, however long a line is', () => {
    const rows = draw(`-${'a'.repeat(200)}\n+${'b'.repeat(200)}`, 150);
    expect(rows).toHaveLength(4);
    for (const [index, row] of rows.entries())
      expect(row).toMatch(index === 0 ? /^│ {3}1 - a+ *│ {3}1 \+ b+$/ : /^│ {3}↪ - a+ *│ {3}↪ \+ b+$/);
  });

  it.each([140, 141, 200, 300])('has no row wider than %d columns, whatever is in it', (width) => {
    const hostile = `-${'漢字👩‍👩‍👧│ '.repeat(60)}\n+${'│   1 + x\u202e '.repeat(60)}`;
    for (const row of draw(hostile, width)) expect(widestCells(row)).toBeLessThanOrEqual(width);
  });

  it.each([
    ['written to no terminal', '-old\n+new', Number.MAX_SAFE_INTEGER],
    ['narrower than 140 columns', '-old\n+new', 139],
    ['written without a width', '-old\n+new', Number.MAX_SAFE_INTEGER],
    ['of which only one side has lines', '+new', 200],
  ])('is in one column where it is %s', (_, body, width) => {
    expect(draw(body, width).some((row) => row.slice(2).includes('│'))).toBe(false);
  });
});
