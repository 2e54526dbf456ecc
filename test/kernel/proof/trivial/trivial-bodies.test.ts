import { describe, expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { replacedBodies } from '../../../../src/kernel/proof/syntax/replaced-bodies.ts';
import { trivialBody } from '../../../../src/kernel/proof/trivial/trivial-bodies.ts';
import type { TrivialForm } from '../../../../src/kernel/proof/trivial/trivial-bodies.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => performance.now());

async function without(form: TrivialForm, language: SyntaxLanguage, text: string): Promise<string | null> {
  const tree = await parse(language, text);
  if (tree.kind !== 'parsed') throw new Error(tree.why);
  const replaced = replacedBodies({ root: tree.root, text }, (node) => trivialBody(form, node, { language, text }));
  if (replaced !== null) expect(await parse(language, replaced)).toMatchObject({ complete: true });
  return replaced;
}

describe('a function without work is still a program', () => {
  it.each<[SyntaxLanguage, string, string]>([
    ['javascript', 'function a(b, c) { return b + c; }', 'function a(b, c) { return b; }'],
    ['javascript', 'const a = (b) => b + 1;', 'const a = (b) => (b);'],
    ['javascript', 'exports.a = b => b + 1;', 'exports.a = b => (b);'],
    ['javascript', 'class A { a(b = 1) { return 2; } }', 'class A { a(b = 1) { return b; } }'],
    ['typescript', 'function a(b: string): number { return 1; }', 'function a(b: string): number { return b as any; }'],
    ['python', 'def a(b):\n    c = b\n    return c + 1\n', 'def a(b):\n    return b\n'],
    [
      'python',
      'class A:\n    def a(self, b: int = 1):\n        return 2\n',
      'class A:\n    def a(self, b: int = 1):\n        return b\n',
    ],
    ['ruby', 'module A\n  def self.a(b)\n    b + 1\n  end\nend\n', 'module A\n  def self.a(b)\n    b\n  end\nend\n'],
    ['php', '<?php\nfunction a(int $b): int { return $b + 1; }\n', '<?php\nfunction a(int $b): int { return $b; }\n'],
    ['go', 'package a\nfunc A(b string) string { return "" }\n', 'package a\nfunc A(b string) string { return b }\n'],
    [
      'go',
      'package a\nfunc A(b int) (int, error) { return 1, nil }\n',
      'package a\nfunc A(b int) (int, error) { return b, nil }\n',
    ],
    [
      'rust',
      'fn a(b: &str) -> String { String::new() }',
      'fn a(b: &str) -> String { #![allow(warnings)] b.to_string() }',
    ],
    ['rust', 'fn a(b: i32) -> Option<i32> { None }', 'fn a(b: i32) -> Option<i32> { #![allow(warnings)] Some(b) }'],
    ['java', 'class A { static int a(int b) { return 1; } }', 'class A { static int a(int b) { return b; } }'],
  ])('given: %s: %s', async (language, text, expected) => {
    expect(await without('given', language, text)).toBe(expected);
  });

  it.each<[SyntaxLanguage, string, string]>([
    ['javascript', 'function a(b, c) { return b + c; }', 'function a(b, c) { return 0; }'],
    ['typescript', 'const a = (b: Date): Date => b;', 'const a = (b: Date): Date => (0 as any);'],
    ['python', 'def a(b):\n    return 1\n', 'def a(b):\n    return 0\n'],
    ['php', "<?php\nfunction a(): string { return 'b'; }\n", '<?php\nfunction a(): string { return ""; }\n'],
    ['go', 'package a\nfunc A(b int) int { return b }\n', 'package a\nfunc A(b int) int { return 0 }\n'],
    ['rust', 'fn a(b: f64) -> f64 { b }', 'fn a(b: f64) -> f64 { #![allow(warnings)] 0.0 }'],
    ['java', 'class A { boolean a() { return true; } }', 'class A { boolean a() { return false; } }'],
    [
      'rust',
      'fn a() -> Result<u32, String> { Err("b".into()) }',
      'fn a() -> Result<u32, String> { #![allow(warnings)] Ok(0) }',
    ],
    [
      'rust',
      'fn a() -> Option<String> { None }',
      'fn a() -> Option<String> { #![allow(warnings)] Some(String::new()) }',
    ],
    ['java', 'class A { Long a() { return 1L; } }', 'class A { Long a() { return 0L; } }'],
    [
      'java',
      'class A { Optional<Integer> a() { return null; } }',
      'class A { Optional<Integer> a() { return java.util.Optional.of(0); } }',
    ],
    ['javascript', 'class A { equals(b) { return b.c === this.c; } }', 'class A { equals(b) { return true; } }'],
    ['python', 'def is_same(a, b):\n    return a == b\n', 'def is_same(a, b):\n    return True\n'],
    ['java', 'class A { boolean eq(A b) { return b.c == c; } }', 'class A { boolean eq(A b) { return true; } }'],
  ])('constant: %s: %s', async (language, text, expected) => {
    expect(await without('constant', language, text)).toBe(expected);
  });

  it.each<[TrivialForm, SyntaxLanguage, string]>([
    ['given', 'javascript', 'function a() { return 1; }'],
    ['given', 'javascript', 'const a = ({ b }) => b;'],
    ['given', 'javascript', 'items.map((each) => each.name);'],
    ['constant', 'javascript', 'class A { constructor(b) { this.b = b; } }'],
    ['constant', 'python', 'class A:\n    def __eq__(self, b):\n        return True\n'],
    ['given', 'go', 'package a\nfunc A(b int) string { return "" }\n'],
    ['constant', 'go', 'package a\nfunc A(b int) (int, error) { return b, nil }\n'],
    ['constant', 'rust', 'fn a() -> Vec<i32> { vec![] }'],
    ['constant', 'rust', 'fn a() -> Option<Vec<i32>> { None }'],
    ['constant', 'java', 'class A { Optional<Order> b() { return null; } }'],
  ])('or stays as it is: %s: %s: %s', async (form, language, text) => {
    expect(await without(form, language, text)).toBeNull();
  });
});
