import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../../contracts/review/proof.ts';
import { oneLine } from '../../../../lib/text/one-line.ts';
import { CALLS, chainOf, literalOf } from '../../findings/names.ts';
import { above, nodesOf, textOf } from '../../syntax/walk.ts';
import type { BothSides } from '../both-sides.ts';

const MAX_SHOWN = 60;
const LOADS = /^(?:require|import|require_relative|load)$/;
/** The results of `typeof`. */
const TYPES = new Set(['string', 'number', 'boolean', 'function', 'object', 'undefined', 'bigint', 'symbol']);

/**
 * Returns findings for texts and patterns in a refactoring that the old sources do not have, such as another address.
 * Mutants do not change texts, so the tests may not notice it.
 */
export function newLiterals({ oldTexts, now }: BothSides): Finding[] {
  return now.flatMap(({ path, root, text }) =>
    [...nodesOf(root)].flatMap((node) => {
      const literal = writtenText(node, text);
      if (literal === null || oldTexts.some((each) => each.includes(literal)) || namesModule(node, text)) return [];
      const words = `the refactoring adds a text that the old source does not have: ${oneLine(literal, MAX_SHOWN)}`;
      return [{ kind: 'new-literal', path, line: node.line, words }];
    }),
  );
}

/** The text of a literal. null if it has no letter or digit, because it is only a separator, and for documentation. */
function writtenText(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'regex') return textOf(node, text);
  const literal = /string/.test(node.kind) ? literalOf(node, text) : null;
  return literal === null || TYPES.has(literal) || !/[\p{L}\p{N}]/u.test(literal) || isDocumentation(node)
    ? null
    : literal;
}

function isDocumentation(node: SyntaxNode): boolean {
  return above(node, () => true)?.kind === 'expression_statement';
}

export function namesModule(node: SyntaxNode, text: string): boolean {
  // The source of an import, or of `export … from`.
  if (node.field === 'source') return true;
  const loads = (each: SyntaxNode): boolean =>
    /^import_/.test(each.kind) || (CALLS.has(each.kind) && LOADS.test(chainOf(each, text).join('.')));
  return above(node, loads) !== null;
}
