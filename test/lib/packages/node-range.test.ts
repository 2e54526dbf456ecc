import { expect, it } from 'vitest';
import { parseNodeRange } from '../../../src/lib/packages/node-range.ts';

const MAJORS = [16, 18, 20, 22, 24];

it.each([
  ['18', [18]],
  ['v20.1.0', [20]],
  ['=20.1.0', [20]],
  ['22.x', [22]],
  ['lts/hydrogen', [18]],
  ['lts/Jod', [22]],
  ['lts-iron', [20]],
  ['^18.0.0 || ^20.9.0', [18, 20]],
  ['18||20', [18, 20]],
  ['~20.9', [20]],
  ['>=18', [18, 20, 22, 24]],
  ['>= 18 < 22', [18, 20]],
  ['>=18 <22.1.0', [18, 20, 22]],
  ['>=18 <=22', [18, 20, 22]],
  ['>18', [20, 22, 24]],
  ['>18.1', [18, 20, 22, 24]],
  ['<20', [16, 18]],
  ['<20.0.0', [16, 18]],
  ['18 - 20', [18, 20]],
  ['^18 || >=22', [18, 22, 24]],
  ['*', MAJORS],
  ['x', MAJORS],
])('%s', (text, allowed) => {
  const range = parseNodeRange(text);
  expect(MAJORS.filter((major) => range?.allows(major))).toEqual(allowed);
});

it.each([
  '',
  ' ',
  'lts/*',
  'lts/-1',
  'node',
  'stable',
  '18 ||',
  '18; 20',
  '18\u001b[2J',
  '^^18',
  `18${' '.repeat(100)}`,
])('%j names no versions', (text) => {
  expect(parseNodeRange(text)).toBeNull();
});

it('is shown in one line', () => {
  expect(parseNodeRange(' >=18\n\t<22 ')?.text).toBe('>=18 <22');
});
