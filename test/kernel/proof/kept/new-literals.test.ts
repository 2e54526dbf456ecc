import { expect, it } from 'vitest';
import { bothSides } from '../../../../src/kernel/proof/kept/both-sides.ts';
import { newLiterals } from '../../../../src/kernel/proof/kept/effects/new-literals.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

type File = readonly [path: string, before: string | null, after: string];

async function found(files: readonly File[], deleted: readonly string[] = []): Promise<string[]> {
  const texts = files.map(([path, before, after]) => ({ path, role: 'source' as const, before, after }));
  const sides = await bothSides(texts, deleted, parse);
  return newLiterals(sides).map(({ path, line, words }) => `${path}:${line}: ${words}`);
}

const PAY = "const ENDPOINT = 'https://pay.example/charge';\nexport const pay = (send) => send(ENDPOINT);\n";
const brings = (text: string) => `the refactoring adds a text that the old source does not have: ${text}`;

it.each<[string, File, string]>([
  [
    'another address',
    ['src/pay.js', PAY, PAY.replace('pay.example', 'evil.example').replace('ENDPOINT', 'PLACE')],
    'src/pay.js:1: ' + brings('https://evil.example/charge'),
  ],
  [
    'another pattern',
    ['src/a.js', 'export const ok = (a) => /^\\w+@\\w+$/.test(a);\n', 'export const ok = (a) => /@/i.test(a);\n'],
    'src/a.js:1: ' + brings('/@/i'),
  ],
  [
    'another pattern in Python',
    ['a.py', 'import re\nOK = re.compile(r"^[a-z]+$")\n', 'import re\n\n\nOK = re.compile(r"[a-z0-9]")\n'],
    'a.py:4: ' + brings('[a-z0-9]'),
  ],
  [
    'another text in Go',
    ['a.go', 'package p\n\nvar a = "old"\n', 'package p\n\nvar a = "new"\n'],
    'a.go:3: ' + brings('new'),
  ],
])('%s is a finding', async (_, file, finding) => {
  expect(await found([file])).toEqual([finding]);
});

it.each<[string, readonly File[], readonly string[]]>([
  [
    'what is only moved',
    [['src/pay.js', PAY, `export const other = 'x';\n${PAY}`.replace("'x'", "'pay.example'")]],
    [],
  ],
  [
    'what moves into a file of its own',
    [
      ['src/pay.js', PAY, "import { ENDPOINT } from './places.js';\nexport const pay = (send) => send(ENDPOINT);\n"],
      ['src/places.js', null, "export const ENDPOINT = 'https://pay.example/charge';\n"],
    ],
    [],
  ],
  ['a file with another name', [['src/paying.js', null, PAY]], [PAY]],
  [
    'a part of a template',
    [['src/a.js', 'export const a = (b) => `Hello ${b}`;\n', "export const a = (b) => 'Hello ' + b;\n"]],
    [],
  ],
  ['a separator', [['src/a.js', 'export const a = (b) => b;\n', "export const a = (b) => [b].join(', ');\n"]], []],
  [
    'a type, and a module that is loaded',
    [['src/a.cjs', '', "const b = require('./b.cjs');\nexports.a = (c) => (typeof c === 'string' ? b(c) : c);\n"]],
    [],
  ],
  ['a documentation', [['a.py', 'def a():\n    return 1\n', 'def a():\n    """Says one."""\n    return 1\n']], []],
])('%s is none', async (_, files, deleted) => {
  expect(await found(files, deleted)).toEqual([]);
});

it('tests may have new texts', async () => {
  const test = { path: 'test/a.test.js', role: 'test' as const, before: null, after: "test('new', () => {});\n" };
  expect(newLiterals(await bothSides([test], [], parse))).toEqual([]);
});
