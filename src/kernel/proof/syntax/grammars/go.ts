import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { firstText } from '../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { C_OPERATORS } from './operators.ts';

const FUNCTIONS = new Set(['function_declaration', 'method_declaration', 'func_literal']);

export const go: Grammar = {
  functions: FUNCTIONS,
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
  emptyArgument: null,
  negated: (condition) => `!(${condition})`,
  operators: C_OPERATORS,
  returned: (node, text) => {
    if (node.kind !== 'return_statement') return null;
    const list = namedChildren(node)[0];
    const values = namedChildren(list);
    const [first = null, ...others] = values;
    const last = others.at(-1);
    // Callers ignore a value that is returned together with an error.
    const isError = last !== undefined && resultTypes(node, text).at(-1) === 'error' && textOf(last, text) !== 'nil';
    return isError ? null : first;
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
        return replacedComputed(textOf(expression, text), firstText(resultTypes(expression, text)));
    }
  },
};

/** Another value of the declared type. A replacement that does not compile costs a build and shows nothing. */
function replacedComputed(written: string, type: string): string | null {
  if (/^(?:u?int(?:8|16|32|64)?|float(?:32|64)|byte|rune)$/.test(type)) return `(${written}) + 1`;
  if (type === 'string') return `(${written}) + " "`;
  if (type === 'bool') return `!(${written})`;
  return /^(?:\*|\[\]|map\[|error$)/.test(type) && written !== 'nil' ? 'nil' : null;
}

/** The result types that the function around a node declares. */
function resultTypes(node: SyntaxNode, text: string): string[] {
  const around = above(node, ({ kind }) => FUNCTIONS.has(kind));
  const result = childOf(around, 'result');
  if (result === null) return [];
  if (result.kind !== 'parameter_list') return [textOf(result, text)];
  return namedChildren(result).flatMap((each) => {
    const type = textOf(childOrSelf(each, 'type'), text);
    const names = each.children.filter(({ field }) => field === 'name');
    return Array.from({ length: Math.max(1, names.length) }, () => type);
  });
}
