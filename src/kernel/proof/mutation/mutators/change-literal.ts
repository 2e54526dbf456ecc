import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { ownValue } from '../../../../lib/own-value.ts';
import { isKey, textOf } from '../../syntax/walk.ts';
import type { MutatedSource, Mutator } from '../mutator.ts';

const BOOLEANS: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };
const NUMBERS = new Set(['number', 'integer', 'float', 'int_literal', 'integer_literal', 'float_literal']);

/**
 * `3` becomes `4`, and `true` becomes `false`. This also works for a change of data only. Keys of tables are left
 * unchanged: a different key would remove an entry.
 */
export const changeLiteral: Mutator = {
  name: 'change-literal',
  rank: 3,
  mutate: (node, { grammar, text }) => {
    if (isKey(node) || isReturnedWithError(node, { grammar, text })) return [];
    const source = textOf(node, text);
    const replacement = NUMBERS.has(node.kind)
      ? nextNumber(source)
      : node.named
        ? ownValue(BOOLEANS, source)
        : undefined;
    return replacement === undefined ? [] : [{ start: node.start, end: node.end, replacement }];
  },
};

/** Whether a literal in Go is returned together with an error. Callers ignore it. */
function isReturnedWithError({ parent }: SyntaxNode, { grammar, text }: MutatedSource): boolean {
  const returning = parent?.kind === 'expression_list' ? parent.parent : null;
  return returning?.kind === 'return_statement' && grammar.returned(returning, text) === null;
}

function nextNumber(source: string): string | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(source) || (source.length > 1 && source.startsWith('0') && !source.startsWith('0.')))
    return;
  const value = Number(source);
  return Number.isSafeInteger(value + 1) || source.includes('.') ? String(value + 1) : undefined;
}
