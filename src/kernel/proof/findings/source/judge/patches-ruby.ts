import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { childOf, childOrSelf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { argumentsOf, chainOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

/** Classes that assertions, runners and all programs share. */
const SHARED =
  /^(?:::)?(?:Object|BasicObject|Kernel|Module|Class|Integer|Float|Numeric|Rational|Complex|String|Symbol|Array|Hash|Set|Range|Regexp|Proc|Method|UnboundMethod|NilClass|TrueClass|FalseClass|Comparable|Enumerable|Exception|StandardError|Struct|IO|Process|GC|Random|Time|Thread|Fiber|ObjectSpace|Minitest|RSpec|Test|MiniTest)(?:$|::)/;
const REOPENS =
  /^(?:class_eval|module_eval|class_exec|module_exec|instance_eval|instance_exec|define_method|alias_method|remove_method|undef_method|prepend|define_singleton_method|singleton_class|const_set|remove_const|refine|include)$/;
const OF_TESTS = /^(?:::)?(?:Minitest|MiniTest|RSpec|Test)(?:$|::)/;

/** The name of a class. It belongs to the project if it is not in the patterns above. */
const CLASS = /^(?:self|(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)$/;
const CHANGES = /^(?:instance_variable_set|remove_instance_variable|class_variable_set)$/;
/** Where a runner stores the result of a case, and methods that it calls for this. */
const JUDGE =
  /^:?(?:failure_notifier|(?:setup|verify|teardown)_mocks_for_rspec|capture_exceptions|set_exception|syswrite|@exception|loaded_specs)$/;
const RUNNER_STATE = /^(?:::)?(?:RSpec\.(?:configuration|world)|Gem::Specification|Gem\.(?:paths?|use_paths))$/;
const WORDS = new Set(['identifier', 'constant', 'simple_symbol', 'instance_variable']);
/** The part of Fluffy that runs in the sandbox treats code in these directories as installed gems. */
const INSTALLED = /(?:^|\/)(?:vendor|\.bundle)\//;

/** Code that replaces methods of Ruby's own classes or of the runners, or changes results that a runner has stored. */
export const patchesRuby: Inspection = {
  kind: 'patches-assertions',
  *look(file, { isTest }) {
    if (file.language !== 'ruby') return;
    const added = [...addedNodes(file)];
    const [first] = added;
    if (first !== undefined && INSTALLED.test(file.path))
      yield { line: first.line, words: 'it counts as a part of an installed gem' };
    for (const node of added) {
      const target = patched(node, file.text);
      const words =
        target === null
          ? reachedBy(node, file.text, isTest(file.path))
          : `it changes ${target}, which all programs share`;
      if (words !== null) yield { line: node.line, words };
    }
  },
};

/** Names that are only reported in a test: a source may have `failures` of its own, and `catch` what it throws. */
function isOfCase(node: SyntaxNode, written: string): boolean {
  return written === 'failures' || (written === 'catch' && node.field === 'method');
}

function reachedBy(node: SyntaxNode, text: string, isTest: boolean): string | null {
  const written = plainText(node, text);
  if (WORDS.has(node.kind))
    return JUDGE.test(written) || (isTest && isOfCase(node, written))
      ? `the runner uses ${written} to judge a case`
      : null;
  if (node.kind === 'scope_resolution' && RUNNER_STATE.test(written))
    return `the runner uses ${written} to judge a case`;
  if (node.kind === 'singleton_method' || (node.kind === 'singleton_class' && node.named)) {
    const object = plainText(childOf(node, 'object') ?? childOf(node, 'value') ?? node, text);
    return isTest || CLASS.test(object) ? null : `it changes a method of ${object}`;
  }
  if (node.kind !== 'call') return null;
  if (RUNNER_STATE.test(written)) return `the runner uses ${written} to judge a case`;
  const [last = ''] = chainOf(node, text).slice(-1);
  const receiver = childOf(node, 'receiver');
  if (receiver === null || !(CHANGES.test(last) || (REOPENS.test(last) && last !== 'include'))) return null;
  const owner = plainText(receiver, text);
  return CLASS.test(owner) ? null : `it changes ${owner} by ${last}`;
}

function patched(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'alias' || node.kind === 'undef') return null;
  if ((node.kind === 'class' || node.kind === 'module') && node.named) {
    const name = plainText(childOrSelf(node, 'name'), text);
    const isOwn = childOf(node, 'superclass') !== null || childOf(node, 'body') === null;
    return SHARED.test(name) && !isOwn ? name : null;
  }
  if (node.kind === 'singleton_class') {
    const value = plainText(childOrSelf(node, 'value'), text);
    return SHARED.test(value) ? value : null;
  }
  if (node.kind === 'singleton_method') {
    const object = plainText(childOrSelf(node, 'object'), text);
    return SHARED.test(object) ? object : null;
  }
  if (node.kind !== 'call') return null;
  const chain = chainOf(node, text);
  const last = lastText(chain);
  const [first] = argumentsOf(node);
  const given = plainText(first, text);
  const isSent = /^(?:send|public_send|__send__)$/.test(last) && REOPENS.test(given.replace(/^[:"']|["']$/g, ''));
  if (last === 'refine') return SHARED.test(given) ? given : null;
  if (!REOPENS.test(last) && !isSent) return null;
  const receiver = childOf(node, 'receiver');
  const owner = plainText(receiver, text);
  // A test may include modules of the runner into its own classes.
  if (last === 'include') return SHARED.test(owner) && !OF_TESTS.test(owner) ? owner : null;
  return SHARED.test(owner) ? owner : null;
}
