const ONE_UNIT_EACH = /^[ -~]*$/;
let segmenter: Intl.Segmenter | undefined;

export interface Grapheme {
  readonly text: string;
  /** Number of UTF-16 units before it. */
  readonly at: number;
}

/**
 * Splits a text into user-perceived characters. The tables of Unicode are loaded with the first text that needs them, because that takes a tenth of a
 * start.
 */
export function graphemesOf(text: string): Grapheme[] {
  if (ONE_UNIT_EACH.test(text)) return Array.from(text, (character, at) => ({ text: character, at }));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment, index }) => ({ text: segment, at: index }));
}
