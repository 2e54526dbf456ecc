import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CodeColours } from '../../../src/tui/code/code-colours.ts';
import { highlightedLines } from '../../../src/tui/code/highlighted-lines.ts';
import { loadHighlighter } from '../../../src/tui/code/load-highlighter.ts';

let colours: CodeColours;
beforeAll(async () => {
  colours = await loadHighlighter();
});

const joined = (lines: ReturnType<CodeColours['lines']>) =>
  lines?.map((line) => line.map(({ raw }) => raw).join('')).join('\n');

describe('the colours of source text', () => {
  it('name the parts of a line, also of a text in quotes that goes over several', () => {
    expect(colours.lines("const a = 'x'; // why", 'typescript')).toEqual([
      [
        { raw: 'const', role: 'keyword' },
        { raw: ' a = ', role: 'plain' },
        { raw: "'x'", role: 'string' },
        { raw: '; ', role: 'plain' },
        { raw: '// why', role: 'comment' },
      ],
    ]);
    expect(colours.lines('a = """x\ny"""', 'python')?.[1]).toEqual([{ raw: 'y"""', role: 'string' }]);
  });

  it.each([
    ['src/a.ts', 'typescript'],
    ['Dockerfile', 'dockerfile'],
    ['a/b.PY', 'python'],
    ['ts', 'typescript'],
    ['kotlin', 'kotlin'],
    ['fix.patch', 'diff'],
    ['LICENSE', null],
    ['constructor', null],
  ])('%s is %s', (path, language) => {
    expect(colours.languageOf(path)).toBe(language);
  });

  it('tell the lines of a diff that are gone from those that are new', () => {
    expect(colours.lines('- old\n+ new', 'diff')).toEqual([
      [{ raw: '- old', role: 'number' }],
      [{ raw: '+ new', role: 'string' }],
    ]);
  });

  it('know a name that every object has', () => {
    const text = 'class A {\n  constructor() {}\n  toString() {}\n}';
    expect(joined(colours.lines(text, 'typescript'))).toBe(text);
    expect(joined(colours.lines('constructor', 'typescript'))).toBe('constructor');
    expect(highlightedLines('<span class="hljs-constructor">a</span>', 'a')).toEqual([[{ raw: 'a', role: 'plain' }]]);
  });

  it('never change a character', () => {
    const piece = fc.constantFrom(
      '<',
      '&amp;',
      '&',
      '</span>',
      '"',
      "'",
      '`',
      '${',
      '}',
      '/*',
      '\n',
      '\r\n',
      '#',
      'const ',
      '\u2028',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.constantFrom('typescript', 'python', 'xml', 'markdown'),
        (pieces, language) => {
          const text = pieces.join('');
          expect([undefined, text]).toContain(joined(colours.lines(text, language)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are left out where the highlighter returns another text, and where a line is too long', () => {
    expect(highlightedLines('<span class="hljs-keyword">const</span> b', 'const a')).toBeNull();
    expect(colours.lines('x'.repeat(5000), 'typescript')).toBeNull();
  });
});
