/** Characters that models replace by ASCII ones, and editors the other way round. */
const RELATIVES: readonly (readonly [string, string])[] = [
  ["'", '\u2018\u2019\u201a\u201b\u2032'],
  ['"', '\u201c\u201d\u201e\u201f\u2033'],
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212'],
  [' ', '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
];

const FOLDED = new Map(RELATIVES.flatMap(([ascii, others]) => [...others].map((other) => [other, ascii] as const)));
const ANY = new RegExp(`[${[...FOLDED.keys()].join('')}]`, 'g');

/** The text with typographic quotes, dashes and spaces in ASCII. Every character keeps its index. */
export function foldUnicode(text: string): string {
  return text.replace(ANY, (character) => FOLDED.get(character) ?? character);
}
