import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import type { Inspection } from '../finding.ts';
import { CALLS, FUNCTIONS, literalOf } from '../names.ts';
import { addedNodes } from '../added-nodes.ts';

const DECLARED = new Set([
  ...['function_declaration', 'method_definition', 'function_definition', 'function_item', 'method_declaration'],
]);
const CALLING = new Set([...CALLS, 'method_invocation', 'object_creation_expression', 'macro_invocation']);
const NAMES = new Set(['identifier', 'this', 'self', 'super', 'field_identifier', 'shorthand_property_identifier']);
const CONSTANTS = /^(?:null|none|nil|true|false|undefined|None|True|False|boolean_literal|unit_expression)$/;
/** What others demand by its name, and what answers for all objects alike. */
const RECEIVERS = /^(?:self|cls|&self|&mut self|this)$/;

/** A function whose answer is the same whatever it is given. */
export const constantAnswer: Inspection = {
  kind: 'constant-answer',
  *look(file) {
    const { text } = file;
    for (const node of addedNodes(file)) {
      if (!FUNCTIONS.has(node.kind) || !isNamed(node) || !hasParameters(node, text)) continue;
      const body = childOf(node, 'body');
      if (body === null || !isConstant(body, text)) continue;
      yield { line: node.line, words: 'its answer is the same whatever it is given' };
    }
  },
};

/** Not a callback: those often ignore what they are given. */
function isNamed(node: SyntaxNode): boolean {
  return DECLARED.has(node.kind) || /^(?:variable_declarator|assignment_expression)$/.test(node.parent?.kind ?? '');
}

function hasParameters(node: SyntaxNode, text: string): boolean {
  const list = childOf(node, 'parameters');
  const given = list === null ? [] : namedChildren(list);
  return childOf(node, 'parameter') !== null || given.some((each) => !RECEIVERS.test(plainText(each, text)));
}

function isConstant(body: SyntaxNode, text: string): boolean {
  let answers = false;
  for (const node of nodesOf(body)) {
    if (CALLING.has(node.kind) || NAMES.has(node.kind) || /^(?:throw|raise)_/.test(node.kind)) return false;
    if (literalOf(node, text) !== null || CONSTANTS.test(node.kind)) answers ||= isAnswer(node, body);
  }
  return answers;
}

/** A value that is returned, not a text by itself: a docstring. */
function isAnswer(node: SyntaxNode, body: SyntaxNode): boolean {
  for (let each: SyntaxNode | null = node; each !== null && each !== body; each = each.parent) {
    if (/^return_/.test(each.kind)) return true;
    if (/_statement$/.test(each.kind)) return false;
  }
  // The value of an arrow function, or of a block of Rust.
  return node === body || body.kind !== 'statement_block';
}
