import { expect, test } from 'vitest';
import { oneLine } from '../../../src/lib/text/one-line.ts';

test.each([
  ['plain', 'plain'],
  ['  two\n lines ', 'two  lines'],
  ['a\u001b[2Jb', 'a [2Jb'],
  ['a\u202eb', 'a b'],
  ['a\ud800b', 'a b'],
  ['x'.repeat(30), `${'x'.repeat(19)}…`],
  // Nothing that is drawn as one character is cut in half.
  ['😀'.repeat(20), `${'😀'.repeat(9)}…`],
  [`${'x'.repeat(18)} yz`, `${'x'.repeat(18)}…`],
  ['', ''],
])('%j', (text, line) => {
  expect(oneLine(text, 20)).toBe(line);
});
