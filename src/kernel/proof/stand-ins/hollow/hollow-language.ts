import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';

/** How a function of a compiled language is emptied: the program is still built, and ends the case that calls the function. */
export interface HollowLanguage {
  /** The body that takes the place of a function's own; null for a function that has to stay as it is. */
  bodyFor(node: SyntaxNode, text: string): string | null;
  /** What the text needs beside that, so that it is built; `text` has the emptied functions. */
  completed?(text: string): string;
}
