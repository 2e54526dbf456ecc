import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, plainText } from '../../syntax/walk.ts';
import type { Inspection } from '../finding.ts';
import { argumentsOf, calleeOf, chainOf } from '../names.ts';
import { addedNodes } from '../added-nodes.ts';

/** Classes that assertions, runners and every program share. */
const SHARED =
  /^(?:::)?(?:Object|BasicObject|Kernel|Module|Class|Integer|Float|Numeric|Rational|Complex|String|Symbol|Array|Hash|Set|Range|Regexp|Proc|Method|UnboundMethod|NilClass|TrueClass|FalseClass|Comparable|Enumerable|Exception|StandardError|Struct|IO|Process|GC|Random|Time|Thread|Fiber|ObjectSpace|Minitest|RSpec|Test|MiniTest)(?:$|::)/;
const REOPENS =
  /^(?:class_eval|module_eval|class_exec|module_exec|instance_eval|instance_exec|define_method|alias_method|remove_method|undef_method|prepend|define_singleton_method|singleton_class|const_set|remove_const|refine|include)$/;
const OF_TESTS = /^(?:::)?(?:Minitest|MiniTest|RSpec|Test)(?:$|::)/;

/** Methods of Ruby's own classes and of the runners are not the project's to replace. */
export const patchesRuby: Inspection = {
  kind: 'patches-assertions',
  *look(file) {
    if (file.language !== 'ruby') return;
    for (const node of addedNodes(file)) {
      const target = patched(node, file.text);
      if (target !== null) yield { line: node.line, words: `it changes ${target}, which all programs share` };
    }
  },
};

function patched(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'alias' || node.kind === 'undef') return null;
  if ((node.kind === 'class' || node.kind === 'module') && node.named) {
    const name = plainText(childOf(node, 'name') ?? node, text);
    const isOwn = childOf(node, 'superclass') !== null || childOf(node, 'body') === null;
    return SHARED.test(name) && !isOwn ? name : null;
  }
  if (node.kind === 'singleton_class') {
    const value = plainText(childOf(node, 'value') ?? node, text);
    return SHARED.test(value) ? value : null;
  }
  if (node.kind === 'singleton_method') {
    const object = plainText(childOf(node, 'object') ?? node, text);
    return SHARED.test(object) ? object : null;
  }
  if (node.kind !== 'call') return null;
  const chain = chainOf(calleeOf(node), text);
  const last = chain.at(-1) ?? '';
  const [first] = argumentsOf(node);
  const given = first === undefined ? '' : plainText(first, text);
  const isSent = /^(?:send|public_send|__send__)$/.test(last) && REOPENS.test(given.replace(/^[:"']|["']$/g, ''));
  if (last === 'refine') return SHARED.test(given) ? given : null;
  if (!REOPENS.test(last) && !isSent) return null;
  const receiver = childOf(node, 'receiver');
  const owner = receiver === null ? '' : plainText(receiver, text);
  // A test includes modules of the runner into its own classes.
  if (last === 'include') return SHARED.test(owner) && !OF_TESTS.test(owner) ? owner : null;
  return SHARED.test(owner) ? owner : null;
}
