import { namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { C_OPERATORS } from './operators.ts';

const TESTS = /^#\s*\[\s*(?:cfg\s*\(\s*test\s*\)|(?:\w+::)?test)\s*\]$/;

export const rust: Grammar = {
  functions: new Set(['function_item', 'closure_expression']),
  inert: new Set([
    'line_comment',
    'block_comment',
    'use_declaration',
    'extern_crate_declaration',
    'attribute_item',
    'inner_attribute_item',
    'struct_item',
    'enum_item',
    'type_item',
    'parameters',
    'closure_parameters',
    'type_arguments',
    'type_parameters',
    'where_clause',
    'macro_definition',
  ]),
  isTest: (node, text) => {
    const siblings = node.parent?.children ?? [];
    const before = siblings.slice(0, siblings.indexOf(node)).reverse();
    const last = before.findIndex(({ kind }) => kind !== 'attribute_item' && !kind.endsWith('comment'));
    return before.slice(0, last === -1 ? before.length : last).some((each) => TESTS.test(textOf(each, text)));
  },
  binary: new Set(['binary_expression']),
  updates: new Set(['compound_assignment_expr', 'assignment_expression']),
  branches: new Set(['if_expression']),
  negations: new Set(['unary_expression']),
  loops: new Set(['for_expression', 'while_expression', 'loop_expression']),
  boundedLoops: new Set(['for_expression']),
  similarCalls: {},
  removable: new Set(['expression_statement']),
  emptyStatement: '',
  strings: new Set(['string_literal', 'raw_string_literal']),
  calls: new Set(['call_expression', 'macro_invocation']),
  emptyArgument: 'Default::default()',
  negated: (condition) => `!(${condition})`,
  operators: C_OPERATORS,
  returned: (node) => {
    if (node.kind === 'return_expression') return namedChildren(node)[0] ?? null;
    if (node.kind !== 'block' || node.parent?.kind !== 'function_item') return null;
    const last = namedChildren(node).at(-1);
    return last === undefined || /_(?:statement|item|declaration|comment|definition)$/.test(last.kind) ? null : last;
  },
  replacedReturn: (expression, text) => {
    const written = textOf(expression, text);
    switch (expression.kind) {
      case 'boolean_literal':
        return written === 'true' ? 'false' : 'true';
      case 'integer_literal':
      case 'float_literal':
        return /^0[\d._]*$/.test(written) ? '1' : '0';
      case 'string_literal':
      case 'raw_string_literal':
        return expression.end - expression.start > 2 ? '""' : '"mutant"';
      default:
        if (/^Some\(/.test(written)) return 'None';
        // A mutant of a type without a default does not build, so it does not count.
        return /^(?:None|Default::default\(\)|\(\))$/.test(written) ? null : 'Default::default()';
    }
  },
};
