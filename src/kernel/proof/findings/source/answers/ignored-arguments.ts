import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { addedNodes } from '../../added-nodes.ts';
import { CALLS, FUNCTIONS, identifiersIn } from '../../names.ts';

const UPDATES = new Set([
  ...['inc_statement', 'dec_statement', 'update_expression', 'augmented_assignment', 'augmented_assignment_expression'],
  ...['compound_assignment_expr', 'assignment', 'assignment_expression', 'assignment_statement', 'operator_assignment'],
]);
const OWN = /^[-+&*(]*(?:this|self)\b|^@/;
const SETS =
  /(?:^|\.)(?:set|store|replace|swap|fetch_\w+|Add|Store|Swap|incrementAndGet|getAndIncrement|addAndGet|getAndAdd)$/;
/** `let _ = (a, b);` and `_, _ = a, b`: the parameters are discarded. */
const DISCARDS = /^(?:let\s+_\w*\s*(?::[^=]*)?=|_(?:\s*,\s*_)*\s*=[^=]|void\s+\w+;?$)/;
const ANSWERS = /^return_(?:statement|expression)$/;

/**
 * A method whose result depends on the number of calls and not on its arguments. It can return the expected value for
 * each call of a test, because each test creates a new object.
 */
export const ignoredArguments: Inspection = {
  kind: 'counts-calls',
  *look(file) {
    for (const node of addedNodes(file)) {
      const body = FUNCTIONS.has(node.kind) ? childOf(node, 'body') : null;
      if (body === null || !ignoresInput(node, body, file.text)) continue;
      if (answers(node, body) && changesItself(node, body, file))
        yield { line: node.line, words: 'its results depend on earlier calls, and on none of its arguments' };
    }
  },
};

function ignoresInput(node: SyntaxNode, body: SyntaxNode, text: string): boolean {
  const list = childOf(node, 'parameters');
  const names = list === null ? [] : namedChildren(list).flatMap((each) => parameterNames(each, text));
  const used = new Set(namedChildren(body).flatMap((each) => [...usedIn(each, text)]));
  return names.length > 0 && !names.some((name) => used.has(name));
}

/** The names in a parameter: `a, b` in `a, b int`, and `a` in `mut a: i32`. The receiver and types are left out. */
function parameterNames(parameter: SyntaxNode, text: string): string[] {
  if (parameter.kind === 'self_parameter') return [];
  const named = parameter.children.filter(({ field }) => field === 'name' || field === 'pattern');
  const own =
    parameter.kind === 'identifier' ? [parameter] : named.length > 0 ? named : namedChildren(parameter).slice(0, 1);
  return own.flatMap((each) => [...identifiersIn(each, text)]).filter((name) => !/^(?:self|cls)$/.test(name));
}

function usedIn(statement: SyntaxNode, text: string): Set<string> {
  if (statement.kind !== 'statement_list')
    return DISCARDS.test(textOf(statement, text)) ? new Set() : identifiersIn(statement, text);
  return new Set(namedChildren(statement).flatMap((each) => [...usedIn(each, text)]));
}

function answers(node: SyntaxNode, body: SyntaxNode): boolean {
  if (node.kind === 'function_item') return childOf(node, 'return_type') !== null;
  return [...nodesOf(body)].some((each) => ANSWERS.test(each.kind) && namedChildren(each).length > 0);
}

/** Whether a method changes a member of its own object. */
function changesItself(node: SyntaxNode, body: SyntaxNode, { language, text }: InspectedFile): boolean {
  const receiver = language === 'go' ? receiverName(node, text) : null;
  const fields = language === 'java' ? fieldNames(node, text) : new Set<string>();
  const isOwn = (written: string): boolean => {
    const root = /^[-+&*(]*(\w+)/.exec(written)?.[1] ?? '';
    return OWN.test(written) || root === receiver || fields.has(root);
  };
  return [...nodesOf(body)].some((each) => {
    if (UPDATES.has(each.kind)) return isOwn(plainText(childOrSelf(each, 'left'), text));
    if (!CALLS.has(each.kind)) return false;
    const [callee, object, name] = [childOf(each, 'function'), childOf(each, 'object'), childOf(each, 'name')];
    const written =
      callee === null
        ? [object, name].flatMap((part) => (part === null ? [] : [plainText(part, text)])).join('.')
        : plainText(callee, text);
    return SETS.test(written) && isOwn(written);
  });
}

function receiverName(node: SyntaxNode, text: string): string | null {
  const receiver = childOf(node, 'receiver');
  return receiver === null ? null : (/^\(\s*(\w+)\s/.exec(textOf(receiver, text))?.[1] ?? null);
}

/** Fields of the class that contains a Java method. */
function fieldNames({ parent }: SyntaxNode, text: string): Set<string> {
  const fields = parent?.children.filter(({ kind }) => kind === 'field_declaration') ?? [];
  return new Set(
    fields.flatMap(({ children }) =>
      children.flatMap((each) => {
        const name = each.field === 'declarator' ? childOf(each, 'name') : null;
        return name === null ? [] : [plainText(name, text)];
      }),
    ),
  );
}
