import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const MAX: readonly [string, string] = [
  'src/max.ts',
  'export function max(a: number, b: number): number {\n  return a > b ? a : b;\n}\n',
];
const HALF: readonly [string, string] = [
  'src/half.ts',
  "export function half(n: number): number {\n  if (n % 2 !== 0) throw new RangeError('it is odd');\n  return n / 2;\n}\n",
];
const WORDS: readonly [string, string] = [
  'src/words.ts',
  "export async function words(text: Promise<string>): Promise<string[]> {\n  return (await text).split(' ');\n}\n",
];
const BUN = "import { describe, expect, test } from 'bun:test';\n";
const DENO = "import assert from 'node:assert/strict';\n";

export const BUN_WAYS: RunnerWays = {
  runner: 'bun-test',
  project: { 'package.json': '{ "name": "way", "type": "module", "scripts": { "test": "bun test" } }\n' },
  ways: [
    {
      name: 'cases of a suite',
      steps: testFirst(
        [
          'test/max.test.ts',
          `${BUN}import { max } from '../src/max.ts';\n\ndescribe('max', () => {\n  test('of two', () => expect(max(1, 2)).toBe(2));\n  test('the first', () => expect(max(5, 3)).toBe(5));\n});\n`,
        ],
        MAX,
      ),
    },
    {
      name: 'a table of cases',
      steps: testFirst(
        [
          'src/max.test.ts',
          `${BUN}import { max } from './max.ts';\n\ntest.each([\n  [1, 2, 2],\n  [5, 3, 5],\n])('max of %d and %d', (a, b, largest) => {\n  expect(max(a, b)).toBe(largest);\n});\n`,
        ],
        MAX,
      ),
    },
    {
      name: 'an error that is asked for',
      steps: testFirst(
        [
          'test/half.test.ts',
          `${BUN}import { half } from '../src/half.ts';\n\ntest('halves', () => {\n  expect(half(8)).toBe(4);\n  expect(half(-2)).toBe(-1);\n});\ntest('refuses', () => expect(() => half(3)).toThrow('it is odd'));\n`,
        ],
        HALF,
      ),
    },
    {
      name: 'promises',
      steps: testFirst(
        [
          'test/words.test.ts',
          `${BUN}import { words } from '../src/words.ts';\n\ntest('splits', async () => {\n  expect(await words(Promise.resolve('a b'))).toEqual(['a', 'b']);\n  await expect(words(Promise.resolve('c'))).resolves.toEqual(['c']);\n});\n`,
        ],
        WORDS,
      ),
    },
  ],
};

export const DENO_WAYS: RunnerWays = {
  runner: 'deno-test',
  project: { 'deno.json': '{ "tasks": { "test": "deno test" } }\n' },
  ways: [
    {
      name: 'plain cases',
      steps: testFirst(
        [
          'test/max_test.ts',
          `${DENO}import { max } from '../src/max.ts';\n\nDeno.test('max of two', () => assert.equal(max(1, 2), 2));\nDeno.test('the first', () => assert.equal(max(5, 3), 5));\n`,
        ],
        MAX,
      ),
    },
    {
      name: 'a case given as an object',
      steps: testFirst(
        [
          'src/max_test.ts',
          `${DENO}import { max } from './max.ts';\n\nDeno.test({\n  name: 'max of two',\n  fn() {\n    assert.equal(max(1, 2), 2);\n    assert.equal(max(5, 3), 5);\n  },\n});\n`,
        ],
        MAX,
      ),
    },
    {
      name: 'an error that is asked for',
      steps: testFirst(
        [
          'test/half_test.ts',
          `${DENO}import { half } from '../src/half.ts';\n\nDeno.test('halves', () => {\n  assert.equal(half(8), 4);\n  assert.equal(half(-2), -1);\n});\nDeno.test('refuses', () => assert.throws(() => half(3), /it is odd/));\n`,
        ],
        HALF,
      ),
    },
    {
      name: 'promises',
      steps: testFirst(
        [
          'test/words_test.ts',
          `${DENO}import { words } from '../src/words.ts';\n\nDeno.test('splits', async () => {\n  assert.deepEqual(await words(Promise.resolve('a b')), ['a', 'b']);\n  assert.deepEqual(await words(Promise.resolve('c')), ['c']);\n});\n`,
        ],
        WORDS,
      ),
    },
  ],
};
