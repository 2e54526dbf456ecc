import { beforeAll, describe, expect, it } from 'vitest';
import type { StrippedSource } from '../../../../src/contracts/ports/strip-types.ts';
import { differsWithoutTypes, whyNotComparable } from '../../../../src/kernel/proof/type-only/type-only-file.ts';
import { stripTypes } from '../../../../src/platform/system/strip-types.ts';

type Case = readonly [name: string, before: string | null, after: string | null, path?: string];

const stripped = new Map<string | null, StrippedSource>();
/** All of them in one go, as the kernel does with the files of a change. */
beforeAll(async () => {
  const sources = [...new Set([...TYPES, ...CODE, ...OTHERS].flatMap(([, before, after]) => [before, after]))];
  const answers = await stripTypes(sources.map((source) => source ?? ''));
  for (const [index, answer] of answers.entries()) stripped.set(sources[index] ?? null, answer);
});

/** As the kernel decides it: null if the change is of types alone. */
function judge(before: string | null, after: string | null, path = 'src/a.ts'): string | null {
  const why = whyNotComparable({ path, before, after });
  const [first, second] = [stripped.get(before), stripped.get(after)];
  if (first === undefined || second === undefined) throw new Error('it was not stripped');
  return why ?? differsWithoutTypes(path, first, second);
}

const named = (cases: readonly Case[]) => cases.map(([name, before, after, path]) => ({ name, before, after, path }));

const FUNCTION = "import { B } from './b';\nexport function f(a: any, b?: B) {\n  return a.x + 1;\n}\n";

const TYPES: readonly Case[] = [
  [
    'a declaration file that is new, or goes',
    null,
    "declare module 'x' {\n  export function f(a: number): void;\n}\nexport interface A {}\n",
    'types/x.d.ts',
  ],
  ['annotations', FUNCTION, FUNCTION.replace('a: any', 'a: { readonly x: number }').replace('1;\n}', '1;\n} // done')],
  [
    'declarations beside the code',
    'export const a = 1;\n',
    'export interface A {\n  x: 1;\n}\ntype B = A;\n\nexport const a = 1;\n',
  ],
  ['assertions', 'f(a.b);\nx = y!;\n', 'f((a as unknown as B).b);\nx = y satisfies C;\n'],
  ['type parameters', 'const m = new Map();\nf(m);\n', 'const m = new Map<string, number>();\nf<A>(m);\n'],
  [
    'imports of types',
    'export const a = 1;\n',
    "import type { B } from './b';\nexport type { B } from './b';\nexport const a = 1;\n",
  ],
  [
    'overloads',
    'function f(a: any) { return a; }\n',
    'function f(a: string): string;\nfunction f(a: any): any { return a; }\n',
  ],
  [
    'modifiers of members',
    'class A { x = 1; m() {} }\n',
    'class A<T> implements B { private readonly x: T = 1; protected m(): void {} }\n',
  ],
  [
    'ambient declarations',
    'export {};\n',
    'declare global {\n  interface Window { x: 1 }\n}\ndeclare const y: number;\nexport {};\n',
  ],
  ['line ends and comments', '// one\nconst a = 1;\n', '/* two */ const a =\r\n  1;\r\n'],
  [
    'a generic arrow over lines',
    'const f = async (x) => x;\n',
    'const f = async <T>(\n  x: T,\n): Promise<\n  T\n> => x;\n',
  ],
];

