import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection, InspectedChange, InspectedFile } from '../../finding.ts';
import { functionName, FUNCTIONS } from '../../names.ts';

const FAILS = /^(?:throw|raise|panic|todo!|unimplemented!|return\s.*(?:errors\.New|Errorf|reject|Err)\()/;
const UNFINISHED = /not[\s_]*(?:yet[\s_]*)?implemented|unimplemented|todo!|["'`]todo\b/i;
const CLASSES = /^(?:class|trait)(?:_declaration|_definition|_item)?$|^(?:abstract_class_declaration|impl_item)$/;
/** What others are to inherit from or to implement. */
const ABSTRACT = /[aA]bstract|\bABC\b|\bProtocol\b|\btrait\b|Interface|\bBase|[a-z]Base\b/;

/** A function that only says that it is not implemented: a test that replaces it passes without it. */
export const unfinishedFunction: Inspection = {
  kind: 'unfinished-function',
  *look(file, change) {
    for (const node of addedNodes(file)) {
      const name = FUNCTIONS.has(node.kind) ? functionName(node) : null;
      if (name === null || !isUnfinished(node, file.text) || isAbstract(node, file.text)) continue;
      if (isDemanded(change) || isOverridden(node, plainText(name, file.text), file, change)) continue;
      yield { line: node.line, words: `${plainText(name, file.text)} says that it is not implemented` };
    }
  },
};

function isUnfinished(node: SyntaxNode, text: string): boolean {
  const body = childOf(node, 'body');
  const [first, ...others] = body === null ? [] : statementsOf(body);
  const source = first === undefined || others.length > 0 ? '' : textOf(first, text);
  return FAILS.test(source) && UNFINISHED.test(source);
}

/** Without the text that documents a function. */
function statementsOf(body: SyntaxNode): SyntaxNode[] {
  const inner = namedChildren(body);
  const statements = inner.length === 1 && inner[0]?.kind === 'statement_list' ? namedChildren(inner[0]) : inner;
  return statements.filter((each) => namedChildren(each)[0]?.kind !== 'string' || !/^expression/.test(each.kind));
}

function isAbstract(node: SyntaxNode, text: string): boolean {
  const decorated = node.parent?.kind === 'decorated_definition' ? node.parent : node;
  const head = text.slice(decorated.start, childOf(node, 'body')?.start);
  const owner = above(node, ({ kind }) => CLASSES.test(kind));
  const ownerHead = owner === null ? '' : text.slice(owner.start, childOf(owner, 'body')?.start);
  return ABSTRACT.test(ownerHead) || /abstract/i.test(head);
}

/** Whether a test says that it expects just this. */
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
