import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { above, namedChildren, operatorOf, plainText } from '../../../../syntax/walk.ts';
import { FUNCTIONS } from '../../../names.ts';

const OPERATIONS = new Set([
  ...['binary_expression', 'binary', 'comparison_operator', 'boolean_operator', 'not_operator'],
  ...['unary_expression', 'unary_op_expression', 'unary', 'return_statement', 'if_clause'],
  ...['variable_declarator', 'assignment', 'assignment_expression', 'named_expression', 'short_var_declaration'],
  ...['let_declaration', 'var_spec'],
]);
const UPDATES = new Set(['augmented_assignment_expression', 'operator_assignment']);
const CHOICES = /^(?:switch_|match_|expression_switch_|case$)/;

/**
 * Returns whether code depends on the value of a node: it is a condition, part of a comparison, a result, or assigned
 * to a variable.
 */
export function isDecisive(node: SyntaxNode, text: string): boolean {
  for (let each = node; each.parent !== null; each = each.parent) {
    const { field, parent } = each;
    if (field === 'left' && /assignment/.test(parent.kind)) return false;
    if (field === 'condition' || OPERATIONS.has(parent.kind)) return true;
    if (CHOICES.test(parent.kind) && (field === 'value' || field === 'subject')) return true;
    if (parent.kind === 'conditional_expression' && namedChildren(parent)[1] === each) return true;
    if (UPDATES.has(parent.kind)) return isLogical(parent, text);
    if (FUNCTIONS.has(parent.kind)) return field === 'body' && !/block|compound/.test(each.kind);
    if (isLastOfMethod(each)) return true;
    if (parent.kind === 'expression_statement')
      return above(parent, ({ kind }) => kind === 'try_statement' || FUNCTIONS.has(kind))?.kind === 'try_statement';
    if (/statement$|^block$/.test(parent.kind)) return false;
  }
  return false;
}

function isLogical(update: SyntaxNode, text: string): boolean {
  const operator = operatorOf(update);
  return /^(?:\?\?|\|\||&&)=$/.test(plainText(operator, text));
}

/** The last expression of a Ruby method is its result. */
function isLastOfMethod({ parent, end }: SyntaxNode): boolean {
  return parent?.kind === 'body_statement' && namedChildren(parent).at(-1)?.end === end;
}
