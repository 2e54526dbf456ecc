import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';

/**
 * How the body of a function in a compiled language is replaced. The program still builds, and a case that calls the
 * function fails.
 */
export interface HollowLanguage {
  /** Returns the new body, or null if the function must stay unchanged. */
  bodyFor(node: SyntaxNode, text: string): string | null;
  /** Adds changes that the text needs to build. `text` already has the new bodies. */
  completed?(text: string): string;
}
