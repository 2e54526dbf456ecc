import { MAX, STUB, USES_MAX } from './largest.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const VITEST = "import { beforeAll, describe, expect, it, vi } from 'vitest';\n";
const about = (module: string, names: string, body: string): readonly [string, string] => [
  `test/${module}.test.js`,
  `${VITEST}import { ${names} } from '../src/${module}.js';\n${body}`,
];

export const VITEST_WAYS: RunnerWays = {
  runner: 'vitest',
  project: { 'package.json': '{ "name": "way", "type": "module", "scripts": { "test": "vitest run" } }\n' },
  ways: [
    {
      name: 'a stub that throws, called at the top of a test file',
      files: { 'src/max.js': STUB },
      steps: testFirst(
        [
          'test/max.test.js',
          `${VITEST}${USES_MAX}const found = [max(1, 2), max(2, 1)];\nit('second', () => expect(found[0]).toBe(2));\nit('first', () => expect(found[1]).toBe(2));\n`,
        ],
        ['src/max.js', MAX],
      ),
    },
    {
      name: 'a stub that throws, called in a hook',
      files: { 'src/max.js': STUB },
      steps: testFirst(
        about(
          'max',
          'max',
          "describe('max', () => {\n  let found;\n  beforeAll(() => { found = [max(1, 2), max(2, 1)]; });\n  it('second', () => expect(found[0]).toBe(2));\n  it('first', () => expect(found[1]).toBe(2));\n});\n",
        ),
        ['src/max.js', MAX],
      ),
    },
    {
      name: 'a table of cases',
      steps: testFirst(
        about(
          'max',
          'max',
          "it.each([\n  [1, 2, 2],\n  [5, 3, 5],\n])('max of %i and %i is %i', (a, b, largest) => {\n  expect(max(a, b)).toBe(largest);\n});\n",
        ),
        ['src/max.js', MAX],
      ),
    },
    {
      name: 'a snapshot in the test',
      steps: testFirst(
        about(
          'tree',
          'tree',
          "it('draws a tree', () => {\n  expect(tree({ src: { 'a.js': null }, test: {} })).toMatchInlineSnapshot(`\n    \"src\n      a.js\n    test\"\n  `);\n});\n",
        ),
        [
          'src/tree.js',
          "export function tree(node, indent = '') {\n  return Object.entries(node)\n    .flatMap(([name, below]) => [indent + name, ...(below ? [tree(below, `${indent}  `)] : [])])\n    .filter((line) => line !== '')\n    .join('\\n');\n}\n",
        ],
      ),
    },
    {
      name: 'a snapshot file written with its test',
      steps: [
        [
          'test/__snapshots__/list.test.js.snap',
          '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`lists 1`] = `\n"1. a\n2. b"\n`;\n',
        ],
        about('list', 'list', "it('lists', () => expect(list(['a', 'b'])).toMatchSnapshot());\n"),
        'run',
        [
          'src/list.js',
          "export const list = (items) => items.map((item, index) => `${index + 1}. ${item}`).join('\\n');\n",
        ],
        'run',
      ],
      reasons: [/Sensitive files change: test\/__snapshots__/],
    },
    {
      name: 'a module that is replaced, and a clock that the test sets',
      files: { 'src/clock.js': 'export const now = () => Date.now();\n' },
      steps: testFirst(
        about(
          'age',
          'ageInDays',
          "vi.mock('../src/clock.js', () => ({ now: vi.fn(() => 10 * 86_400_000) }));\nit('counts whole days', () => {\n  expect(ageInDays(7.5 * 86_400_000)).toBe(2);\n  expect(ageInDays(3 * 86_400_000)).toBe(7);\n});\n",
        ),
        [
          'src/age.js',
          "import { now } from './clock.js';\n\nexport const ageInDays = (bornMs) => Math.floor((now() - bornMs) / 86_400_000);\n",
        ],
      ),
    },
    {
      name: 'TypeScript, with a matcher about errors',
      steps: testFirst(
        [
          'src/parse.test.ts',
          `${VITEST}import { parse } from './parse.js';\nimport type { Point } from './parse.js';\nit('parses a point', () => {\n  const point: Point = parse('3,4');\n  expect(point).toEqual({ x: 3, y: 4 });\n  expect(() => parse('3')).toThrow(/no point: 3/);\n});\n`,
        ],
        [
          'src/parse.ts',
          'export interface Point {\n  readonly x: number;\n  readonly y: number;\n}\n\nexport function parse(text: string): Point {\n  const [x, y] = text.split(",").map(Number);\n  if (x === undefined || y === undefined) throw new Error(`no point: ${text}`);\n  return { x, y };\n}\n',
        ],
      ),
    },
  ],
};
