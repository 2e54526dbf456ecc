import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { CALLS, chainOf, functionName, FUNCTIONS, literalOf, SUBSCRIPTS } from '../../names.ts';

const WORKS =
  /^(?:binary(?:_expression|_operator)?|comparison_operator|not_operator|update_expression|augmented_assignment(?:_expression)?|operator_assignment|ternary_expression|conditional(?:_expression)?|if(?:_statement|_modifier)?|unless(?:_modifier)?|switch_statement|match_statement|case|(?:for|for_in|while|do)_statement|for|while|until|(?:list|set|dictionary)_comprehension|generator_expression|template_substitution|interpolation)$/;
const UNARY = /^unary(?:_expression|_operator)?$/;
const MEMBERS = new Set(['member_expression', 'attribute', 'instance_variable', ...SUBSCRIPTS]);
const ASSIGNMENTS = /^(?:assignment|assignment_expression)$/;
/** Methods by which a test double records its calls. */
const NOTES = /^(?:push|append|add|unshift|set|insert|delete|clear|write|emit|dispatch|resolve|reject)$/;
/** Calls that create a test double, print or fail. */
const NO_WORK =
  /^(?:fn|spyOn|Mock|MagicMock|AsyncMock|mock\w*|new|log|info|warn|error|debug|print|puts|raise|fail|super|double|instance_double|lambda|proc|allow|receive)$/;
const BLOCKS = new Set(['block', 'do_block']);

/**
 * Returns whether one of the values is a function that does work: it computes, decides, repeats or uses its arguments.
 * A fixed result and a recorded call are not work.
 */
export function holdsWork(values: readonly SyntaxNode[], file: SourceText, others: readonly SourceText[]): boolean {
  return values.some((value) => {
    if ([...nodesOf(value)].some((node) => isFunction(node) && hasWork(node, file.text))) return true;
    const given = CALLS.has(value.kind) ? namedChildren(childOrSelf(value, 'arguments')) : [value];
    return given.some((each) => isByName(each, file, others));
  });
}

function isByName(node: SyntaxNode, file: SourceText, others: readonly SourceText[]): boolean {
  const named = node.kind === 'keyword_argument' ? childOrSelf(node, 'value') : node;
  const written = plainText(named, file.text);
  // Functions of Python for its operators.
  if (named.kind === 'attribute') return /^operator\./.test(written);
  if (named.kind !== 'identifier') return false;
  return [file, ...others].some(({ root, text }) =>
    [...nodesOf(root)].some((each) => {
      const name = FUNCTIONS.has(each.kind) ? functionName(each) : null;
      return name !== null && plainText(name, text) === written && hasWork(each, text);
    }),
  );
}

function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.kind) || BLOCKS.has(node.kind);
}

function hasWork(node: SyntaxNode, text: string): boolean {
  const own = ownNames(node, text);
  const body = childOrSelf(node, 'body');
  return [...nodesOf(body)].some((each) => each.named && isWork(each, { body, own, text }));
}

interface Function {
  readonly body: SyntaxNode;
  readonly own: ReadonlySet<string>;
  readonly text: string;
}

function isWork(node: SyntaxNode, { body, own, text }: Function): boolean {
  if (WORKS.test(node.kind)) return !isNoteOfRuby(node, text);
  if (UNARY.test(node.kind)) return namedChildren(node).some((each) => literalOf(each, text) === null);
  if (CALLS.has(node.kind)) return isWorkingCall(node, text);
  if (!MEMBERS.has(node.kind) || node.field === 'function') return false;
  const [root = ''] = node.kind === 'instance_variable' ? ['self'] : chainOf(node, text);
  if (!own.has(root)) return false;
  const isNoted = (each: SyntaxNode): boolean =>
    ASSIGNMENTS.test(each.kind) || (CALLS.has(each.kind) && !isWorkingCall(each, text)) || isNoteOfRuby(each, text);
  const noting = above(node, (each) => each === body || each === body.parent || isNoted(each));
  return noting === null || noting === body || noting === body.parent;
}

function isWorkingCall(call: SyntaxNode, text: string): boolean {
  if (call.kind === 'new_expression') return false;
  const chain = chainOf(call, text);
  const last = lastText(chain);
  if (NO_WORK.test(last) || (chain.length > 1 && NOTES.test(last))) return false;
  // In Python, a call of a class creates an object.
  return !/^[A-Z]\w*[a-z]\w*$/.test(last);
}

/** `sent << text` records a call. */
function isNoteOfRuby(node: SyntaxNode, text: string): boolean {
  const operator = node.kind === 'binary' ? operatorOf(node) : null;
  return plainText(operator, text) === '<<';
}

/** Names through which a function receives its input. */
function ownNames(node: SyntaxNode, text: string): Set<string> {
  const list = childOf(node, 'parameters') ?? childOf(node, 'parameter');
  const names = list === null ? [] : [...nodesOf(list)].filter(({ kind }) => /identifier/.test(kind));
  return new Set(['this', 'self', ...names.map((each) => plainText(each, text))]);
}
