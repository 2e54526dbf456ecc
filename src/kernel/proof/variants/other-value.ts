import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { ownValue } from '../../../lib/own-value.ts';
import type { Edit } from '../mutation/mutator.ts';
import { nodesOf, textOf } from '../syntax/walk.ts';

const NUMBERS =
  /^(?:number|integer|float|int_literal|integer_literal|float_literal|decimal_(?:integer|floating_point)_literal)$/;
const STRINGS = /^(?:string|template_string|string_literal|interpreted_string_literal|raw_string_literal)$/;
const BOOLEANS: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };
/** A number with more digits may not fit its type. */
const MAX_DIGITS = 15;

/**
 * Returns an edit of the first literal in a constant that can be replaced by another value of the same type; null if
 * there is no such literal.
 */
export function otherValue(constant: SyntaxNode, text: string): Edit | null {
  for (const node of nodesOf(constant)) {
    const edit = otherLiteral(node, text);
    if (edit !== null) return edit;
  }
  return null;
}

function otherLiteral(node: SyntaxNode, text: string): Edit | null {
  const source = textOf(node, text);
  if (NUMBERS.test(node.kind)) {
    const [, digits = '', rest = ''] = /^(\d+)((?:\.\d+)?(?:_?[a-zA-Z]\w*)?)$/.exec(source) ?? [];
    if (digits === '' || digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return null;
    // A smaller number where possible, because the present one may be the maximum of its type: 255. It is far from the
    // present number, so that no tolerance accepts both.
    const value = Number(digits);
    const other = value > 4 ? Math.floor(value / 2) : value > 1 ? value - 1 : value + 1;
    return { start: node.start, end: node.end, replacement: `${other}${rest}` };
  }
  if (STRINGS.test(node.kind)) {
    const quote = /("""|'''|["'`])$/.exec(source)?.[1];
    if (quote === undefined || source.includes('${')) return null;
    return { start: node.end - quote.length, end: node.end - quote.length, replacement: 'x' };
  }
  const replacement =
    node.children.length === 0 || node.kind === 'boolean_literal' ? ownValue(BOOLEANS, source) : undefined;
  return replacement === undefined ? null : { start: node.start, end: node.end, replacement };
}
