import { expect, it } from 'vitest';
import { objectIn } from '../../../src/kernel/packages/package-json.ts';

it.each([null, undefined, 'text', 7, true])('a section of a manifest that is %j has nothing in it', (value) => {
  expect(objectIn(value)).toEqual({});
});

it('a section that is an object is itself', () => {
  expect(objectIn({ ms: '1' })).toEqual({ ms: '1' });
});
