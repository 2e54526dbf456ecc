import { describe, expect, it } from 'vitest';
import type { SyntaxLanguage, SyntaxNode } from '../../../../src/contracts/ports/syntax.ts';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { hollowSource } from '../../../../src/kernel/proof/stand-ins/hollow/hollow-source.ts';
import { judgeHollow } from '../../../../src/kernel/proof/stand-ins/observe-hollow.ts';
import { holdsAny } from '../../../../src/kernel/proof/syntax/replaced-bodies.ts';
import { caseId } from '../../../../src/kernel/proof/test-case-id.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => performance.now());

async function hollow(language: SyntaxLanguage, text: string, lines?: readonly number[]) {
  const tree = await parse(language, text);
  if (tree.kind !== 'parsed') throw new Error(tree.why);
  const isChanged = (node: SyntaxNode): boolean => lines === undefined || holdsAny(node, new Set(lines));
  const emptied = hollowSource({ language, root: tree.root, text }, isChanged);
  if (emptied !== null) expect(await parse(language, emptied)).toMatchObject({ complete: true });
  return emptied;
}

describe('a function of a compiled language is emptied so that its program is still built', () => {
  it.each<[SyntaxLanguage, string, string]>([
    ['rust', 'fn a() -> i32 { 1 }', 'fn a() -> i32 { #![allow(warnings)] panic!() }'],
    ['rust', 'impl A { fn a(&self) { 1; } }', 'impl A { fn a(&self) { #![allow(warnings)] panic!() } }'],
    ['go', 'package a\nfunc A() int { return 1 }\n', 'package a\nfunc A() int { panic("hollow") }\n'],
    [
      'go',
      'package a\nimport (\n\t"fmt"\n\tx "y/z"\n)\nfunc A() { fmt.Println(x.Y) }\nfunc (b B) C() {}\n',
      'package a\nimport (\n\t_ "fmt"\n\t_ "y/z"\n)\nfunc A() { panic("hollow") }\nfunc (b B) C() { panic("hollow") }\n',
    ],
    ['java', 'class A { int a() { return 1; } }', 'class A { int a() { throw new IllegalStateException(); } }'],
  ])('%s: %s', async (language, text, expected) => {
    expect(await hollow(language, text)).toBe(expected);
  });

  it.each<[SyntaxLanguage, string]>([
    ['rust', 'fn a() -> impl Iterator<Item = i32> { 0..1 }'],
    ['rust', 'const fn a() -> i32 { 1 }'],
    ['rust', 'pub const A: i32 = 1;'],
    ['go', 'package a\nfunc init() { A() }\n'],
    ['go', 'package a\nfunc main() { A() }\n'],
    ['javascript', 'function a() { return 1; }'],
  ])('and stays as it is where it would not be: %s: %s', async (language, text) => {
    expect(await hollow(language, text)).toBeNull();
  });

  it('only changed ones, and imports that others use stay', async () => {
    const text = 'package a\nimport "fmt"\nfunc A() { fmt.Println() }\nfunc B() { fmt.Println() }\n';
    expect(await hollow('go', text, [3])).toBe(text.replace('A() { fmt.Println() }', 'A() { panic("hollow") }'));
  });
});

describe('new cases on emptied functions', () => {
  const FILE = 'mul_test.go';
  const run = (cases: Readonly<Record<string, 'passed' | 'failed' | 'load'>>): TestRun => ({
    outcome: 'failed',
    cases: Object.entries(cases).map(([name, status]): TestCase => ({
      file: FILE,
      name,
      status: status === 'load' ? 'failed' : status,
      duration_ms: 1,
      ...(status === 'load' ? { failure: { kind: 'load', message: 'no' } } : {}),
    })),
    files: [FILE],
    requested: [FILE],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output: '',
  });
  it.each([
    ['all fail', { a: 'failed', b: 'failed', old: 'passed' }, 'held'],
    ['one of them passes', { a: 'failed', b: 'passed' }, 'failed'],
    ['one of them is gone', { a: 'failed' }, 'failed'],
    ['one of them is behind one that ended their test', { T: 'failed', 'T > a': 'failed' }, 'held', ['T > a', 'T > b']],
    ['one of them is behind one that passed', { T: 'failed', 'T > a': 'passed' }, 'failed', ['T > a', 'T > b']],
    ['one of them is gone from a test that passed', { T: 'passed', 'T > a': 'failed' }, 'failed', ['T > a', 'T > b']],
    ['none was reached', { T: 'failed' }, 'failed', ['T > a', 'T > b']],
    ['they do not load', { '(load)': 'load' }, 'impossible'],
  ] as const)('%s', (_, cases, outcome, names: readonly string[] = ['a', 'b']) => {
    const added = names.map((name) => caseId({ file: FILE, name }));
    expect(judgeHollow(run(cases), added).outcome).toBe(outcome);
  });
});
