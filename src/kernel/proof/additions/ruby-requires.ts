import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { SourceText } from '../findings/finding.ts';
import { argumentsOf, chainOf } from '../findings/names.ts';
import { nodesOf, textOf } from '../syntax/walk.ts';

/** Features of Ruby's own library that only define constants. */
const OF_RUBY =
  /^(?:base64|benchmark|bigdecimal|csv|date|digest|erb|fileutils|forwardable|json|logger|open3|ostruct|pathname|securerandom|set|singleton|stringio|strscan|tempfile|time|timeout|tmpdir|uri|yaml|zlib)$/;

/**
 * Pure: returns the constant that a `require` provides to the file: `require "shop/price_list"` provides `PriceList`.
 * null for any other statement, and if the file uses no such constant: then the file is required for its effect.
 */
export function requiredConstant(statement: SyntaxNode, { root, text }: SourceText): readonly string[] | null {
  const chain = chainOf(statement, text);
  const [feature, ...more] = argumentsOf(statement);
  if (chain.length !== 1 || !/^require(?:_relative)?$/.test(firstText(chain))) return null;
  if (feature?.kind !== 'string' || more.length > 0) return null;
  const written = textOf(feature, text).slice(1, -1);
  if (!/^[\w./-]+$/.test(written)) return null;
  if (chain[0] === 'require' && OF_RUBY.test(written)) return [];
  const name = plain(written.split('/').at(-1)?.replace(/\.rb$/, '') ?? '');
  const used = [...nodesOf(root)].find((each) => each.kind === 'constant' && plain(textOf(each, text)) === name);
  return used === undefined ? null : [textOf(used, text)];
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
