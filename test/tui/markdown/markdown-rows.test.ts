import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_COLOURS } from '../../../src/tui/code/code-colours.ts';
import { markdownRows } from '../../../src/tui/markdown/markdown-rows.ts';
import { rowCells } from '../../../src/tui/text/cut-row.ts';
import { createPainter } from '../../../src/tui/text/paint.ts';
import { hostileText, unsafeIn } from '../../support/hostile-text.ts';

const painter = createPainter('none', 0);
const draw = (text: string, width = 80) =>
  markdownRows(text, { width, colours: NO_COLOURS, margin: [] }).map((row) => painter.row(row).trimEnd());

describe('the text of a model', () => {
  it.each([
    ['a heading', '## Done **well**', ['Done well']],
    ['emphasis', 'a **b** *c* ~~d~~ `e`', ['a b c d e']],
    ['a paragraph of several lines', 'one\ntwo', ['one two']],
    ['hard line breaks', 'one  \ntwo\\\nthree<br>four', ['one', 'two', 'three', 'four']],
    ['runs of blanks as one', `a${'\u00a0'.repeat(90)}b`, ['a b']],
    ['frames in prose in ASCII, in code as they are', '╭─ │\n\n```\n│\n```', ['+- |', '', '  │']],
    ['a list', '- a\n- b\n  - c', ['• a', '• b', '  • c']],
    ['a numbered list that goes on', '3. a\n4. b', ['3. a', '4. b']],
    ['tasks', '- [x] a\n- [ ] b', ['✓ a', '☐ b']],
    ['a quote', '> a\n> b', ['▌ a b']],
    ['code', '```js\nif (a) {\n  b();\n}\n```', ['  if (a) {', '    b();', '  }']],
    [
      'the columns of a table as they are aligned',
      '| left | right | middle |\n|:--|--:|:-:|\n| a | 1 | b |\n| aaaa | 1,000 | bbbbbbbb |',
      ['left  right   middle', '────  ─────  ────────', 'a         1     b', 'aaaa  1,000  bbbbbbbb'],
    ],
    ['a table', '| a | b |\n|---|---|\n| 1 | long |', ['a  b', '─  ────', '1  long']],
    ['a link', '[docs](https://x.example/a)', ['docs (https://x.example/a)']],
    ['an address', 'see https://x.example/a', ['see https://x.example/a']],
    ['HTML as it was written', '<b>a</b>', ['<b>a</b>']],
    ['an entity as it was written', 'a &lt; b', ['a &lt; b']],
    ['blocks apart', '# a\n\nb\n\n- c', ['a', '', 'b', '', '• c']],
  ])('%s', (_, text, rows) => {
    expect(draw(text)).toEqual(rows);
  });

  it('wraps the cells of a table that is too wide', () => {
    expect(draw('| name | what |\n|---|---|\n| a | long words here |\n| b | c |', 18)).toEqual([
      'name  what',
      '────  ────────────',
      'a     long words',
      '      here',
      '',
      'b     c',
    ]);
  });

  it('draws a table of which the columns would be too narrow one cell a line', () => {
    expect(draw('| name | what |\n|---|---|\n| a | long words here |', 14)).toEqual([
      'name: a',
      'what: long',
      '  words here',
    ]);
  });

  it('leads to addresses of the web and to nothing else', () => {
    const colourful = createPainter('dark', 3);
    const link = (text: string) =>
      markdownRows(text, { width: 80, colours: NO_COLOURS, margin: [] })
        .map((row) => colourful.row(row))
        .join('');
    expect(link('[a](https://x.example/a)')).toContain('\u001b]8;;https://x.example/a\u001b\\');
    for (const text of ['[a](file:///etc/passwd)', '[a](javascript:x)', '[a](<https://x.example/\u001b\\>)'])
      expect(link(text)).not.toMatch(/\]8;;(file|javascript|[^\\]*\u001b[^\\])/);
  });

  it('has no terminal act on it, and no row wider than the terminal', () => {
    const marks = fc.constantFrom(
      '# ',
      '- ',
      '> ',
      '```\n',
      '| a | b |\n|---|---|\n',
      '**',
      '`',
      '[x](',
      ')',
      '\n\n',
      '1. ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(marks, hostileText), { maxLength: 12 }),
        fc.integer({ min: 20, max: 120 }),
        (pieces, width) => {
          const text = pieces.join('');
          // Lists and quotes in each other keep some room for their text, however narrow the terminal is.
          const nests = /(?:[-+*>]|\d[.)])\s/.test(text);
          for (const row of markdownRows(text, { width, colours: NO_COLOURS, margin: [] })) {
            expect(unsafeIn(painter.row(row))).toEqual([]);
            expect(painter.row(row)).not.toContain('\n');
            if (!nests) expect(rowCells(row)).toBeLessThanOrEqual(width);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('text that is too much for the parser', () => {
  const deep = 10_000;
  it.each([
    ['quotes in one line', '>'.repeat(deep)],
    ['quotes in a line of fair length', '> '.repeat(900)],
    ['lists in one line', '- '.repeat(deep)],
    ['numbered lists in one line', '1. '.repeat(600)],
    ['brackets in one line', '['.repeat(deep)],
    ['a list on many lines', Array.from({ length: 900 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')],
    ['a list with empty lines', Array.from({ length: 900 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n\n')],
    ['a block without an end', 'some words\n'.repeat(2_000)],
  ])('shows %s as it was written', (_, text) => {
    const rows = draw(`# Before\n\n${text}\n\n# After`);
    expect([rows[0], rows.at(-1)]).toEqual(['Before', 'After']);
    expect(rows.join('').replaceAll(' ', '')).toContain(text.slice(-20).replaceAll(/[ \n]/g, ''));
  });

  it('draws the rest around a line that is too long, and a rule of many dashes', () => {
    expect(draw(`- a\n\n${'>'.repeat(60)}\n\n- b\n\n${'-'.repeat(60)}`)).toEqual([
      '• a',
      '',
      '>'.repeat(60),
      '',
      '• b',
      '',
      '───',
    ]);
  });
});
