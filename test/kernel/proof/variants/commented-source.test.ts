import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { commentedSource } from '../../../../src/kernel/proof/variants/commented-source.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

it.each<[SyntaxLanguage, string, string | null]>([
  ['javascript', 'export const f = (a) => a;\n', 'export const f = (a) => /* */ a;\n'],
  ['typescript', 'function f(): void {\n  g();\n}\n', 'function f(): void { /* */\n  g();\n}\n'],
  ['javascript', 'const f = () => ({ a: 1 });\n', 'const f = () => /* */ ({ a: 1 });\n'],
  ['python', 'def f():\n    """Text."""\n    return 1\n', 'def f():\n    #\n    """Text."""\n    return 1\n'],
  ['python', 'def f(): return 1\n', null],
  ['go', 'package p\n\nfunc F() int { return 1 }\n', 'package p\n\nfunc F() int { /* */ return 1 }\n'],
  ['rust', 'fn f() -> i32 { 1 }\n', 'fn f() -> i32 { /* */ 1 }\n'],
  ['java', 'class F { int f() { return 1; } }\n', 'class F { int f() { /* */ return 1; } }\n'],
  ['javascript', 'export const a = 1;\n', null],
])('the same program of %s with comments: %s', async (language, text, expected) => {
  const tree = await parse(language, text);
  if (tree.kind !== 'parsed') throw new Error('no tree');
  const commented = commentedSource(language, tree.root, text);
  expect(commented).toBe(expected);
  const again = commented === null ? null : await parse(language, commented);
  expect(again === null || (again.kind === 'parsed' && again.complete)).toBe(true);
});
