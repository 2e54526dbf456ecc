import { describe, expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { describeSurvivor } from '../../../../src/kernel/proof/mutation/describe-survivor.ts';
import { mutantsOf } from '../../../../src/kernel/proof/mutation/mutants-of.ts';
import type { Mutant } from '../../../../src/kernel/proof/mutation/mutator.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function mutants(
  language: SyntaxLanguage,
  text: string,
  lines?: readonly number[],
  maxMutants = 100,
): Promise<readonly Mutant[]> {
  const all = text.split('\n').map((_, index) => index + 1);
  const made = await mutantsOf({ text, language, changedLines: new Set(lines ?? all), maxMutants }, parse);
  if (made.kind === 'no-tree') throw new Error(made.why);
  return made.mutants;
}

const shown = ({ line, before, after }: Mutant): string => `${line}: ${before} -> ${after}`;

interface Case {
  readonly what: string;
  readonly language: SyntaxLanguage;
  readonly text: string;
  readonly expected: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'what a method of Ruby answers with, also without return',
    language: 'ruby',
    text: 'def a(b)\n  return 1 if b\n  c = 2\n  if c then "d" else [] end\nend',
    expected: [
      '2: 1 -> 0',
      '4: "d" -> \'\'',
      "4: [] -> ['mutant']",
      '2: b -> !(b)',
      '3: c = 2 -> nil',
      '4: c -> !(c)',
      '3: 2 -> 3',
      '2: 1 -> 2',
    ],
  },
  {
    what: 'statements, conditions and answers of PHP',
    language: 'php',
    text: '<?php\nfunction f($a) {\n  g($a);\n  if ($a === 2) { return "b"; }\n  return [];\n}',
    expected: [
      '4: "b" -> \'\'',
      "5: [] -> ['mutant']",
      '4: === -> !==',
      '3: g($a); -> ;',
      '4: 2 -> 3',
      '3: $a -> null',
    ],
  },
  { what: 'operators of Ruby', language: 'ruby', text: 'a = b && c', expected: ['1: && -> ||'] },
  {
    what: 'no statement inside of another of Ruby',
    language: 'ruby',
    text: 'def a\n  b(c(1))\n  d\nend',
    expected: ['3: d -> nil', '2: b(c(1)) -> nil', '2: 1 -> 2', '2: c(1) -> nil'],
  },
  {
    what: 'boundaries, both ways, and what is returned',
    language: 'javascript',
    text: 'function f(a, b) {\n  return a < b;\n}',
    expected: ['2: a < b -> another value of its type', '2: < -> <=', '2: < -> >='],
  },
  {
    what: 'conditions and thrown errors',
    language: 'typescript',
    text: 'function f(a: string): void {\n  if (ok(a)) throw new Error(a);\n}',
    expected: ['2: (ok(a)) -> (!(ok(a)))', '2: throw new Error(a); -> ;'],
  },
  {
    what: 'ternaries',
    language: 'javascript',
    text: 'const f = (a) => { g(a ? 1 : 2); };',
    expected: ['1: a -> !(a)', '1: g(a ? 1 : 2); -> ;', '1: 1 -> 2', '1: 2 -> 3', '1: a ? 1 : 2 -> undefined'],
  },
  {
    what: 'a call that is returned, and that may throw',
    language: 'javascript',
    text: 'const f = (a) => new URL(a);',
    expected: ['1: new URL(a) -> another value of its type', '1: new URL(a) -> undefined'],
  },
  {
    what: 'a call that is returned, and that may throw',
    language: 'python',
    text: 'def f(a):\n    return Level(a)',
    expected: ['2: Level(a) -> another value of its type', '2: Level(a) -> None'],
  },
  {
    what: 'logic',
    language: 'javascript',
    text: 'const f = (a, b) => a && !b;',
    expected: ['1: a && !b -> another value of its type', '1: && -> ||', '1: !b -> b'],
  },
  { what: 'defaults by ??', language: 'javascript', text: 'let a = b ?? c;', expected: ['1: ?? -> &&'] },
  { what: 'arithmetic', language: 'javascript', text: 'let a = b * c;', expected: ['1: * -> /'] },
  {
    what: 'what is added up in a loop that ends by itself, and of others only what they do not wait for',
    language: 'javascript',
    text: 'function f(a) {\n  for (const b of a) c += b;\n  while (d !== null) { d = d.next; e = d; }\n}',
    expected: ['2: += -> -=', '3: !== -> ===', '2: c += b; -> ;', '3: e = d; -> ;'],
  },
  {
    what: 'calls that are taken for others, or left out',
    language: 'javascript',
    text: 'x = g(Math.min(a, b.trim().padEnd(c)));\ny = d.slice();\ne.sort();',
    expected: ['1: Math.min -> Math.max', '1: padEnd -> padStart', '1: .trim() -> '],
  },
  {
    what: 'calls of Python that are taken for others, or left out',
    language: 'python',
    text: 'a = any(b.strip() for b in c)\n',
    expected: ['1: any -> all', '1: .strip() -> '],
  },
  {
    what: 'no other value of what only ends a handler',
    language: 'javascript',
    text: 'function f(res, next) {\n  if (a) return next(a);\n  return res.status(404).json(b);\n}',
    expected: ['2: (a) -> (!(a))', '3: 404 -> 405'],
  },
  {
    what: 'no other value of what compares for an order',
    language: 'typescript',
    text: 'a.sort((b, c) => b - c);',
    expected: ['1: b - c -> undefined', '1: - -> +'],
  },
  { what: 'no joined texts', language: 'javascript', text: "let a = 'b' + c + d;", expected: [] },
  {
    what: 'no imports and no types',
    language: 'typescript',
    text: "import a from './1.js';\ntype B = 1 | 2;\nlet c: 3;",
    expected: [],
  },
  { what: 'no callback whose value nobody uses', language: 'javascript', text: 'a.forEach((b) => b.c);', expected: [] },
  {
    what: 'no counter of a loop',
    language: 'javascript',
    text: 'function f(n) { for (let i = 0; g(i); i++) h(i); while (g(n)) n -= 1; }',
    expected: ['1: h(i); -> ;', '1: 0 -> 1', '1: 1 -> 2', '1: i -> undefined'],
  },
  {
    what: 'nothing that loads the file',
    language: 'javascript',
    text: "'use strict';\nmodule.exports = f;\nsetUp();",
    expected: [],
  },
  { what: 'no logging', language: 'javascript', text: 'function f() { console.log(1); }', expected: ['1: 1 -> 2'] },
  {
    what: 'JSX',
    language: 'tsx',
    text: 'const A = () => <b>{c > 1}</b>;',
    expected: ['1: <b>{c > 1}</b> -> null', '1: > -> >=', '1: > -> <=', '1: 1 -> 2'],
  },
  {
    what: 'Python',
    language: 'python',
    text: '"""Text."""\nimport os\n\ndef f(a, b):\n    """More text."""\n    if a is not b and not c:\n        raise ValueError(a)\n    self.d = 1\n    return [a]',
    expected: [
      '9: [a] -> another value of its type',
      '6: and -> or',
      '6: is not -> is',
      '7: raise ValueError(a) -> pass',
      '8: self.d = 1 -> pass',
      '6: a is not b and not c -> not (a is not b and not c)',
      '8: 1 -> 2',
      '6: not c -> c',
    ],
  },
  {
    what: 'a Python loop',
    language: 'python',
    text: 'def f(n):\n    while n > 0:\n        n -= 1\n',
    expected: ['2: > -> >=', '2: > -> <=', '3: 1 -> 2', '2: 0 -> 1'],
  },
  {
    what: 'Go',
    language: 'go',
    text: 'package a\n\nfunc f(a int) bool {\n\tif a >= 3 {\n\t\tg(a)\n\t}\n\treturn true\n}\n',
    expected: ['7: true -> false', '4: >= -> >', '5: g(a) -> ', '4: >= -> <', '4: 3 -> 4'],
  },
  {
    what: 'what Go returns, and not what is beside an error',
    language: 'go',
    text: 'package a\n\nfunc f(a string) (int, error) {\n\tif a == "" {\n\t\treturn 0, errEmpty\n\t}\n\treturn len(a), nil\n}\n\nfunc g(a *T) (b []int) {\n\treturn a.all()\n}\n',
    expected: ['7: len(a) -> (len(a)) + 1', '11: a.all() -> nil', '4: == -> !='],
  },
  {
    what: 'Java',
    language: 'java',
    text: 'class A {\n  boolean f(int a) {\n    if (a >= 3) {\n      g(a);\n    }\n    return !h(a) && true;\n  }\n  int n() { return x.size(); }\n  List<A> all() { return b; }\n}\n',
    expected: [
      '6: !h(a) && true -> !(!h(a) && true)',
      '8: x.size() -> 0',
      '9: b -> null',
      '3: >= -> >',
      '6: && -> ||',
      '4: g(a); -> ;',
      '3: >= -> <',
      '6: !h(a) -> h(a)',
      '4: a -> null',
      '6: true -> false',
    ],
  },
  {
    what: 'Rust',
    language: 'rust',
    text: 'fn f(a: i32) -> bool {\n    if a >= 3 {\n        g(a);\n    }\n    !h(a)\n}\n',
    expected: [
      '5: !h(a) -> Default::default()',
      '2: >= -> >',
      '3: g(a); -> ',
      '2: >= -> <',
      '5: !h(a) -> h(a)',
      '2: if a >= 3 {\n        g(a);\n    } -> ',
      '3: a -> Default::default()',
      '2: 3 -> 4',
    ],
  },
  {
    what: 'arguments of calls whose result is not used',
    language: 'javascript',
    text: "function f(a, b) { a.send(b, 'x', { c: b }); a.later(() => b, c); }",
    expected: [
      '1: b -> another value of its type',
      "1: a.send(b, 'x', { c: b }); -> ;",
      '1: a.later(() => b, c); -> ;',
      "1: b, 'x', { c: b } -> undefined, 'x', undefined",
    ],
  },
  {
    what: 'arguments with names',
    language: 'python',
    text: 'def f(a, b):\n    a.send(b, to=a)\n',
    expected: ['2: a.send(b, to=a) -> pass', '2: b, to=a -> None, to=None'],
  },
  {
    what: 'arguments in another order, and without options',
    language: 'javascript',
    text: 'const x = move(a, b, { c: d });',
    expected: ['1: a, b -> b, a', '1: { c: d } -> {}'],
  },
  {
    what: 'arguments of Go in another order',
    language: 'go',
    text: 'package a\n\nfunc f(a, b string) {\n\tsend(a, b)\n}\n',
    expected: ['4: send(a, b) -> ', '4: a, b -> b, a'],
  },
  {
    what: 'no arguments that may change places',
    language: 'javascript',
    text: 'const x = Math.hypot(a, b);',
    expected: [],
  },
];

