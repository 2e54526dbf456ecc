import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestWord } from '../../../src/lib/text/nearest-word.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['doctor', 'docter', 1],
    ['session', 'sesion', 1],
    ['stauts', 'status', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['cost', 'reset', 3],
    ['resume', 'reset', 3],
  ])('%s to %s takes %i', (a, b, distance) => expect(editDistance(a, b)).toBe(distance));

  it('is symmetric, 0 only for equal words, and at most the longer length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});

describe('nearestWord', () => {
  const words = ['doctor', 'session', 'review', 'reset', 'fs.read', 'search.grep'];
  it.each([
    ['docter', 'doctor'],
    ['DOCTOR', 'doctor'],
    ['sesion', 'session'],
    ['resume', null],
    ['cost', null],
    ['fs.raed', 'fs.read'],
    ['search_grep', 'search.grep'],
    ['', null],
  ])('%s is meant to be %s', (wanted, expected) => expect(nearestWord(wanted, words)).toBe(expected));

  it('takes a larger distance when the caller allows it', () => {
    expect(nearestWord('resume', words, 3)).toBe('reset');
  });

  it('takes the first of two that are equally close', () => expect(nearestWord('aab', ['aac', 'aad'])).toBe('aac'));

  it('answers at once for a very long word', () => {
    expect(nearestWord('x'.repeat(1_000_000), words)).toBeNull();
    expect(nearestWord(`${'x'.repeat(200)}y`, ['x'.repeat(200)])).toBe('x'.repeat(200));
  });
});
