import { expect, it } from 'vitest';
import { unusedAdditions } from '../../../../src/kernel/proof/kept/unused-additions.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);
const BEFORE = 'export function add(a, b) {\n  const sum = a + b;\n  return sum;\n}\n';
const EXTRACTED = 'export function add(a, b) {\n  return plus(a, b);\n}\nfunction plus(a, b) {\n  return a + b;\n}\n';

const found = async (...files: readonly (readonly [path: string, before: string | null, after: string])[]) =>
  (
    await unusedAdditions(
      files.map(([path, before, after]) => ({ path, role: 'source' as const, before, after })),
      parse,
    )
  ).map(({ path, line, words }) => `${path}:${line}: ${words}`);

it.each([
  ['src/add.js', BEFORE, `${EXTRACTED}export const evil = () => process.exit;\n`, 7],
  ['add.py', 'def add(a, b):\n    return a + b\n', 'def add(a, b):\n    return a + b\n\n\ndef evil():\n    pass\n', 5],
  ['add.go', 'package p\n', 'package p\n\nfunc evil() {}\n', 3],
] as const)('a refactoring of %s that adds what it does not use has a finding', async (path, before, after, line) => {
  expect(await found([path, before, after])).toEqual([
    `${path}:${line}: the refactoring adds evil, and nothing in the change uses it`,
  ]);
});

it('code that is extracted, into the same file or a new one, has no finding', async () => {
  expect(await found(['src/add.js', BEFORE, EXTRACTED])).toEqual([]);
  const uses = "import { plus } from './plus.js';\nexport const add = (a, b) => plus(a, b);\n";
  expect(
    await found(['src/add.js', BEFORE, uses], ['src/plus.js', null, 'export const plus = (a, b) => a + b;\n']),
  ).toEqual([]);
});

it('tests declare what only their runner uses', async () => {
  const test = 'class Adds(TestCase):\n    def test_adds(self):\n        assert add(1, 2) == 3\n';
  expect(await unusedAdditions([{ path: 'test_add.py', role: 'test', before: null, after: test }], parse)).toEqual([]);
});
