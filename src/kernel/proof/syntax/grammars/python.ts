import { namedChildren, textOf } from '../walk.ts';
import { anotherPythonValue } from './another-value.ts';
import type { Grammar } from './grammar.ts';
import { PYTHON_CALLS } from './similar-calls.ts';
import { COMMON_OPERATORS } from './operators.ts';

export const python: Grammar = {
  functions: new Set(['function_definition', 'lambda']),
  inert: new Set([
    'comment',
    'import_statement',
    'import_from_statement',
    'future_import_statement',
    'type',
    'decorator',
  ]),
  binary: new Set(['comparison_operator', 'boolean_operator', 'binary_operator']),
  updates: new Set(['augmented_assignment']),
  branches: new Set(['if_statement', 'elif_clause']),
  negations: new Set(['not_operator']),
  loops: new Set(['for_statement', 'while_statement']),
  boundedLoops: new Set(['for_statement']),
  similarCalls: PYTHON_CALLS,
  removable: new Set(['expression_statement', 'raise_statement', 'delete_statement']),
  emptyStatement: 'pass',
  strings: new Set(['string', 'concatenated_string']),
  calls: new Set(['call']),
  emptyArgument: 'None',
  negated: (condition) => `not (${condition})`,
  operators: {
    ...COMMON_OPERATORS,
    is: ['is not'],
    'is not': ['is'],
    in: ['not in'],
    'not in': ['in'],
    and: ['or'],
    or: ['and'],
    '//': ['/'],
    '**': ['*'],
  },
  returned: (node) => {
    if (node.kind === 'return_statement') return namedChildren(node)[0] ?? null;
    return node.field === 'body' && node.parent?.kind === 'lambda' ? node : null;
  },
  replacedReturn: (expression, text) => {
    const source = textOf(expression, text);
    switch (expression.kind) {
      case 'true':
        return 'False';
      case 'false':
        return 'True';
      case 'none':
        return 'True';
      case 'integer':
      case 'float':
        return /^0*\.?0*$/.test(source) ? '1' : '0';
      case 'string':
        return /^f/i.test(source) ? anotherPythonValue(source) : source.length > 2 ? "''" : "'mutant'";
      case 'list':
        return namedChildren(expression).length > 0 ? anotherPythonValue(source) : "['mutant']";
      case 'dictionary':
        return namedChildren(expression).length > 0 ? anotherPythonValue(source) : "{'mutant': 'mutant'}";
      default:
        return anotherPythonValue(source);
    }
  },
};
