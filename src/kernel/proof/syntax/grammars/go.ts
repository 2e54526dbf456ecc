import { namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { C_OPERATORS } from './operators.ts';

export const go: Grammar = {
  functions: new Set(['function_declaration', 'method_declaration', 'func_literal']),
  inert: new Set(['comment', 'import_declaration', 'package_clause', 'type_declaration', 'parameter_list']),
  binary: new Set(['binary_expression']),
  updates: new Set(['assignment_statement', 'inc_statement', 'dec_statement']),
  branches: new Set(['if_statement']),
  negations: new Set(['unary_expression']),
  loops: new Set(['for_statement']),
  boundedLoops: new Set(),
  similarCalls: {},
  removable: new Set(['expression_statement']),
  emptyStatement: '',
  strings: new Set(['interpreted_string_literal', 'raw_string_literal']),
  calls: new Set(['call_expression']),
  negated: (condition) => `!(${condition})`,
  operators: C_OPERATORS,
  returned: (node) => {
    if (node.kind !== 'return_statement') return null;
    const list = namedChildren(node)[0];
    const values = list === undefined ? [] : namedChildren(list);
    // Of several values the types are not known here: the one that is a literal can be replaced, if it comes first.
    return values[0] ?? null;
  },
  replacedReturn: (expression, text) => {
    switch (expression.kind) {
      case 'true':
        return 'false';
      case 'false':
        return 'true';
      case 'int_literal':
      case 'float_literal':
        return /^0*\.?0*$/.test(textOf(expression, text)) ? '1' : '0';
      case 'interpreted_string_literal':
      case 'raw_string_literal':
        return expression.end - expression.start > 2 ? '""' : '"mutant"';
      default:
        return null;
    }
  },
};