describe('mutants', () => {
  it.each([
    '#[cfg(test)]\nmod tests {\n    fn one() -> i32 {\n        2\n    }\n}\n',
    '#[test]\n#[ignore]\n// one\nfn one() {\n    g(2);\n}\n',
  ])('are none of the tests inside of a source', async (tests) => {
    const source = 'fn f() -> i32 {\n    3\n}\n\n';
    expect((await mutants('rust', source + tests)).map(shown)).toEqual((await mutants('rust', source)).map(shown));
  });

  it.each(CASES)('are made of $what', async ({ language, text, expected }) => {
    expect((await mutants(language, text)).map(shown)).toEqual(expected);
  });

  it.each<[SyntaxLanguage, string]>([
    ['javascript', "a({ 1: 'b', 2: 3 });"],
    ['python', 'a({1: "b", 2: 3})'],
    ['ruby', "a({ 1 => 'b', 2 => 3 })"],
    ['php', "<?php a([1 => 'b', 2 => 3]);"],
    ['go', 'package a\n\nvar a = map[int]int{1: b, 2: 3}'],
  ])('change the values of a table, and not its keys (%s)', async (language, text) => {
    const changed = (await mutants(language, text)).filter(({ mutator }) => mutator === 'change-literal');
    expect(changed.map(({ before, after }) => [before, after])).toEqual([['3', '4']]);
  });

  it.each<[SyntaxLanguage, string]>([
    ['javascript', 'const f = (a, b) => (a < b ? b : a);'],
    ['javascript', 'function f(a, b) {\n  if (a < b) return b;\n  return a;\n}'],
    [
      'typescript',
      'function f(a: Box, b: Box) {\n  if (a.size < b.size) {\n    return b.size;\n  } else {\n    return a.size;\n  }\n}',
    ],
    ['python', 'def f(a, b):\n    return b if a < b else a\n'],
    ['python', 'def f(a, b):\n    if a < b:\n        return b\n    return a\n'],
    ['go', 'package p\n\nfunc f(a, b int) int {\n\tif a < b {\n\t\treturn b\n\t}\n\treturn a\n}\n'],
    ['rust', 'fn f(a: i32, b: i32) -> i32 {\n    if a < b {\n        b\n    } else {\n        a\n    }\n}\n'],
    ['java', 'class A {\n  int f(int a, int b) {\n    return a < b ? b : a;\n  }\n}\n'],
    ['php', '<?php\nfunction f($a, $b) { return $a < $b ? $b : $a; }\n'],
    ['ruby', 'def f(a, b)\n  a < b ? b : a\nend'],
  ])('do not move the bound of a maximum, which changes nothing: %s %#', async (language, text) => {
    const ofBound = (await mutants(language, text)).filter(({ before }) => before === '<');
    expect(ofBound.map(({ after }) => after)).toEqual(['>=']);
    const other = text.replace(/\bb(\.size)?(?=;|\n| :| if|$)/, 'c$1');
    const moved = await mutants(language, other);
    expect(moved.filter(({ before }) => before === '<').map(({ after }) => after)).toEqual(['<=', '>=']);
  });

  it('are of changed lines alone', async () => {
    const text = 'function f(a) {\n  if (a > 1) return 1;\n  return 2;\n}';
    expect((await mutants('javascript', text, [3])).map(({ line }) => line)).toEqual([3, 3]);
  });

  it('are of a changed line also where the statement began before it', async () => {
    const text = 'const f = (a, b) =>\n  a\n  && b;';
    expect((await mutants('javascript', text, [3])).map(shown)).toEqual(['3: && -> ||']);
  });

  it.each<[SyntaxLanguage, string]>([
    ['javascript', 'export const calc = { mul: (a, b) => a * b };'],
    ['javascript', 'export class Calc {\n  mul = (a, b) => a * b;\n}'],
    ['typescript', 'export class Calc {\n  mul = (a: number, b: number) => a * b;\n}'],
  ])('know the function of an entry or a field by its name: %s, %s', async (language, text) => {
    const [first] = await mutants(language, text);
    expect(first?.within?.name).toBe('mul');
  });

  it('reach each line once before any line twice, within the budget', async () => {
    const text = 'function f(a, b) {\n  if (a < b && a > 0) g(a);\n  if (b) g(b);\n}';
    expect((await mutants('javascript', text, undefined, 3)).map(({ line }) => line)).toEqual([2, 3, 2]);
  });

  it('are each the file with one change, without syntax errors, and all different', async () => {
    for (const { language, text } of CASES) {
      const made = await mutants(language, text);
      expect(new Set([text, ...made.map((mutant) => mutant.text)]).size).toBe(made.length + 1);
      for (const mutant of made) {
        expect(await parse(language, mutant.text)).toMatchObject({ kind: 'parsed', complete: true });
        if (mutant.after !== 'another value of its type')
          expect(mutant.text.length - text.length).toBe(mutant.after.length - mutant.before.length);
      }
    }
  });

  it('are not made of a file that has no syntax tree', async () => {
    const input = { text: 'if (', language: 'javascript', changedLines: new Set([1]), maxMutants: 5 } as const;
    expect(await mutantsOf(input, parse)).toEqual({ kind: 'no-tree', why: 'it has syntax errors' });
  });

  it('of a change of five thousand lines take no longer than a moment to choose', async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `export const f${index} = (a) => a > ${index};`).join(
      '\n',
    );
    expect(await mutants('javascript', text, undefined, 5)).toHaveLength(5);
  });
});

describe('a survivor', () => {
  const mutant = { line: 14, mutator: 'swap-operator', before: '>', after: '>=', text: '' };
  it.each([
    [mutant, 'no test fails when `>` becomes `>=` in line 14 of src/a.js'],
    [
      { ...mutant, mutator: 'remove-statement', before: 'f(\n  a,\n);', after: ';' },
      'no test fails when `f( a, );` is removed in line 14 of src/a.js',
    ],
    [{ ...mutant, mutator: 'revert-hunk' }, 'no test fails when the change in line 14 of src/a.js is reverted'],
  ])('is described in words', (survivor, words) => {
    expect(describeSurvivor('src/a.js', survivor)).toBe(words);
  });
});
