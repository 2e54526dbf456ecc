import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, childOf, kindOf, namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { C_OPERATORS } from './operators.ts';

const FUNCTIONS = new Set(['function_definition', 'lambda_expression']);
const INTEGER =
  /^(?:(?:const|static|constexpr|inline|unsigned|signed|long|short) ?)*(?:u?int(?:8|16|32|64|max|ptr)?_t|s?size_t|std::size_t|int|long|short|unsigned|char|float|double)$/;

/** C and C++. The grammar of C++ parses both. */
export const cpp: Grammar = {
  functions: FUNCTIONS,
  inert: new Set([
    'comment',
    'preproc_include',
    'preproc_def',
    'preproc_function_def',
    'preproc_call',
    'parameter_list',
    'template_parameter_list',
    'template_argument_list',
    'attribute_specifier',
    'attribute_declaration',
    'using_declaration',
    'alias_declaration',
    'type_definition',
    'static_assert_declaration',
  ]),
  binary: new Set(['binary_expression']),
  updates: new Set(['assignment_expression', 'update_expression']),
  branches: new Set(['if_statement', 'conditional_expression']),
  negations: new Set(['unary_expression']),
  loops: new Set(['for_statement', 'for_range_loop', 'while_statement', 'do_statement']),
  boundedLoops: new Set(['for_range_loop']),
  similarCalls: {},
  removable: new Set(['expression_statement']),
  emptyStatement: ';',
  strings: new Set(['string_literal', 'raw_string_literal']),
  calls: new Set(['call_expression']),
  emptyArgument: '{}',
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
      case 'number_literal':
        return /^0[xX.\d']*[uUlLfF]*$/.test(written) && !/[1-9a-fA-F]/.test(written.slice(1)) ? '1' : '0';
      case 'string_literal':
        return expression.end - expression.start > 2 ? '""' : '"mutant"';
      default:
        return replacedComputed(expression, text, written);
    }
  },
};

/** Another value of the declared type. A replacement that does not compile costs a build and shows nothing. */
function replacedComputed(expression: SyntaxNode, text: string, written: string): string | null {
  const around = above(expression, ({ kind }) => FUNCTIONS.has(kind));
  const type = around?.kind === 'function_definition' ? childOf(around, 'type') : null;
  if (around === null || type === null) return null;
  const declarator = kindOf(childOf(around, 'declarator'));
  if (declarator === 'pointer_declarator') return /^(?:NULL|nullptr|0)$/.test(written) ? null : '0';
  if (declarator !== 'function_declarator') return null;
  const name = textOf(type, text);
  if (/^(?:bool|_Bool)$/.test(name)) return `!(${written})`;
  if (INTEGER.test(name)) return `(${written}) + 1`;
  return /^(?:std::)?string$/.test(name) ? `(${written}) + " "` : null;
}
