import { MAX } from './largest.ts';
import { remove, testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const COMMON_MAX = `${MAX.replace('export ', '')}module.exports = { max };\n`;
const about = (module: string, names: string, body: string): readonly [string, string] => [
  `test/${module}.test.js`,
  `const { ${names} } = require('../src/${module}');\n${body}`,
];

const OLD_SUM =
  "const { sum } = require('../src/sum');\nexpect.extend({\n  toBeNumber(got, wanted) {\n    return { pass: got === wanted, message: () => `${got} is not ${wanted}` };\n  },\n});\ntest('adds', () => {\n  expect(sum(1, 2)).toBeNumber(3);\n});\n";

export const JEST_WAYS: RunnerWays = {
  runner: 'jest',
  project: { 'package.json': '{ "name": "way", "scripts": { "test": "jest" } }\n' },
  ways: [
    {
      name: 'a table of cases, with names',
      steps: testFirst(
        about(
          'max',
          'max',
          "describe('max', () => {\n  test.each([\n    { a: 1, b: 2, largest: 2 },\n    { a: 5, b: 3, largest: 5 },\n  ])('of $a and $b', ({ a, b, largest }) => {\n    expect(max(a, b)).toBe(largest);\n  });\n});\n",
        ),
        ['src/max.js', COMMON_MAX],
      ),
    },
    {
      name: 'a mock of a declared package that is not there',
      files: {
        'package.json':
          '{ "name": "way", "scripts": { "test": "jest" }, "peerDependencies": { "acme-rates": "^2.0.0" } }\n',
      },
      steps: testFirst(
        about(
          'convert',
          'convert',
          "const { rateOf } = require('acme-rates');\njest.mock('acme-rates', () => ({ rateOf: jest.fn() }), { virtual: true });\ntest('rounds to cents', async () => {\n  rateOf.mockResolvedValue(1.2345);\n  await expect(convert(10, 'EUR')).resolves.toBe(12.35);\n  await expect(convert(3, 'EUR')).resolves.toBe(3.7);\n  expect(rateOf).toHaveBeenCalledWith('EUR');\n});\n",
        ),
        [
          'src/convert.js',
          "const { rateOf } = require('acme-rates');\n\nasync function convert(amount, currency) {\n  const rate = await rateOf(currency);\n  return Math.round(amount * rate * 100) / 100;\n}\nmodule.exports = { convert };\n",
        ],
      ),
    },
    {
      name: 'a mocked function and a clock that the test moves',
      steps: testFirst(
        about(
          'later',
          'later',
          "test('calls later', () => {\n  jest.useFakeTimers();\n  const called = jest.fn();\n  later(called, 50);\n  expect(called).not.toHaveBeenCalled();\n  jest.advanceTimersByTime(50);\n  expect(called).toHaveBeenCalledTimes(1);\n  expect(called).toHaveBeenCalledWith('now');\n  jest.useRealTimers();\n});\n",
        ),
        [
          'src/later.js',
          "function later(call, pauseMs) {\n  setTimeout(() => call('now'), pauseMs);\n}\nmodule.exports = { later };\n",
        ],
      ),
    },
    {
      name: 'a module that is replaced',
      files: { 'src/prices.js': 'exports.priceOf = () => {\n  throw new Error("no network");\n};\n' },
      steps: testFirst(
        about(
          'total',
          'total',
          "const { priceOf } = require('../src/prices');\njest.mock('../src/prices');\ntest('adds up', async () => {\n  priceOf.mockImplementation((item) => ({ apple: 3, pear: 4 })[item]);\n  await expect(total(['apple', 'pear', 'pear'])).resolves.toBe(11);\n});\n",
        ),
        [
          'src/total.js',
          "const { priceOf } = require('./prices');\n\nexports.total = async (items) => {\n  let sum = 0;\n  for (const item of items) sum += await priceOf(item);\n  return sum;\n};\n",
        ],
      ),
    },
    {
      name: 'tests beside the source, in a directory of their own',
      steps: testFirst(
        [
          'src/__tests__/max.js',
          "const { max } = require('../max');\nit('is the larger one', () => {\n  expect([max(1, 2), max(2, 1)]).toEqual([2, 2]);\n});\n",
        ],
        ['src/max.js', COMMON_MAX],
      ),
    },
    {
      name: 'a callback that ends the case',
      steps: testFirst(
        about(
          'soon',
          'soon',
          "test('answers soon', (done) => {\n  soon(20, (error, value) => {\n    try {\n      expect(error).toBeNull();\n      expect(value).toBe(21);\n      done();\n    } catch (failure) {\n      done(failure);\n    }\n  });\n});\n",
        ),
        ['src/soon.js', 'exports.soon = (value, answer) => {\n  setImmediate(() => answer(null, value + 1));\n};\n'],
      ),
    },
    {
      name: 'a helper of the tests that was there before',
      files: {
        'test/helpers.js': 'exports.expectSame = (got, wanted) => {\n  expect(got).toEqual(wanted);\n};\n',
      },
      steps: testFirst(
        about(
          'max',
          'max',
          "const { expectSame } = require('./helpers');\ntest('is the larger one', () => {\n  expectSame(max(1, 2), 2);\n  expectSame(max(7, 3), 7);\n});\n",
        ),
        ['src/max.js', COMMON_MAX],
      ),
    },
    {
      name: 'a matcher that was there before, in a case added to an old file',
      files: {
        'src/sum.js': 'exports.sum = (...all) => all.reduce((a, b) => a + b, 0);\n',
        'test/sum.test.js': OLD_SUM,
      },
      steps: testFirst(
        [
          'test/sum.test.js',
          `${OLD_SUM.replace('{ sum }', '{ mean, sum }')}test('has a mean', () => {\n  expect(mean(2, 4, 9)).toBeNumber(5);\n  expect(mean(3)).toBeNumber(3);\n});\n`,
        ],
        [
          'src/sum.js',
          'exports.sum = (...all) => all.reduce((a, b) => a + b, 0);\nexports.mean = (...all) => exports.sum(...all) / all.length;\n',
        ],
      ),
    },
    {
      name: 'a snapshot in the test, and a promise that is broken',
      steps: testFirst(
        about(
          'page',
          'render, load',
          "test('renders', () => {\n  expect(render({ title: 'Tea', items: ['green'] })).toMatchInlineSnapshot(`\"<h1>Tea</h1><li>green</li>\"`);\n});\ntest('refuses an unknown page', async () => {\n  await expect(load('none')).rejects.toThrow('no page none');\n});\n",
        ),
        [
          'src/page.js',
          "exports.render = ({ title, items }) => `<h1>${title}</h1>${items.map((item) => `<li>${item}</li>`).join('')}`;\nexports.load = async (name) => {\n  throw new Error(`no page ${name}`);\n};\n",
        ],
      ),
    },
    {
      name: 'one of several projects, which has its own root directory',
      files: {
        'jest.config.js':
          "module.exports = { projects: ['<rootDir>/shop', { displayName: 'site', rootDir: 'site' }] };\n",
        'shop/jest.config.js': "module.exports = { displayName: 'shop' };\n",
        'site/test/one.test.js': "test('is one', () => expect(1).toBe(1));\n",
      },
      steps: testFirst(
        [
          'shop/test/max.test.js',
          "const { max } = require('../src/max');\ntest('the larger', () => {\n  expect(max(1, 2)).toBe(2);\n  expect(max(5, 3)).toBe(5);\n});\n",
        ],
        ['shop/src/max.js', COMMON_MAX],
      ),
    },
    {
      name: 'code that nobody calls any more',
      kind: 'deletion',
      files: {
        'src/legacy.js':
          'function oldTotal(items) {\n  let sum = 0;\n  for (const item of items) sum += item;\n  return sum;\n}\n\nmodule.exports = { oldTotal };\n',
        'src/total.js':
          'const total = (items) => items.reduce((sum, item) => sum + item, 0);\n\nmodule.exports = { total };\n',
        'test/total.test.js':
          "const { total } = require('../src/total');\n\ntest('adds up', () => {\n  expect(total([1, 2, 3])).toBe(6);\n  expect(total([])).toBe(0);\n});\n",
      },
      steps: ['run', remove('src/legacy.js'), 'run'],
    },
  ],
};
