import { describe, expect, it } from 'vitest';
import { listFirst } from '../../../src/lib/text/list-first.ts';

describe('listFirst', () => {
  it.each([
    { items: [], said: '' },
    { items: ['a', 'b'], said: 'a, b' },
    { items: ['a', 'b', 'c'], said: 'a, b and 1 more' },
    { items: ['a', 'b', 'c', 'd'], said: 'a, b and 2 more' },
  ])('names two of $items as "$said"', ({ items, said }) => {
    expect(listFirst(items, { max: 2 })).toBe(said);
  });

  it('names no more than it has to', () => {
    const asked: string[] = [];
    const name = (item: string) => (asked.push(item), `<${item}>`);
    expect(listFirst(['a', 'b', 'c'], { max: 1, name })).toBe('<a> and 2 more');
    expect(asked).toEqual(['a']);
  });

  it('takes another separator', () => {
    expect(listFirst(['a', 'b'], { max: 2, separator: '; ' })).toBe('a; b');
  });
});
