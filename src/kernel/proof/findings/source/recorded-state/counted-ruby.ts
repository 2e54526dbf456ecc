import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { lastName } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const CHANGES =
  /^(?:<<|push|append|unshift|prepend|pop|shift|next|rotate!|delete_at|store|clear|concat|add|increment|succ!|slice!|cycle|rewind)$/;
const METHODS = new Set(['method', 'singleton_method']);

/**
 * State of a class, a module or the whole program that a Ruby method changes. It can return the expected value for each
 * call of a test.
 */
export const countedRuby: Inspection = {
  kind: 'counts-calls',
  *look(file) {
    if (file.language !== 'ruby') return;
    for (const node of addedNodes(file)) {
      const target = changedBy(node, file.text);
      if (target === null || !isShared(target, file.text)) continue;
      if (above(node, ({ kind }) => METHODS.has(kind) || /^(?:do_block|block|lambda)$/.test(kind)) === null) continue;
      yield {
        line: node.line,
        words: `${plainText(target, file.text)} is shared by all calls, and this one changes it`,
      };
    }
  },
};

/**
 * The variable that a node counts up, assigns or changes in place. `||=` does not count: it computes the value once.
 */
function changedBy(node: SyntaxNode, text: string): SyntaxNode | null {
  if (node.kind === 'operator_assignment') {
    const isOnce = node.children.some((each) => !each.named && plainText(each, text) === '||=');
    return isOnce ? null : rootOfTarget(childOf(node, 'left'));
  }
  if (node.kind === 'assignment') return rootOfTarget(childOf(node, 'left'));
  if (node.kind === 'binary' && node.children.some((each) => !each.named && plainText(each, text) === '<<'))
    return rootOfTarget(childOf(node, 'left'));
  if (node.kind !== 'call' || !CHANGES.test(lastName(node, text))) return null;
  return rootOfTarget(childOf(node, 'receiver'));
}

function rootOfTarget(node: SyntaxNode | null): SyntaxNode | null {
  let root = node;
  while (root !== null && (root.kind === 'element_reference' || root.kind === 'call'))
    root = childOf(root, 'object') ?? childOf(root, 'receiver');
  return root;
}

function isShared(target: SyntaxNode, text: string): boolean {
  if (/^(?:class_variable|global_variable|constant|scope_resolution)$/.test(target.kind)) return true;
  if (target.kind === 'identifier') return isOfClosure(target, text);
  return target.kind === 'instance_variable' && isOfModule(target);
}

/** Whether an instance variable belongs to the class or module itself, as `@count` in `def self.next`. */
function isOfModule(node: SyntaxNode): boolean {
  if (above(node, ({ kind }) => kind === 'singleton_method' || kind === 'singleton_class') !== null) return true;
  const owner = above(node, ({ kind, named }) => (kind === 'module' || kind === 'class') && named);
  return owner?.kind === 'module' || owner === null;
}

/** Whether a variable is declared outside of the block that changes it: `define_method(:mul) { count += 1 }`. */
function isOfClosure(target: SyntaxNode, text: string): boolean {
  const method = above(target, ({ kind }) => METHODS.has(kind));
  if (method !== null) return false;
  const block = above(target, ({ kind }) => /^(?:do_block|block|lambda)$/.test(kind));
  const name = plainText(target, text);
  const declares = (scope: SyntaxNode): boolean =>
    [...nodesOf(scope)].some(
      (each) => each.kind === 'assignment' && plainText(childOrSelf(each, 'left'), text) === name,
    );
  return block !== null && !declares(block);
}
