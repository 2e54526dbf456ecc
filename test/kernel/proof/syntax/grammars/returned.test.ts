import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../../src/contracts/ports/syntax.ts';
import { GRAMMARS } from '../../../../../src/kernel/proof/syntax/grammars/grammars.ts';
import { nodesOf, textOf } from '../../../../../src/kernel/proof/syntax/walk.ts';
import { syntaxParser } from '../../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** A source of a language -> what its functions return. */
it.each<readonly [SyntaxLanguage, string, readonly string[]]>([
  ['javascript', 'function f(a) {\n  g(a);\n  return a + 1;\n}\n', ['a + 1']],
  ['python', 'def f(a):\n    g(a)\n    return a + 1\n', ['a + 1']],
  ['go', 'package p\n\nfunc F(a int) int {\n\tg(a)\n\treturn a + 1\n}\n', ['a + 1']],
  ['go', 'package p\n\nfunc F(a int) (int, error) {\n\treturn a + 1, nil\n}\n', ['a + 1']],
  ['go', 'package p\n\nfunc F(a int) (int, error) {\n\treturn 0, errNone\n}\n', []],
  ['go', 'package p\n\nfunc F(a int) {\n\tg(a)\n\treturn\n}\n', []],
  ['ruby', 'def f(a)\n  g(a)\n  a + 1\nend\n', ['a + 1']],
  ['ruby', 'def f(a) = a + 1\n', ['a + 1']],
  ['ruby', 'def f(a)\n  return 2 if g\n  return a + 1\nend\n', ['2', 'a + 1']],
  ['ruby', 'def f(a)\n  g(a)\n  return\nend\n', []],
  ['ruby', 'def f(a)\n  if a\n    g\n    1\n  elsif h\n    2\n  else\n    3\n  end\nend\n', ['1', '2', '3']],
  ['ruby', 'def f(a)\n  case a\n  when b then 1\n  else 2\n  end\nend\n', ['1', '2']],
  ['ruby', 'def f(a)\n  a ? 1 : 2\nend\n', ['a ? 1 : 2', '1', '2']],
  ['ruby', 'def f(a)\n  a + 1\nrescue E\n  g\nensure\n  h\nend\n', ['a + 1']],
  ['ruby', 'class A\n  def f(a)\n    a + 1\n  end\n\n  g :f\nend\n', ['a + 1']],
  ['ruby', 'def f(a)\n  a.map { |b| b + 1 }\nend\n\n1\n', ['a.map { |b| b + 1 }']],
])('a grammar of %s knows what is returned: %j', async (language, text, expected) => {
  const parsed = await parse(language, text);
  if (parsed.kind !== 'parsed') throw new Error('not parsed');
  const found = [...nodesOf(parsed.root)]
    .map((node) => GRAMMARS[language]?.returned(node, text) ?? null)
    .flatMap((node) => (node === null ? [] : [textOf(node, text)]));
  expect([...new Set(found)]).toEqual(expected);
});
