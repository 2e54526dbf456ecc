import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, textOf } from '../syntax/walk.ts';

const WHOLE = /^(?:module\.)?exports$/;
const MEMBER = /^(?:module\.)?exports\.(?<name>[\w$]+)$/;
const NAMES = new Set(['identifier', 'shorthand_property_identifier']);
const VALUES = new Set([...NAMES, 'arrow_function', 'function_expression', 'function', 'class']);

/**
 * Returns the names that a CommonJS statement exports: `module.exports = { a, b: c }`, `module.exports = a`, `exports.a
 * = function () {}`. null for any other statement, and if the exported value is computed.
 */
export function commonJsExports(statement: SyntaxNode, text: string): readonly string[] | null {
  const [assignment] = statement.kind === 'expression_statement' ? namedChildren(statement) : [];
  if (assignment?.kind !== 'assignment_expression') return null;
  const [left, right] = [childOf(assignment, 'left'), childOf(assignment, 'right')];
  if (left === null || right === null) return null;
  const target = textOf(left, text);
  const member = MEMBER.exec(target)?.groups?.['name'];
  if (member !== undefined) return VALUES.has(right.kind) ? [member] : null;
  if (!WHOLE.test(target)) return null;
  if (NAMES.has(right.kind)) return [textOf(right, text)];
  return right.kind === 'object' ? namesOfObject(right, text) : null;
}

function namesOfObject(object: SyntaxNode, text: string): readonly string[] | null {
  const names = namedChildren(object).flatMap((entry) => {
    if (entry.kind === 'comment') return [];
    if (NAMES.has(entry.kind)) return [textOf(entry, text)];
    const [key, value] = [childOf(entry, 'key'), childOf(entry, 'value')];
    const isPlain = key?.kind === 'property_identifier' && value !== null && VALUES.has(value.kind);
    return isPlain ? [textOf(key, text)] : [null];
  });
  return names.every((name) => name !== null) ? names : null;
}
