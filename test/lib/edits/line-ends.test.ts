import { expect, it } from 'vitest';
import { alignLines } from '../../../src/lib/edits/align-lines.ts';
import { indentShift } from '../../../src/lib/edits/indent-shift.ts';
import { splitLines } from '../../../src/lib/edits/line-ends.ts';
import { describeNearest } from '../../../src/lib/edits/nearest-lines.ts';
import { matchLines } from '../../../src/lib/edits/match-lines.ts';

it.each<readonly [string, object]>([
  ['', { lines: [], ends: [] }],
  ['a', { lines: ['a'], ends: ['\n'] }],
  ['a\r\nb', { lines: ['a', 'b'], ends: ['\r\n', '\r\n'] }],
  ['a\n\n', { lines: ['a', ''], ends: ['\n', '\n'] }],
])('%j is divided into lines and their ends', (text, expected) => {
  expect(splitLines(text)).toEqual(expected);
});

it.each([
  ['', 'x', 'The file is empty. Use fs.write to give it content.'],
  ['a\n', ' \n\t', 'old_string contains only white space, and it was not found.'],
  ['abc\n', 'xyz', 'old_string does not occur in the file, and nothing in it is similar. Read the file again.'],
])('of a text %j that does not hold %j it is said why', (text, wanted, message) => {
  expect(describeNearest(text, wanted)).toBe(message);
});

it('nothing is found of lines that are all blank', () => {
  expect(matchLines(['a', '', 'b'], ['', ' '], ['x'])).toEqual({ kind: 'none' });
  expect(matchLines(['a', '', 'b'], [], ['x'])).toEqual({ kind: 'none' });
});

it('very many lines are aligned at their beginning and end alone', () => {
  const before = Array.from({ length: 5_000 }, (_, index) => `old ${index}`);
  const after = before.map((_, index) => `new ${index}`);
  const aligned = alignLines(['head', ...before, 'same', 'tail'], ['head', 'same', ...after, 'tail']);
  expect([aligned[0], aligned[1], aligned.at(-1)]).toEqual([0, null, before.length + 2]);
});

it.each<readonly [string, [string, string][], string, string | null]>([
  ['the same', [['  ', '  ']], '    ', '    '],
  [
    'a prefix more',
    [
      ['', '  '],
      ['  ', '    '],
    ],
    '    ',
    '      ',
  ],
  [
    'a prefix less',
    [
      ['  ', ''],
      ['    ', '  '],
    ],
    '      ',
    '    ',
  ],
  [
    'another unit',
    [
      ['  ', '\t'],
      ['    ', '\t\t'],
    ],
    '      ',
    '\t\t\t',
  ],
])('an indent of %s is taken over', (_what, pairs, indent, expected) => {
  const shift = indentShift(pairs.map(([model, file]) => ({ model, file })));
  expect(shift?.(indent)).toBe(expected);
});

it.each<readonly [string, [string, string][]]>([
  [
    'nothing in the model',
    [
      ['', '  '],
      ['', '    '],
    ],
  ],
  [
    'nothing in the file',
    [
      ['  ', ''],
      ['    ', ''],
    ],
  ],
  [
    'no rule',
    [
      ['  ', '   '],
      ['   ', '  '],
    ],
  ],
])('indents with %s are not taken over', (_what, pairs) => {
  expect(indentShift(pairs.map(([model, file]) => ({ model, file })))).toBeNull();
});
