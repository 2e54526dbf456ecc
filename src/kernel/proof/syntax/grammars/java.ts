import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { C_OPERATORS } from './operators.ts';

const FUNCTIONS = new Set([
  'method_declaration',
  'constructor_declaration',
  'compact_constructor_declaration',
  'lambda_expression',
]);

export const java: Grammar = {
  functions: FUNCTIONS,
  inert: new Set([
    'line_comment',
    'block_comment',
    'import_declaration',
    'package_declaration',
    'annotation',
    'marker_annotation',
    'formal_parameters',
    'type_arguments',
    'type_parameters',
    'superclass',
    'super_interfaces',
    'throws',
  ]),
  binary: new Set(['binary_expression']),
  updates: new Set(['assignment_expression', 'update_expression']),
  branches: new Set(['if_statement', 'ternary_expression']),
  negations: new Set(['unary_expression']),
  loops: new Set(['for_statement', 'enhanced_for_statement', 'while_statement', 'do_statement']),
  boundedLoops: new Set(['enhanced_for_statement']),
  similarCalls: {},
  removable: new Set(['expression_statement']),
  emptyStatement: ';',
  strings: new Set(['string_literal']),
  calls: new Set(['method_invocation', 'object_creation_expression']),
  emptyArgument: 'null',
  // The condition of `if` includes its parentheses; the condition of `?:` has none.
  negated: (condition) => `(!(${condition}))`,
  operators: C_OPERATORS,
  returned: (node) => (node.kind === 'return_statement' ? (namedChildren(node)[0] ?? null) : null),
  replacedReturn: (expression, text) => {
    const written = textOf(expression, text);
    switch (expression.kind) {
      case 'true':
        return 'false';
      case 'false':
        return 'true';
      case 'decimal_integer_literal':
      case 'decimal_floating_point_literal':
        return /^0[\d._]*[lLfFdD]?$/.test(written) ? '1' : '0';
      case 'string_literal':
        return expression.end - expression.start > 2 ? '""' : '"mutant"';
      default:
        return replacedComputed(expression, written);
    }
  },
};

/**
 * Another value of the type that the method declares. A replacement that does not compile costs a build and shows
 * nothing.
 */
function replacedComputed(expression: SyntaxNode, written: string): string | null {
  const method = above(expression, ({ kind }) => FUNCTIONS.has(kind));
  switch (method === null ? undefined : childOf(method, 'type')?.kind) {
    case undefined:
      return null;
    case 'boolean_type':
      return `!(${written})`;
    case 'integral_type':
    case 'floating_point_type':
      return '0';
    default:
      return written === 'null' ? null : 'null';
  }
}
