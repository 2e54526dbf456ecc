import { expect, test, vi } from 'vitest';
import { once } from '../../../../src/kernel/proof/syntax/once.ts';

test('computes a value once for each key, also where the value is undefined', () => {
  const compute = vi.fn((key: { readonly name?: string }, suffix: string) => key.name && `${key.name}${suffix}`);
  const wrapped = once(compute);
  const [named, unnamed] = [{ name: 'a' }, {}];
  expect([named, named, unnamed, unnamed].map((key) => wrapped(key, '!'))).toEqual(['a!', 'a!', undefined, undefined]);
  expect(compute.mock.calls).toEqual([
    [named, '!'],
    [unnamed, '!'],
  ]);
});
