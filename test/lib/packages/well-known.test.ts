import { expect, test } from 'vitest';
import { lookAlike } from '../../../src/lib/packages/well-known.ts';

test.each([
  ['lodahs', 'lodash'],
  ['lodas', 'lodash'],
  ['expresss', 'express'],
  ['reacd', 'react'],
  ['lodash', null],
  ['left-pad', null],
  ['padded', null],
  ['vua', null],
])('%s looks like %s', (name, known) => {
  expect(lookAlike('npm', name)).toBe(known);
});
