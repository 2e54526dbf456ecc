import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { withoutComments } from '../../../../src/kernel/proof/findings/without-comments.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

it.each<[SyntaxLanguage, string, string]>([
  ['javascript', 'a/**/.b; // c\nd;\n', 'a.b; \nd;\n'],
  ['javascript', 'return/**/1;', 'return 1;'],
  ['javascript', 'a /* b */ = c;', 'a = c;'],
  ['javascript', '/* a\nb\n*/ c();', '\n\n c();'],
  ['javascript', "const a = '/* no */ // comment';", "const a = '/* no */ // comment';"],
  ['rust', '/// Doc.\nfn a() { /* b /* c */ d */ e() }', '\nfn a() { e() }'],
  ['go', 'func ExampleA() {\n\tA() // why\n\t// Output: 1\n}', 'func ExampleA() {\n\tA() \n\t// Output: 1\n}'],
  ['python', 'a = 1 # b\n# c\nd = 2\n', 'a = 1 \n\nd = 2\n'],
])('%s: %j is %j', async (language, text, expected) => {
  const tree = await parse(language, text);
  expect(tree.kind === 'parsed' ? withoutComments(text, tree.root) : tree).toBe(expected);
});
