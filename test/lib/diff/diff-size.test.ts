import { describe, expect, it } from 'vitest';
import { measureDiff } from '../../../src/lib/diff/diff-size.ts';
import { createUnifiedDiff } from '../../../src/lib/diff/unified-diff.ts';

const measured = (before: string, after: string) => measureDiff(createUnifiedDiff('a', before, after));
const repeated = (separator: string) =>
  `${Array.from({ length: 900 }, (_, index) => `line ${index}`).join(separator)}\n`;

describe('the size of a diff', () => {
  it.each([
    ['line feeds', '\n', []],
    ['carriage returns and line feeds', '\r\n', []],
    ['carriage returns', '\r', ['a carriage return inside of a line']],
    ['line separators', '\u2028', ['a line separator that git does not count']],
    ['form feeds', '\f', ['a line separator that git does not count']],
  ])('counts 900 lines that end in %s', (_what, separator, oddCharacters) => {
    expect(measured('', repeated(separator))).toMatchObject({ added: 900, removed: 0, oddCharacters });
    expect(measured(repeated(separator), '')).toMatchObject({ added: 0, removed: 900, oddCharacters });
  });

  it.each([
    ['\u202e', 'a mark that changes the order in which text is shown'],
    ['\u2066', 'a mark that changes the order in which text is shown'],
    ['\u001b[2J', 'a control character'],
    ['\u009b', 'a control character'],
  ])('sees what a person would not: %j', (text, name) => {
    expect(measured('', `a${text}b\n`).oddCharacters).toEqual([name]);
    expect(measured('', 'a\tb é \u200f\n').oddCharacters).toEqual([]);
  });

  it('sees a NUL, a long line and bytes', () => {
    expect(measured('', `a\0b\n${'é'.repeat(250_000)}\n`)).toEqual({
      added: 2,
      removed: 0,
      bytes: 500_005,
      longestLine: 250_000,
      oddCharacters: ['NUL'],
      binaryFiles: 0,
    });
  });

  it('counts files that are shown by their digests alone, and takes no line of a file for one', () => {
    expect(measureDiff('diff --git a/x b/x\nBinary files differ: nothing -> 3 bytes\n').binaryFiles).toBe(1);
    expect(measured('', 'Binary files differ\n')).toMatchObject({ added: 1, binaryFiles: 0 });
  });
});
