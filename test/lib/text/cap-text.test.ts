import { describe, expect, it } from 'vitest';
import { capText } from '../../../src/lib/text/cap-text.ts';

describe('capText', () => {
  it.each([
    ['short text as it is', 'abc', 3, 'abc'],
    ['long text with an ellipsis inside the limit', 'abcd', 3, 'ab…'],
    ['no half of a surrogate pair at the cut', 'ab😀cd', 4, 'ab…'],
    ['no lone surrogate', 'a\ud800b', 10, 'a\ufffdb'],
  ])('leaves %s', (_name, text, max, expected) => {
    const capped = capText(text, max);
    expect(capped).toBe(expected);
    expect(capped.isWellFormed()).toBe(true);
  });
});
