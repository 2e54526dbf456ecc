import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { constantOf } from '../../../../src/kernel/proof/findings/names.ts';
import { namedChildren } from '../../../../src/kernel/proof/syntax/walk.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

it.each<readonly [SyntaxLanguage, string, string | null]>([
  ['javascript', '42', '42'],
  ['javascript', '0x2a', '42'],
  ['javascript', '4_2', '42'],
  ['javascript', '42n', '42'],
  ['javascript', '4.5', '4.5'],
  ['javascript', '9007199254740993', '9007199254740993'],
  ['javascript', "'a'", 'a'],
  ['javascript', '`a`', 'a'],
  ['javascript', '`a${b}`', null],
  ['javascript', '(40 + 2)', '42'],
  ['javascript', '44 - 2', '42'],
  ['javascript', '6 * 7', '42'],
  ['javascript', "'4' + '2'", '42'],
  ['javascript', "'4' + 2", '42'],
  ['javascript', '84 / 2', null],
  ['javascript', '40 + b', null],
  ['javascript', 'b', null],
  ['python', '42.0', '42'],
  ['python', "b'a'", 'a'],
  ['python', '"""a"""', 'a'],
  ['python', '40 + 2', '42'],
  ['ruby', '"a"', 'a'],
  ['ruby', '"a#{b}"', null],
])('in %s, %s is the value %j', async (language, text, value) => {
  const tree = await parse(language, text);
  if (tree.kind !== 'parsed') throw new Error(tree.why);
  let [node] = namedChildren(tree.root);
  if (node?.kind === 'expression_statement') [node] = namedChildren(node);
  if (node === undefined) throw new Error('nothing was read');
  expect(constantOf(node, text)).toBe(value);
});
