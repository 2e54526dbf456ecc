import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { C_OPERATORS } from './operators.ts';

/** Callers that have no use for what their callback returns. */
const IGNORES_RETURN = new Set([
  ...['forEach', 'on', 'once', 'addEventListener', 'addListener', 'then', 'catch', 'finally', 'setTimeout'],
  ...['setInterval', 'setImmediate', 'queueMicrotask', 'nextTick', 'useEffect', 'describe', 'it', 'test'],
]);

/** Also for TypeScript, whose grammar adds kinds of node to this one. */
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
  removable: new Set(['expression_statement', 'throw_statement']),
  emptyStatement: ';',
  strings: new Set(['string', 'template_string']),
  calls: new Set(['call_expression', 'new_expression']),
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
  replacedReturn: (expression, text) => {
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
      case 'template_string':
        return source.length > 2 ? "''" : "'mutant'";
      case 'array':
        return namedChildren(expression).length > 0 ? '[]' : "['mutant']";
      case 'object':
        return namedChildren(expression).length > 0 ? '{}' : "{ mutant: 'mutant' }";
      case 'jsx_element':
      case 'jsx_self_closing_element':
        return 'null';
      case 'parenthesized_expression':
        return '(undefined)';
      default:
        return source.startsWith('void ') ? null : 'undefined';
    }
  },
};

function returnIsIgnored(callback: SyntaxNode, text: string): boolean {
  const call = callback.parent?.kind === 'arguments' ? callback.parent.parent : null;
  const callee = call === null ? null : childOf(call, 'function');
  const name = callee === null ? undefined : (childOf(callee, 'property') ?? callee);
  return name !== undefined && IGNORES_RETURN.has(textOf(name, text));
}
