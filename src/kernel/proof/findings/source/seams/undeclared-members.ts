import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { once } from '../../../syntax/once.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, SourceText } from '../../finding.ts';
import { calleeOf, CALLS } from '../../names.ts';
import type { Seam } from './empty-seams.ts';
import { isFunction, nameOfFunction, parametersOf } from './syntax.ts';

const CLASSES = /^(?:abstract_)?class(?:_declaration|_definition)?$|^module$/;
const LANGUAGES = /^(?:javascript|typescript|tsx|python|ruby)$/;
/** Its own object, and the settings of Django, which a test can override. */
const OWNER = /^(?:this|self|settings)$/;
/** Methods of each object of Ruby, and functions of its kernel that have no receiver. */
const OF_RUBY =
  /^(?:puts|print|p|pp|format|sprintf|raise|fail|loop|catch|throw|rand|sleep|lambda|proc|require\w*|load|binding|caller|gets|open|system|exit|abort|warn|freeze|dup|clone|class|send|public_send|instance_variable_\w+|respond_to\?|method|tap|then|new|[A-Z]\w*)$/;
const ASSIGNS = /^(?:assignment|assignment_expression|operator_assignment)$/;
const LISTED = /^(?:shorthand_property_identifier|import_specifier|simple_symbol)$/;
const DECLARES = /^(?:pair|(?:public_)?field_definition|method_signature|property_signature|required_parameter)$/;

/**
 * Returns the methods that added functions call on their own object and that no changed source has. A class that
 * inherits or includes others may have them from there.
 */
export function undeclaredMembers(file: InspectedFile, sources: readonly SourceText[]): Seam[] {
  if (!LANGUAGES.test(file.language)) return [];
  const found = new Set<string>();
  for (const node of addedNodes(file)) {
    const name = CALLS.has(node.kind) ? calledOnItself(node, file) : null;
    if (name !== null && !inherits(node, file.text)) found.add(name);
  }
  return [...found]
    .filter((name) => !sources.some(({ root, text }) => declaredNames(root, text).has(name)))
    .map((name) => ({ name, kind: 'method' }));
}

function calledOnItself(call: SyntaxNode, { text, language }: InspectedFile): string | null {
  if (language === 'ruby') {
    const [receiver, method] = [childOf(call, 'receiver'), childOf(call, 'method')];
    if (method === null || childOf(call, 'arguments') === null) return null;
    const name = plainText(method, text);
    const isOwn = receiver === null ? above(call, isFunction) !== null : plainText(receiver, text) === 'self';
    return isOwn && !OF_RUBY.test(name) ? name : null;
  }
  const callee = calleeOf(call);
  const object = childOf(callee, 'object');
  const member = callee === null ? null : (childOf(callee, 'property') ?? childOf(callee, 'attribute'));
  return object !== null && member !== null && OWNER.test(plainText(object, text)) ? plainText(member, text) : null;
}

function inherits(node: SyntaxNode, text: string): boolean {
  const owner = above(node, ({ kind, named }) => named && (CLASSES.test(kind) || kind === 'object'));
  if (owner === null) return false;
  if (owner.kind === 'object') return namedChildren(owner).some(({ kind }) => kind === 'spread_element');
  const bases = childOf(owner, 'superclasses');
  const isDecorated = kindOf(owner.parent) === 'decorated_definition';
  return (
    isDecorated ||
    childOf(owner, 'superclass') !== null ||
    (bases !== null && namedChildren(bases).some((each) => plainText(each, text) !== 'object')) ||
    owner.children.some(({ kind }) => /^(?:class_heritage|extends_clause|decorator)$/.test(kind)) ||
    /\b(?:include|extend|prepend|delegate|def_delegators?|method_missing|__getattr__|define_method|setattr)\b/.test(
      text.slice(owner.start, owner.end),
    )
  );
}

/** Names of the methods, fields, entries, parameters and imports of a source. */
const declaredNames = once((root: SyntaxNode, text: string): ReadonlySet<string> => {
  const found = [...nodesOf(root)].flatMap((node): readonly string[] => {
    if (isFunction(node)) return [nameOfFunction(node, text) ?? '', ...parametersOf(node, text)];
    if (ASSIGNS.test(node.kind)) return [lastText(plainText(childOrSelf(node, 'left'), text).split(/[.@]/))];
    if (DECLARES.test(node.kind))
      return ['name', 'key', 'property', 'pattern'].flatMap((field) => {
        const each = childOf(node, field);
        return each === null ? [] : [plainText(each, text)];
      });
    return LISTED.test(node.kind) ? [plainText(node, text).replace(/^:/, '')] : [];
  });
  return new Set(found);
});
