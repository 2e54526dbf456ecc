import { MAX, MAX_SHORTER, MAX_TEST, NODE, NODE_PACKAGE, USES_MAX } from './largest.ts';
import { move, remove, revise, testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const OLD = { 'src/max.js': MAX, 'test/max.test.js': MAX_TEST };
const LEAST = 'export function least(a, b) {\n  return a < b ? a : b;\n}\n';
const LEAST_CASES = "test('least', () => {\n  assert.equal(least(1, 2), 1);\n  assert.equal(least(2, 1), 1);\n});\n";
const REFUSES_TEXT =
  "test('refuses text', () => {\n  assert.throws(() => max('a', 1), /no number/);\n  assert.equal(max(3, 4), 4);\n});\n";
const MAX_OF_NUMBERS =
  "export function max(a, b) {\n  if (typeof a !== 'number') throw new TypeError('no number');\n  if (a > b) return a;\n  return b;\n}\n";

/** Orders of work and kinds of change. */
export const WORKFLOW_WAYS: RunnerWays = {
  runner: 'node-test',
  project: NODE_PACKAGE,
  ways: [
    {
      name: 'a refactoring under tests that cover it',
      kind: 'refactor',
      files: OLD,
      steps: ['run', ['src/max.js', MAX_SHORTER], 'run'],
    },
    {
      name: 'a refactoring that no test covers',
      kind: 'refactor',
      files: {
        'src/max.js': MAX,
        'test/other.test.js': `${NODE}test('one', () => assert.equal(Number('1'), 1));\n`,
      },
      steps: ['run', ['src/max.js', MAX_SHORTER], 'run'],
      reasons: [/before the change: 0 of/, /notice none of/, /no test fails/],
    },
    {
      name: 'a refactoring that begins with tests',
      kind: 'refactor',
      files: { 'src/max.js': MAX },
      steps: [['test/max.test.js', MAX_TEST], 'run', ['src/max.js', MAX_SHORTER], 'run'],
    },
    {
      name: 'a function that moves into a file of its own',
      kind: 'refactor',
      files: { 'src/max.js': MAX + LEAST, 'test/max.test.js': MAX_TEST },
      steps: [
        'run',
        ['src/larger.js', 'export const isLarger = (a, b) => a > b;\n'],
        ['src/max.js', `import { isLarger } from './larger.js';\n\n${MAX.replace('a > b', 'isLarger(a, b)')}${LEAST}`],
        'run',
      ],
    },
    {
      name: 'a file with another name',
      kind: 'refactor',
      files: {
        'src/index.js': "export { max } from './biggest.js';\n",
        'src/biggest.js': MAX,
        'test/max.test.js': MAX_TEST.replace('../src/max.js', '../src/index.js'),
      },
      steps: [
        'run',
        move('src/biggest.js', 'src/max.js'),
        ['src/index.js', "export { max } from './max.js';\n"],
        'run',
      ],
    },
    {
      name: 'the deletion of a function that nobody calls',
      kind: 'deletion',
      files: { 'src/max.js': MAX + LEAST, 'test/max.test.js': MAX_TEST },
      steps: ['run', ['src/max.js', MAX], 'run'],
    },
    {
      name: 'the deletion of a file that nobody loads',
      kind: 'deletion',
      files: { ...OLD, 'src/least.js': LEAST },
      steps: ['run', remove('src/least.js'), 'run'],
    },
    {
      name: 'tests alone',
      kind: 'tests',
      files: { 'src/max.js': MAX },
      steps: [['test/max.test.js', MAX_TEST], 'run'],
    },
    {
      name: 'tests alone, added to an old file',
      kind: 'tests',
      files: { 'src/max.js': MAX + LEAST, 'test/max.test.js': MAX_TEST },
      steps: [['test/max.test.js', MAX_TEST.replace('{ max }', '{ least, max }') + LEAST_CASES], 'run'],
    },
    {
      name: 'a case added to an old file, for new behaviour',
      kind: 'fix',
      files: OLD,
      steps: testFirst(['test/max.test.js', MAX_TEST + REFUSES_TEXT], ['src/max.js', MAX_OF_NUMBERS]),
    },
    {
      name: 'a case added to a suite of an old file',
      kind: 'fix',
      files: {
        'src/max.js': MAX,
        'test/max.test.js': `${NODE}${USES_MAX}describe('max', () => {\n  test('larger', () => assert.equal(max(1, 2), 2));\n});\n`,
      },
      steps: testFirst(
        [
          'test/max.test.js',
          `${NODE}${USES_MAX}describe('max', () => {\n  test('larger', () => assert.equal(max(1, 2), 2));\n  ${REFUSES_TEXT}});\n`,
        ],
        ['src/max.js', MAX_OF_NUMBERS],
      ),
    },
    {
      name: 'an old expectation that was wrong',
      kind: 'fix',
      files: {
        'src/max.js': 'export function max(a, b) {\n  return a;\n}\n',
        'test/max.test.js': `${NODE}${USES_MAX}test('larger', () => assert.equal(max(1, 2), 1));\n`,
      },
      steps: testFirst(['test/max.test.js', MAX_TEST], ['src/max.js', MAX]),
      reasons: [/Existing tests change: test\/max\.test\.js \(4: in 'larger', `.*2\), 1\)\);` is now `.*2\), 2\)\);`/],
    },
    {
      name: 'a function that goes with its tests',
      kind: 'deletion',
      files: {
        'src/max.js': MAX + LEAST,
        'test/max.test.js': MAX_TEST.replace('{ max }', '{ least, max }') + LEAST_CASES,
      },
      steps: [['test/max.test.js', MAX_TEST], 'run', ['src/max.js', MAX], 'run'],
      reasons: [/Existing tests change/],
    },
    {
      name: 'two modules with a test each',
      steps: [
        ['test/max.test.js', MAX_TEST],
        ['test/least.test.js', `${NODE}import { least } from '../src/least.js';\n${LEAST_CASES}`],
        'run',
        ['src/max.js', MAX],
        ['src/least.js', LEAST],
        'run',
      ],
    },
    {
      name: 'a first version that does not pass yet',
      steps: [
        ['test/max.test.js', MAX_TEST],
        'run',
        ['src/max.js', 'export const max = (a) => a;\n'],
        'run',
        ['src/max.js', MAX],
        'run',
      ],
      refused: [/larger still fails/],
    },
    {
      name: 'a path that the new test has wrongly',
      steps: [
        ['test/max.test.js', MAX_TEST.replace('../src/max.js', '../scr/max.js')],
        'run',
        ['src/max.js', MAX],
        'run',
        revise('The path of the module is wrong'),
        ['test/max.test.js', MAX_TEST],
        'run',
        'run',
      ],
      refused: [/its file does not load.*scr\/max.*workflow\.revise_tests/],
      reasons: [/revised.*scr\/max.* is changed or gone/],
    },
    {
      name: 'a syntax error in the test',
      steps: [
        ['test/max.test.js', `${MAX_TEST}}\n`],
        'run',
        ['test/max.test.js', MAX_TEST],
        'run',
        ['src/max.js', MAX],
        'run',
      ],
      refused: [/did not load/],
    },
    {
      name: 'a wrong expectation of the new test, corrected from the source',
      steps: [
        ['test/max.test.js', MAX_TEST.replace('max(2, 1), 2', 'max(2, 1), 3')],
        'run',
        ['src/max.js', MAX],
        'run',
        revise('The larger of 2 and 1 is 2'),
        ['test/max.test.js', MAX_TEST],
        'run',
        'run',
      ],
      refused: [/first still fails/],
      reasons: [/revised.*The larger of 2 and 1 is 2.*in 'first', `.*, 3\)\);` is now `.*, 2\)\);`/],
    },
    {
      name: 'one more case, found while the source is written',
      steps: [
        ['test/max.test.js', MAX_TEST],
        'run',
        ['src/max.js', MAX],
        revise('Text was forgotten'),
        ['test/max.test.js', MAX_TEST + REFUSES_TEXT],
        'run',
        ['src/max.js', MAX_OF_NUMBERS],
        'run',
      ],
    },
    {
      name: 'the manifest after the source',
      steps: [
        ['test/max.test.js', MAX_TEST],
        'run',
        ['src/max.js', MAX],
        [
          'package.json',
          '{ "name": "way", "type": "module", "version": "1.1.0", "scripts": { "test": "node --test" } }\n',
        ],
        'run',
      ],
      reasons: [/package\.json changed after the tests were seen to fail; they were seen to fail again/],
    },
    {
      name: 'documentation beside the work',
      files: { 'README.md': '# way\n' },
      steps: [
        ['test/max.test.js', MAX_TEST],
        'run',
        ['src/max.js', MAX],
        ['README.md', '# way\n\n`max(a, b)` is the larger one.\n'],
        'run',
      ],
    },
    {
      name: 'the first test of a project without source',
      files: { 'README.md': '# way\n' },
      steps: testFirst(['test/max.test.js', MAX_TEST], ['src/max.js', MAX]),
    },
  ],
};
