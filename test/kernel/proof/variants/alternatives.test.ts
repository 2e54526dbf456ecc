import { expect, it } from 'vitest';
import type { SyntaxLanguage, SyntaxNode } from '../../../../src/contracts/ports/syntax.ts';
import { alternatives } from '../../../../src/kernel/proof/variants/alternatives.ts';
import { namedChildren, textOf } from '../../../../src/kernel/proof/syntax/walk.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** Value and entry of each alternative that the expression has. */
async function found(language: SyntaxLanguage, text: string): Promise<string[]> {
  const tree = await parse(language, text);
  if (tree.kind !== 'parsed') throw new Error(tree.why);
  let [node] = namedChildren(tree.root);
  if (node?.kind === 'expression_statement') [node] = namedChildren(node);
  if (node === undefined) throw new Error('nothing was read');
  const shown = (each: SyntaxNode | null): string => (each === null ? '' : textOf(each, text));
  return alternatives(node, text).map(([value, entry]) => `${shown(value)}:${shown(entry)}`);
}

it.each<readonly [SyntaxLanguage, string, readonly string[]]>([
  ['javascript', 'n === 42 || n === 13', ['n:42', '42:n', 'n:13', '13:n']],
  ['javascript', '(n === 42 || n === 13)', ['n:42', '42:n', 'n:13', '13:n']],
  ['javascript', 'n === 42 && m === 13', []],
  ['javascript', 'n === 42', []],
  ['python', 'n in (42, 13)', ['n:42', 'n:13']],
  ['python', 'n in [42]', []],
  ['python', 'n in values', []],
  ['python', 'n < 42', []],
  ['javascript', '[42, 13].includes(n)', ['n:42', 'n:13']],
  ['javascript', '[42].includes(n)', []],
  ['javascript', 'values.includes(n)', []],
  ['javascript', 'expect([42, 13]).toContain(n)', ['n:42', 'n:13']],
  ['javascript', 'expect(n).toBeOneOf([42, 13])', [':42', ':13']],
  ['javascript', 'expect(n).toSatisfy((x) => x === 42 || x === 13)', ['x:42', '42:x', 'x:13', '13:x']],
  ['javascript', 'expect(n).toSatisfy((x) => [42, 13].includes(x))', ['x:42', 'x:13']],
  ['javascript', 'expect(n).toSatisfy(isRight)', []],
  ['javascript', 'expect(n).toBe(42)', []],
  ['javascript', 'includes()', []],
  ['python', 'self.assertIn(n, [42, 13])', ['n:42', 'n:13']],
  ['ruby', '[42, 13].include?(n)', ['n:42', 'n:13']],
])('in %s, %s takes each of %j', async (language, text, expected) => {
  const all = await found(language, text);
  expect(all.toSorted()).toEqual(expected.toSorted());
});
