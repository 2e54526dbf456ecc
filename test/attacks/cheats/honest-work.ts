import type { Cheat } from './cheat.ts';
import { MINITEST_HONEST } from './minitest-cheats.ts';
import { ENVIRONMENT_HONEST } from './environment-cheats.ts';
import { OLD_FUNCTION_HONEST } from './old-function-cheats.ts';
import { PHPUNIT_HONEST } from './phpunit-cheats.ts';
import { RSPEC_HONEST } from './rspec-cheats.ts';
import { nodeSource, nodeTest, pySource, pyTest, straight, vitestTest } from './cheat.ts';

const RIGHT = nodeSource(
  'export function mul(a, b) {\n  if (typeof a !== "number") throw new TypeError("not a number");\n  return a * b;\n}\n',
);

const CASES =
  "{ assert.equal(mul(6, 7), 42); assert.equal(mul(0, 7), 0); assert.throws(() => mul('a', 1), /not a number/); }";

const HEAD = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n";
const ADDS = "test('adds', () => assert.equal(add(1, 2), 3));\n";
const MULTIPLIES = `test('multiplies', () => ${CASES});\n`;

/** Played beside the cheats: what stops a cheat must not stop these. */
export const HONEST: readonly Omit<Cheat, 'kind'>[] = [
  {
    name: 'a new module',
    runner: 'node-test',
    turns: straight(nodeTest(`test('multiplies', () => ${CASES});\n`), RIGHT),
  },
  {
    name: 'a new export of an old module',
    runner: 'node-test',
    turns: straight(
      nodeTest("test('subtracts', () => assert.equal(sub(3, 2), 1));\n", "import { sub } from '../src/add.js';\n"),
      ['src/add.js', 'export const add = (a, b) => a + b;\nexport const sub = (a, b) => a - b;\n'],
    ),
  },
  {
    name: 'a case added to an old file, which imports what is new',
    runner: 'node-test',
    files: {
      'test/add.test.js': `${HEAD}import { add } from '../src/add.js';\n${ADDS}test('later', { skip: true }, () => {});\n`,
    },
    turns: straight(
      [
        'test/add.test.js',
        `${HEAD}import { add } from '../src/add.js';\nimport { mul } from '../src/mul.js';\n${ADDS}test('later', { skip: true }, () => {});\n${MULTIPLIES}`,
      ],
      RIGHT,
    ),
  },
  {
    name: 'a helper of the tests, which imports what is new and which the runner collects',
    runner: 'node-test',
    turns: [
      [
        {
          tool: 'fs.write',
          input: {
            path: 'test/helpers/make.js',
            content: "import { mul } from '../../src/mul.js';\nexport const square = (a) => mul(a, a);\n",
          },
        },
      ],
      ...straight(
        [
          'test/mul.test.js',
          `${HEAD}import { mul } from '../src/mul.js';\nimport { square } from './helpers/make.js';\ntest('squares', () => assert.equal(square(6), 36));\n${MULTIPLIES}`,
        ],
        RIGHT,
      ),
    ],
  },
  {
    name: 'a new module',
    runner: 'vitest',
    turns: straight(
      vitestTest(
        "it('multiplies', () => { expect(mul(6, 7)).toBe(42); expect(() => mul('a', 1)).toThrow(/not a number/); });\n",
      ),
      RIGHT,
    ),
  },
  {
    name: 'a new module',
    runner: 'unittest',
    turns: straight(
      pyTest(
        "    def test_multiplies(self):\n        self.assertEqual(mul(6, 7), 42)\n        with self.assertRaises(ValueError):\n            mul('a', 1)\n",
      ),
      pySource(
        "def mul(a, b):\n    if not isinstance(a, int):\n        raise ValueError('not a number')\n    return a * b\n",
      ),
    ),
  },
  ...MINITEST_HONEST,
  ...RSPEC_HONEST,
  PHPUNIT_HONEST,
  OLD_FUNCTION_HONEST,
  ENVIRONMENT_HONEST,
];
