import { expect, it } from 'vitest';
import { withLine } from '../../../src/lib/edits/with-line.ts';

it.each([
  ['', '- x\n'],
  ['# Notes', '# Notes\n\n- x\n'],
  ['# Notes\n\n- a\n', '# Notes\n\n- a\n- x\n'],
  ['# Notes\n\n- a', '# Notes\n\n- a\n- x\n'],
  ['Prose.\n\n', 'Prose.\n\n- x\n'],
  ['- a\r\n', '- a\r\n- x\r\n'],
  ['# Notes\r\n', '# Notes\r\n\r\n- x\r\n'],
])('a point at the end of %j makes %j', (before, after) => {
  expect(withLine(before, 'x')).toBe(after);
});
