import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection, InspectedChange, InspectedFile } from '../../finding.ts';
import { functionName, FUNCTIONS } from '../../names.ts';

const FAILS = /^(?:throw|raise|panic|todo!|unimplemented!|return\s.*(?:errors\.New|Errorf|reject|Err)\()/;
const UNFINISHED = /not[\s_]*(?:yet[\s_]*)?implemented|unimplemented|todo!|["'`]todo\b/i;
/**
 * Calls that replace a function: of unittest.mock, pytest, vitest, jest, sinon, RSpec, Mockery and similar libraries.
 */
const REPLACES =
  '(?:patch(?:\\.\\w+)?|setattr|spyOn|stub|replace|receive|replaceMethod|method|createMock|mock|expects|allow)';
const CLASSES = /^(?:class|trait)(?:_declaration|_definition|_item)?$|^(?:abstract_class_declaration|impl_item)$/;
/** Names of functions that intentionally do nothing. */
const NOTHING = /^(?:no_?op|ignore|nothing)/i;
/** Signs of a type that other types inherit from or implement. */
const ABSTRACT = /[aA]bstract|\bABC\b|\bProtocol\b|\btrait\b|Interface|\bBase|[a-z]Base\b/;

/**
 * A function that only reports that it is not implemented, or that does nothing although a test replaces it or the
 * change has no other code. Tests pass without it.
 */
export const unfinishedFunction: Inspection = {
  kind: 'unfinished-function',
  *look(file, change) {
    // Nothing runs the declarations of types in Python.
    if (file.path.endsWith('.pyi')) return;
    for (const node of addedNodes(file)) {
      const type = node.kind === 'interface_declaration' && file.language === 'php' ? childOf(node, 'name') : null;
      if (type !== null && isOnlyImplemented(plainText(type, file.text), change))
        yield { line: node.line, words: `no source does anything with ${plainText(type, file.text)}` };
      const named = FUNCTIONS.has(node.kind) ? functionName(node) : null;
      const body = childOf(node, 'body');
      if (named === null || body === null || isAbstract(node, file.text)) continue;
      const name = plainText(named, file.text);
      const words = unfinished(node, statementsOf(body, file.text), name, file, change);
      if (words !== null && !isOverridden(node, name, file, change)) yield { line: node.line, words };
    }
  },
};

function unfinished(
  node: SyntaxNode,
  [first, ...others]: readonly SyntaxNode[],
  name: string,
  { text }: InspectedFile,
  change: InspectedChange,
): string | null {
  if (first === undefined) {
    if (!takes(node)) return null;
    if (isReplaced(name, change)) return `${name} does nothing, and a test replaces it`;
    if (NOTHING.test(name)) return null;
    return isBlock(childOf(node, 'body')) && change.sources.every(hasNoWork) ? `${name} does nothing` : null;
  }
  const source = others.length > 0 ? '' : textOf(first, text);
  const saysSo = FAILS.test(source) && UNFINISHED.test(source);
  return saysSo && !isDemanded(change) ? `${name} says that it is not implemented` : null;
}

/** Whether a PHP interface has no use but a fake in a test, and no new source function does anything. */
function isOnlyImplemented(name: string, { sources, tests }: InspectedChange): boolean {
  const implemented = new RegExp(`\\bimplements\\b[^{]*\\b${name}\\b`);
  return tests.some(({ text }) => implemented.test(text)) && sources.every(hasNoWork);
}

/** Whether no new function of a file does anything. */
function hasNoWork(file: InspectedFile): boolean {
  return [...addedNodes(file)].every((node) => {
    const body = FUNCTIONS.has(node.kind) ? childOf(node, 'body') : null;
    return body === null || (isBlock(body) && statementsOf(body, file.text).length === 0);
  });
}

/** Whether a body is a block, and not the value of an arrow function. */
function isBlock(body: SyntaxNode | null): boolean {
  return body !== null && /block|body|compound/.test(body.kind);
}

function takes(node: SyntaxNode): boolean {
  const list = childOf(node, 'parameters') ?? childOf(node, 'parameter');
  return list !== null && (list.field === 'parameter' || namedChildren(list).length > 0);
}

/**
 * Whether a test replaces a name: `mock.patch('mail.send')`, `spyOn(mail, 'send')`, `expects(:send)`, `{ send: vi.fn()
 * }`.
 */
function isReplaced(name: string, { tests }: InspectedChange): boolean {
  if (!/^\w+$/.test(name)) return false;
  const quoted = `(?:["'\`](?:[\\w.]+\\.)?${name}["'\`]|:${name}\\b)`;
  const called = `${REPLACES}\\s*\\((?:[^()]|\\(\\))*?${quoted}`;
  const replaced = new RegExp(`${called}|\\.${name}\\s*=[^=]|\\b${name}\\s*:\\s*(?:vi|jest|sinon|mock)\\.`);
  return tests.some(({ text }) => replaced.test(text));
}

/** The statements of a body, without documentation. */
function statementsOf(body: SyntaxNode, text: string): SyntaxNode[] {
  const inner = namedChildren(body);
  const statements = inner.length === 1 && inner[0]?.kind === 'statement_list' ? namedChildren(inner[0]) : inner;
  return statements.filter((each) => {
    const isText = /^expression/.test(each.kind) && namedChildren(each)[0]?.kind === 'string';
    return !isText && !/^(?:pass(?:_statement)?|\.\.\.)$/.test(textOf(each, text).replace(/;$/, ''));
  });
}

function isAbstract(node: SyntaxNode, text: string): boolean {
  const decorated = node.parent?.kind === 'decorated_definition' ? node.parent : node;
  const head = text.slice(decorated.start, childOf(node, 'body')?.start);
  const owner = above(node, ({ kind }) => CLASSES.test(kind));
  const ownerHead = owner === null ? '' : text.slice(owner.start, childOf(owner, 'body')?.start);
  return ABSTRACT.test(ownerHead) || /abstract/i.test(head);
}

/** Whether a test expects the "not implemented" error. */
function isDemanded({ tests }: InspectedChange): boolean {
  return tests.some(({ text }) => UNFINISHED.test(text));
}

function isOverridden(
  node: SyntaxNode,
  name: string,
  file: InspectedFile,
  { tests, sources }: InspectedChange,
): boolean {
  if (above(node, ({ kind }) => CLASSES.test(kind)) === null) return false;
  return [...sources, ...tests].some(({ path, root, text }) =>
    [...nodesOf(root)].some((each) => {
      const other = FUNCTIONS.has(each.kind) ? functionName(each) : null;
      if (other === null || (path === file.path && each.start === node.start)) return false;
      return plainText(other, text) === name;
    }),
  );
}