const CODE: readonly Case[] = [
  ['a value', 'export const a: number = 1;\n', 'export const a: number = 2;\n'],
  ['an initialiser of an enum', 'enum E { A = 1 }\n', 'enum E { A = steal() }\n'],
  ['a constant enum', 'const enum E { A = 1 }\n', 'const enum E { A = 2 }\n'],
  [
    'an ambient constant enum, whose values others compile in',
    'declare const enum E { A = 1 }\n',
    'declare const enum E { A = 2 }\n',
    'src/a.d.ts',
  ],
  ['a new enum', 'export {};\n', 'export enum E { A = steal() }\n'],
  ['a namespace that holds code', 'export {};\n', 'namespace N { export const a = steal(); }\n'],
  [
    'a parameter property',
    'class A { constructor(a: number) {} }\n',
    'class A { constructor(private a: number) {} }\n',
  ],
  ['an argument of a decorator', '@d(1) class A {}\n', '@d(steal()) class A {}\n'],
  [
    'a type of a decorated member, which becomes metadata',
    'class A { @d x: string; }\n',
    'class A { @d x: Number; }\n',
  ],
  [
    'a field that is declared, and is then defined',
    'class A extends B { declare x: number; }\n',
    'class A extends B { x: number; }\n',
  ],
  ['a constant that is declared no longer', 'declare const a: number;\n', 'const a = steal();\n'],
  [
    'an import with effects made one of types',
    "import { A } from './a';\nlet x: A;\n",
    "import type { A } from './a';\nlet x: A;\n",
  ],
  ['an import of types made one with effects', "import type { A } from './a';\n", "import { type A } from './a';\n"],
  ['an import for its effects', 'export {};\n', "import './steal';\nexport {};\n"],
  ['a default of a parameter', 'function f(a?: number) {}\n', 'function f(a: number = steal()) {}\n'],
  ['a statement in a declaration file', 'export interface A {}\n', 'export interface A {}\nsteal();\n', 'src/a.d.ts'],
  ['a new declaration file with a statement', '', 'steal();\n', 'src/b.d.ts'],
  ['a computed name in a class', 'class A { m() {} }\n', 'class A { [steal()]() {} m() {} }\n'],
  ['a line break that ends a return', 'function f() { return 1; }\n', 'function f() { return\n1; }\n'],
  ['a semicolon that is needed', 'a\n;(b)\n', 'a\n(b)\n'],
  ['a directive', "'use strict';\na();\n", "('use strict');\na();\n"],
  ['a directive spelled otherwise', "'use strict';\na();\n", "'use\\x20strict';\na();\n"],
  ['a template', 'f(`a${b}`);\n', 'f(`a ${b}`);\n'],
  ['the raw text of a template', 'f`\\u0061`;\n', 'f`a`;\n'],
  ['a regular expression', 'f(/a+/);\n', 'f(/(a+)+/);\n'],
  ['a number that reads alike', 'f(0x10);\n', 'f(10);\n'],
  ['a name that looks the same', 'f(admin);\n', 'f(аdmin);\n'],
  ['an optional chain cut in two', 'f(a?.b.c);\n', 'f((a?.b).c);\n'],
  ['a name that a function gets', 'f = function () {};\n', '(f) = function () {};\n'],
  ['the program that runs it', '#!/usr/bin/env node\na();\n', '#!/usr/bin/env steal\na();\n'],
  ['a comment that a runner obeys', '// @vitest-environment node\na();\n', '// @vitest-environment ./steal.js\na();\n'],
  ['a comment that a bundler obeys', 'const a = f();\n', 'const a = /* @__PURE__ */ f();\n'],
  ['a comment that a compiler obeys', 'export {};\n', '/// <reference path="./steal.ts" />\nexport {};\n'],
  ['a comment in one way of reading', 'a <!--b\n;c();\n', 'a < !--b\n;c();\n'],
  ['an export that goes', "export { A } from './a';\n", "export type { A } from './a';\n"],
  ['text that is no TypeScript', 'a();\n', 'a(;\n'],
  ['an alias that is an import', 'export {};\n', "import a = require('./steal');\n"],
  ['markup', 'export {};\n', 'const a = <div />;\n'],
];

const OTHERS: readonly Case[] = [
  ['a file that appears beside others of its name', null, 'export {};\n', 'src/config.ts'],
  ['a file that goes', 'export {};\n', null, 'src/config.ts'],
  ['Python', 'x: int = 1\n', 'x: str = 1\n', 'src/a.py'],
  ['JavaScript', '/** @type {1} */ let a;\n', '/** @type {2} */ let a;\n', 'src/a.js'],
  ['JSX', 'let a: 1;\n', 'let a: 2;\n', 'src/a.tsx'],
];

describe('a change of types alone', () => {
  it.each(named(TYPES))('$name', ({ before, after, path }) => {
    expect(judge(before, after, path)).toBeNull();
    expect(judge(after, before, path)).toBeNull();
  });
});

describe('code that looks like types', () => {
  it.each(named(CODE))('$name', ({ before, after, path }) => {
    expect(judge(before, after, path)).not.toBeNull();
    expect(judge(after, before, path)).not.toBeNull();
  });

  it.each(named(OTHERS))('$name cannot be told from code', ({ before, after, path }) => {
    expect(judge(before, after, path)).not.toBeNull();
  });

  it('a source that breaks the stripper spoils no answer but its own', async () => {
    const deep = `${'('.repeat(200_000)}1${')'.repeat(200_000)};\n`;
    const [broken] = await stripTypes([deep, 'let a: 1;\n']);
    expect(broken?.kind).toBe('refused');
    expect(await stripTypes(['let a: 1;\n'])).toEqual([{ kind: 'ok', code: 'let a   ;\n' }]);
  });
});
