import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import type { Inspection } from '../../finding.ts';
import { literalOf } from '../../names.ts';
import { above, childOf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';

const NAMES =
  /^(?:['"]?__(?:eq|ne|lt|le|gt|ge)__['"]?|asymmetricMatch|valueOf|\[Symbol\.toPrimitive\]|\[Symbol\.hasInstance\]|[=!]=|===|<=>|=~|!|eql\?|equal\?|nil\?|(?:instance_of|kind_of|is_a)\?|coerce|method_missing)$/;

/** Methods that return whether a collection contains a value. */
const SEARCHES = /^(?:__contains__|includes|has|indexOf|include\?|member\?)$/;
/** The text before the body of a class that extends a built-in collection. */
const OF_COLLECTION = /(?:\(|\bextends\s|<)\s*(?:list|tuple|set|frozenset|dict|str|bytes|Array|Set|Map|String|Hash)\b/;

const DEFINES = new Set([
  ...['method_definition', 'function_definition', 'pair', 'field_definition', 'assignment', 'assignment_expression'],
  'keyword_argument',
  ...['method', 'singleton_method'],
]);

/** Traits for `==` and `<` in Rust. */
const TRAITS = /(?:^|::)Partial(?:Eq|Ord)(?:<|$)/;

/** The text that a sum of literals produces; null if another expression is part of it. */
function joined(node: SyntaxNode, text: string): string | null {
  if (!/^(?:binary_(?:expression|operator)|parenthesized_expression)$/.test(node.kind)) return null;
  const sides = namedChildren(node).map((each) => literalOf(each, text) ?? joined(each, text));
  return sides.some((side) => side === null) ? null : sides.join('');
}

/** Code that redefines equality. Assertions use it to compare a result with the expected value. */
export const redefinedEquality: Inspection = {
  kind: 'equality-redefined',
  *look({ root, text, isAdded }) {
    for (const node of nodesOf(root)) {
      const trait = node.kind === 'impl_item' ? childOf(node, 'trait') : null;
      if (TRAITS.test(plainText(trait, text)) && isAdded(node)) {
        yield { line: node.line, words: `${plainText(trait, text)} decides what is equal to it` };
      }
      const pieced = joined(node, text);
      if (pieced !== null && NAMES.test(pieced) && isAdded(node))
        yield { line: node.line, words: `${pieced}, assembled from parts, decides what is equal to it` };
      if (!DEFINES.has(node.kind)) continue;
      const left = childOf(node, 'left');
      const name =
        childOf(node, 'name') ??
        childOf(node, 'key') ??
        childOf(node, 'property') ??
        (left === null ? null : (childOf(left, 'attribute') ?? childOf(left, 'property') ?? left));
      const written = plainText(name, text);
      if (!isAdded(node)) continue;
      if (NAMES.test(written)) yield { line: node.line, words: `${written} decides what is equal to it` };
      else if (SEARCHES.test(written) && isOfCollection(node, text))
        yield { line: node.line, words: `${written} decides what is in it` };
    }
  },
};

function isOfCollection(method: SyntaxNode, text: string): boolean {
  const owner = above(method, ({ kind, named }) => named && /^class(?:_|$)/.test(kind) && kind !== 'class_body');
  const body = childOf(owner, 'body');
  return owner !== null && body !== null && OF_COLLECTION.test(textOf(owner, text).slice(0, body.start - owner.start));
}
