import type { Raw, RawPiece } from '../text/span.ts';

/** Colours of source text. Made for each screen; the highlighter itself is loaded later. */
export interface CodeColours {
  /** The lines of a text in pieces with roles; null if its language is unknown, the text is too large, or the highlighter is not loaded yet. */
  lines(text: string, language: string): readonly (readonly RawPiece[])[] | null;
  /** The language of a file by its name, or null. */
  languageOf(path: string): string | null;
}

export const NO_COLOURS: CodeColours = { lines: () => null, languageOf: () => null };

export function plainPiece(text: string): readonly (Raw & { readonly role: 'plain' })[] {
  return text === '' ? [] : [{ raw: text, role: 'plain' }];
}
