import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { argumentsOf } from '../findings/names.ts';
import { above, childOf, nodesOf, textOf } from '../syntax/walk.ts';

const ASSERTIONS =
  /^(?:assert|refute)(?:_(?:block|changes|difference|empty|equal|in_delta|in_epsilon|includes|instance_of|kind_of|match|mock|nil|no_changes|no_difference|nothing_raised|operator|output|path_exists|pattern|predicate|raises?|respond_to|same|send|silent|throws))?$/;
const OF_CASES =
  /^(?:must_\w+|wont_\w+|_|expect|is_expected|should|should_not|should_receive|subject|described_class|test_\d{4}_.*|(?:before|after)_(?:setup|teardown)|setup|teardown|before|after|around|run|name|time_it|message|mu_pp|mu_pp_for_diff|diff|exp|flunk|pass|passed\?|skip|skipped\?|error\?|fail|failures?|assertions=?|result_code|capture_io|capture_subprocess_io|capture_exceptions|sanitize_exception|neuter_exception|with_info_handler|values_match\?|\w+_mocks_for_rspec|mocha_\w+)$/;
const OF_OBJECTS =
  /^(?:initialize\w*|instance_\w+|respond_to\w*\??|class|singleton_class|send|__\w+__|public_send|method|methods|method_missing|caller|caller_locations|catch|throw|raise|inspect|to_s|to_str|to_ary|hash|freeze|dup|clone|is_a\?|kind_of\?|nil\?|lambda|proc|loop|puts|p|pp|warn|print|format|sprintf|eval|exit|abort|sleep|rand|require\w*|load|binding|block_given\?|extend|tap|then|String|Array|Integer|Float|Hash|[^\w]+)$/;
/** Methods that have an effect outside of their own case. */
const REACHES =
  /^(?:(?:class|module|instance)_(?:eval|exec)|eval|define_method|define_singleton_method|(?:remove|undef|alias)_method|singleton_class|prepend|extend|refine|using|const_set|remove_const|class_variable_set|set_trace_func|trace|at_exit|exit!?|abort|fork|configure|configuration|world|hooks|parent_groups|load|require|require_relative|autoload)$/;
const REACHING = new Set([
  'class',
  'module',
  'singleton_class',
  'singleton_method',
  'alias',
  'undef',
  'begin_block',
  'end_block',
]);
/** Methods that call another method by its name. */
const BY_NAME = /^(?:send|__send__|public_send|method|public_method|instance_method)$/;
const SHARED = new Set(['global_variable', 'class_variable']);

/**
 * Whether Ruby or a runner calls a method of this name on the object of a case. A new helper with such a name would
 * change cases that do not mention it.
 */
export function isRunnerMethod(name: string): boolean {
  return [ASSERTIONS, OF_CASES, OF_OBJECTS].some((names) => names.test(name));
}

/** Whether a node makes a call. A bare name can be a call. */
export function runs(node: SyntaxNode): boolean {
  return [...nodesOf(node)].some(({ kind }) => /^(?:call|element_reference|identifier|subshell|yield)$/.test(kind));
}

/** Whether a node has an effect outside of its own case. */
export function hasOuterEffect(node: SyntaxNode, text: string): boolean {
  return [...nodesOf(node)].some((each) => {
    if (each.named && REACHING.has(each.kind)) return true;
    if (each.kind === 'call' && isComputed(each, text)) return true;
    const isAssigned = each.field === 'left' || each.parent?.kind === 'left_assignment_list';
    if (SHARED.has(each.kind)) return isAssigned;
    if (each.kind === 'constant' && isAssigned) return above(each, ({ kind }) => kind === 'call') !== null;
    if (each.kind === 'simple_symbol') return REACHES.test(textOf(each, text).slice(1));
    return each.kind === 'identifier' && REACHES.test(textOf(each, text));
  });
}

/** Whether a method is called by a computed name (not a symbol), so that it can be any method. */
function isComputed(call: SyntaxNode, text: string): boolean {
  const method = childOf(call, 'method');
  const [name] = argumentsOf(call);
  return BY_NAME.test(textOf(method, text)) && name !== undefined && name.kind !== 'simple_symbol';
}
