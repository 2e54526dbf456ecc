import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import type { Seam } from './empty-seams.ts';
import {
  argumentList,
  calledParts,
  functionsAround,
  isFunction,
  isNothing,
  nameOf,
  nameOfFunction,
  namesIn,
  parametersOf,
} from './syntax.ts';
import { CALLS } from '../../names.ts';

const ASSIGNS = /^(?:augmented_|operator_)?assignment(?:_expression|_statement)?$/;
const FILLS =
  /^(?:set|put|push|add|append|insert|store|replace|swap|get_or_init|setdefault|update|unshift|putIfAbsent|compute\w*|extend|merge!?|call_once|prepend)$/;
const READS =
  /^call_user_func(?:_array)?$|^(?:assert\w*|isset|is_callable|callable|typeof|requireNonNull|Boolean|empty)$/;

/**
 * Returns the names of functions that fill a seam with their arguments; null if the sources fill the seam themselves.
 */
export function settersOf({ name, kind }: Seam, sources: readonly SourceText[]): ReadonlySet<string> | null {
  const setters = new Set<string>();
  for (const { root, text } of sources) {
    for (const node of nodesOf(root)) {
      // A subclass in the sources provides the method.
      if (kind === 'method' && isFunction(node) && nameOfFunction(node, text) === name && !isNothing(node, text))
        return null;
      const values = nameOf(node, text) === name ? valuesPutBy(node, text) : null;
      if (values !== null && !givenByCaller(node, values, text, setters)) return null;
    }
  }
  for (let size = -1; size !== setters.size;) {
    size = setters.size;
    for (const source of sources) if (isCalledIn(source, setters)) return null;
  }
  return setters;
}

/**
 * The values that are stored in a seam at a mention of its name; null if the mention only reads it or declares it
 * empty.
 */
function valuesPutBy(mention: SyntaxNode, text: string): readonly SyntaxNode[] | null {
  // In `Number(engine(a, b))` the seam is called, and not passed on.
  let isCalled = false;
  for (let each: SyntaxNode = mention; each.parent !== null; each = each.parent) {
    const { parent } = each;
    if (ASSIGNS.test(parent.kind)) {
      const right = childOf(parent, 'right');
      return each.field === 'left' && right !== null && !isEmpty(right, text) ? [right] : null;
    }
    if (CALLS.has(parent.kind)) {
      const given = argumentList(parent);
      const called = calledParts(parent).flatMap((one) => namesIn(one, text));
      if (each === given) return isCalled || READS.test(lastText(called)) ? null : [given];
      if (given !== null && FILLS.test(lastText(called)) && called.at(-1) !== nameOf(mention, text)) return [given];
      isCalled = true;
    }
    if (/statement$|declaration$|definition$|^block$|body/.test(parent.kind)) return null;
  }
  return null;
}

function isEmpty(value: SyntaxNode, text: string): boolean {
  return isNothing(value, text) || /^(?:\{\}|\[\]|new \w*Map(?:<.*>)?\(\)|dict\(\))$/.test(plainText(value, text));
}

/** Whether an outer function receives the values from its caller. Then it is a setter. */
function givenByCaller(node: SyntaxNode, values: readonly SyntaxNode[], text: string, setters: Set<string>): boolean {
  const names = new Set(values.flatMap((each) => namesIn(each, text)));
  const around = functionsAround(node);
  const isGiven = around.some((each) => [...parametersOf(each, text)].some((one) => names.has(one)));
  if (isGiven) for (const each of around) setters.add(nameOfFunction(each, text) ?? '');
  setters.delete('');
  return isGiven;
}

/**
 * Whether the sources call a setter with values of their own. A function that passes its arguments on is another
 * setter.
 */
function isCalledIn({ root, text }: SourceText, setters: Set<string>): boolean {
  for (const node of nodesOf(root)) {
    const name = nameOf(node, text);
    if (name === null || !setters.has(name) || isDeclared(node) || isListed(node)) continue;
    if (functionsAround(node).some((each) => nameOfFunction(each, text) === name)) continue;
    const call = above(node, ({ kind }) => CALLS.has(kind));
    const given = call === null ? null : argumentList(call);
    if (call !== null && given !== null && givenByCaller(node, [given], text, setters)) continue;
    if (call !== null || above(node, ({ kind }) => kind === 'decorator') !== null) return true;
  }
  return false;
}

function isDeclared({ field, parent }: SyntaxNode): boolean {
  return (
    field === 'name' &&
    /function|method|declarator|definition/.test(kindOf(parent)) &&
    !/invocation|call/.test(kindOf(parent))
  );
}

/** `export { register }`, `import { register } from …`, `{ register }`. */
function isListed(node: SyntaxNode): boolean {
  return /specifier|shorthand|import|pair|dotted_name/.test(`${node.kind} ${kindOf(node.parent)}`);
}
