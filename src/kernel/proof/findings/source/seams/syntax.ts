import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import { functionName, FUNCTIONS } from '../../names.ts';

const NAME = /identifier$|^name$|^constant$|^(?:instance|class|global)_variable$/;
const NOTHING =
  /^(?:|null|undefined|None|nil|void 0|Option::None|\(\)|(?:\(.*\)|\w+) ?=> ?(?:\{\}|undefined|null|\(\{\}\)))$/;

export function isFunction({ kind, named }: SyntaxNode): boolean {
  return named && FUNCTIONS.has(kind);
}

/**
 * Returns a name without a language's prefix: `@engine`, `$engine` and `engine` give `engine`. null if the node is not
 * a name.
 */
export function nameOf(node: SyntaxNode, text: string): string | null {
  const isLeaf = node.children.length === 0 && node.named && NAME.test(node.kind);
  return isLeaf ? plainText(node, text).replace(/^(?:@@?|\$)/, '') : null;
}

/** Returns the names below a node, in the order of the text. */
export function namesIn(node: SyntaxNode | null, text: string): string[] {
  return node === null ? [] : [...nodesOf(node)].flatMap((each) => nameOf(each, text) ?? []);
}

export function argumentList(call: SyntaxNode): SyntaxNode | null {
  return childOf(call, 'arguments') ?? call.children.find(({ kind }) => /^arguments?(?:_list)?$/.test(kind)) ?? null;
}

/** Returns the parts of a call before its arguments. */
export function calledParts(call: SyntaxNode): SyntaxNode[] {
  const given = argumentList(call);
  return call.children.filter((each) => each !== given && (given === null || each.start < given.start));
}

export function parametersOf(node: SyntaxNode, text: string): Set<string> {
  const lists = node.children.filter(
    ({ field, kind }) => field === 'parameter' || /^(?:\w+_)?parameters$|^parameter_list$/.test(kind),
  );
  return new Set(lists.flatMap((each) => namesIn(each, text)).filter((name) => !/^(?:self|cls|this)$/.test(name)));
}

/** Returns the functions around a node, innermost first. */
export function functionsAround(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each = above(node, isFunction); each !== null; each = above(each, isFunction)) found.push(each);
  return found;
}

export function nameOfFunction(node: SyntaxNode, text: string): string | null {
  const name = functionName(node);
  // `engine=` in Ruby is called as `engine`.
  return name === null ? null : plainText(name, text).replace(/=$/, '');
}

/** Returns whether there is no value, or a function that returns none or only fails. */
export function isNothing(node: SyntaxNode | null, text: string): boolean {
  return node === null || NOTHING.test(plainText(node, text)) || isEmptyFunction(node, text);
}

const FAILS = /\b(?:throw|raise|panic|unimplemented|todo|NotImplementedError|abort)\b/;

function isEmptyFunction(node: SyntaxNode, text: string): boolean {
  if (!isFunction(node)) return false;
  const body = childOf(node, 'body');
  const written =
    body === null
      ? ''
      : plainText(body, text)
          .replaceAll(/^\{|\}$/g, '')
          .trim();
  const parts = body?.children.filter(({ named }) => named) ?? [];
  return (
    /^(?:return;?|return (?:null|undefined|None|nil);?|pass|)$/.test(written) ||
    (parts.length === 1 && FAILS.test(written))
  );
}
