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

test.each([
  ['github.com/strechr/testify', 'github.com/stretchr/testify'],
  ['github.com/golang-jwt/jwtt/v5', 'github.com/golang-jwt/jwt'],
  ['github.com/golang-jwt/jwt/v5', null],
  ['gopkg.in/yaml.v2', null],
])('the module %s looks like %s', (name, known) => {
  expect(lookAlike('go', name)).toBe(known);
});
