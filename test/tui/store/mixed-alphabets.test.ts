import { describe, expect, it } from 'vitest';
import { mixedAlphabets } from '../../../src/tui/store/mixed-alphabets.ts';

describe('words that are not what they look like', () => {
  it.each([
    ['a Cyrillic а in a Latin name', '+if (user.is\u0410dmin) {', ['isАdmin is spelled is\\u{410}dmin']],
    ['a Greek omicron', '+import { passw\u03bfrd }', ['passwοrd is spelled passw\\u{3bf}rd']],
    ['each once', '+p\u0430y(p\u0430y)', ['pаy is spelled p\\u{430}y']],
    ['no plain code', '+const admin = naïve || größe;', []],
    ['no text in one alphabet', '+// Проверка имени: ура', []],
    ['no names of formulas', '+const Δt = μs * σx;', []],
    ['no Japanese names', '+const 名前name = 1;', []],
  ])('%s', (_, text, words) => {
    expect(mixedAlphabets(text)).toEqual(words.map((word) => `Mixed alphabets: ${word}.`));
  });

  it('are named up to a number, the rest counted', () => {
    const text = Array.from({ length: 8 }, (_, index) => `\u0430x${index}`).join(' ');
    expect(mixedAlphabets(text)).toHaveLength(6);
    expect(mixedAlphabets(text).at(-1)).toContain('3 more words');
  });
});
