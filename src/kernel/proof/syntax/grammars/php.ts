import { namedChildren, textOf } from '../walk.ts';
import { C_OPERATORS } from './operators.ts';
import type { Grammar } from './grammar.ts';

export const php: Grammar = {
  functions: new Set(['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function']),
  inert: new Set([
    ...['comment', 'php_tag', 'text_interpolation', 'namespace_definition', 'namespace_use_declaration'],
    ...['declare_statement', 'attribute_list', 'base_clause', 'class_interface_clause', 'use_declaration'],
    ...['formal_parameters', 'type_list', 'union_type', 'named_type', 'primitive_type', 'optional_type'],
    ...['visibility_modifier', 'static_modifier', 'final_modifier', 'abstract_modifier', 'readonly_modifier'],
  ]),
  binary: new Set(['binary_expression']),
  updates: new Set(['augmented_assignment_expression', 'update_expression']),
  branches: new Set(['if_statement', 'else_if_clause', 'conditional_expression']),
  negations: new Set(['unary_op_expression']),
  loops: new Set(['for_statement', 'foreach_statement', 'while_statement', 'do_statement']),
  boundedLoops: new Set(['foreach_statement']),
  similarCalls: {},
  removable: new Set(['expression_statement', 'echo_statement']),
  emptyStatement: ';',
  strings: new Set(['string', 'encapsed_string', 'heredoc', 'nowdoc']),
  calls: new Set([
    ...['function_call_expression', 'member_call_expression', 'nullsafe_member_call_expression'],
    ...['scoped_call_expression', 'object_creation_expression'],
  ]),
  emptyArgument: 'null',
  negated: (condition) => `(!(${condition}))`,
  operators: {
    ...C_OPERATORS,
    '===': ['!=='],
    '!==': ['==='],
    '**': ['*'],
    and: ['or'],
    or: ['and'],
    '.=': ['='],
  },
  returned: (node) => (node.kind === 'return_statement' ? (namedChildren(node)[0] ?? null) : null),
  replacedReturn: (expression, text) => {
    const written = textOf(expression, text);
    switch (expression.kind) {
      case 'boolean':
        return /^true$/i.test(written) ? 'false' : 'true';
      case 'null':
        return 'true';
      case 'integer':
      case 'float':
        return /^0*\.?0*$/.test(written) ? '1' : '0';
      case 'string':
      case 'encapsed_string':
        return written.length > 2 ? "''" : "'mutant'";
      case 'array_creation_expression':
        return namedChildren(expression).length > 0 ? '[]' : "['mutant']";
      default:
        return 'null';
    }
  },
};
