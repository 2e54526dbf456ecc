import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, namedChildren, textOf } from '../walk.ts';
import { anotherJavascriptValue } from './another-value.ts';
import type { Grammar, Replacement } from './grammar.ts';
import { JAVASCRIPT_CALLS } from './similar-calls.ts';
import { C_OPERATORS } from './operators.ts';

/** Functions that ignore the value that their callback returns. */
const IGNORES_RETURN = new Set([
  ...['forEach', 'on', 'once', 'addEventListener', 'addListener', 'then', 'catch', 'finally', 'setTimeout'],
  ...['setInterval', 'setImmediate', 'queueMicrotask', 'nextTick', 'useEffect', 'describe', 'it', 'test'],
]);

/** `return res.json(user)`, `return next(error)`: the return only ends the function, and callers ignore the value. */
const ENDS_BY_CALL = /^(?:await\s+)?(?:res|response|reply|next|callback|cb|done|resolve|reject)\b\s*[.(]/;

export const javascript: Grammar = {
  functions: new Set([
    ...['function_declaration', 'function_expression', 'arrow_function', 'method_definition'],
    ...['generator_function', 'generator_function_declaration'],
  ]),
  inert: new Set([
    ...['comment', 'import_statement', 'type_annotation', 'type_arguments', 'type_parameters', 'literal_type'],
    ...['type_alias_declaration', 'interface_declaration', 'ambient_declaration', 'type_predicate', 'union_type'],
    ...['function_signature', 'abstract_method_signature', 'method_signature', 'property_signature', 'decorator'],
  ]),
  binary: new Set(['binary_expression']),
  updates: new Set(['augmented_assignment_expression', 'update_expression']),
  branches: new Set(['if_statement', 'ternary_expression']),
  negations: new Set(['unary_expression']),
  loops: new Set(['for_statement', 'for_in_statement', 'while_statement', 'do_statement']),
  boundedLoops: new Set(['for_in_statement']),
  similarCalls: JAVASCRIPT_CALLS,
  removable: new Set(['expression_statement', 'throw_statement']),
  emptyStatement: ';',
  strings: new Set(['string', 'template_string']),
  calls: new Set(['call_expression', 'new_expression']),
  emptyArgument: 'undefined',
  negated: (condition) => (condition.startsWith('(') ? `(!${condition})` : `!(${condition})`),
  operators: {
    ...C_OPERATORS,
    '===': ['!=='],
    '!==': ['==='],
    '??': ['&&'],
    '**': ['*'],
    '>>>': ['<<'],
    '%=': ['*='],
    '||=': ['&&='],
    '&&=': ['||='],
    '??=': ['&&='],
  },
  returned: (node, text) => {
    if (node.kind === 'return_statement') return namedChildren(node)[0] ?? null;
    if (node.field !== 'body' || node.parent?.kind !== 'arrow_function') return null;
    return node.kind === 'statement_block' || returnIsIgnored(node.parent, text) ? null : node;
  },
  replacedReturn: (expression, text) => replacedReturn(expression, text, ''),
};

/** The grammar of TypeScript adds node kinds to the grammar of JavaScript. */
export const typescript: Grammar = {
  ...javascript,
  emptyArgument: '(undefined as any)',
  replacedReturn: (expression, text) => replacedReturn(expression, text, 'any'),
};

function replacedReturn(expression: SyntaxNode, text: string, type: '' | 'any'): Replacement | null {
  const source = textOf(expression, text);
  switch (expression.kind) {
    case 'true':
      return 'false';
    case 'false':
      return 'true';
    case 'null':
    case 'undefined':
      return 'true';
    case 'number':
      return /^0?\.?0*$/.test(source) ? '1' : '0';
    case 'string':
      return source.length > 2 ? "''" : "'mutant'";
    case 'jsx_element':
    case 'jsx_self_closing_element':
      return 'null';
    case 'array':
      if (namedChildren(expression).length === 0) return "['mutant']";
      break;
    case 'object':
      if (namedChildren(expression).length === 0) return "{ mutant: 'mutant' }";
  }
  if (source.startsWith('void ') || ENDS_BY_CALL.test(source)) return null;
  return isCompared(expression, text) ? 'undefined' : anotherJavascriptValue(source, type);
}

/**
 * Whether the value is the result of a comparison function. The next number often has the same sign, so it would have
 * the same meaning.
 */
function isCompared({ parent }: SyntaxNode, text: string): boolean {
  return parent !== null && /^(?:sort|toSorted)$/.test(textOf(calleeOf(parent), text));
}

function returnIsIgnored(callback: SyntaxNode, text: string): boolean {
  return IGNORES_RETURN.has(textOf(calleeOf(callback), text));
}

/** The name of the function or method that receives this callback. */
function calleeOf(callback: SyntaxNode): SyntaxNode | null {
  const call = callback.parent?.kind === 'arguments' ? callback.parent.parent : null;
  const callee = childOf(call, 'function');
  return callee === null ? null : childOrSelf(callee, 'property');
}
