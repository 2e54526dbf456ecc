import { MAX, MAX_TEST, NODE, NODE_PACKAGE, STUB, USES_MAX } from './largest.ts';
import { testFirst } from './way.ts';
import type { HonestWay, RunnerWays } from './way.ts';

const TEST = 'test/max.test.js';
const usesMax = (body: string): readonly [string, string] => [TEST, NODE + USES_MAX + body];
const about = (module: string, names: string, body: string): readonly [string, string] => [
  `test/${module}.test.js`,
  `${NODE}import { ${names} } from '../src/${module}.js';\n${body}`,
];
const max = (name: string, test: readonly [string, string], files?: HonestWay['files']): HonestWay => ({
  name,
  ...(files === undefined ? {} : { files }),
  steps: testFirst(test, ['src/max.js', MAX]),
});

/** Ways to write tests and sources. */
export const NODE_TEST_WAYS: RunnerWays = {
  runner: 'node-test',
  project: NODE_PACKAGE,
  ways: [
    max(
      'a stub that throws, called in the body of a suite',
      usesMax(
        "describe('max', () => {\n  const larger = max(1, 2);\n  const first = max(2, 1);\n  test('second', () => assert.equal(larger, 2));\n  test('first', () => assert.equal(first, 2));\n});\n",
      ),
      { 'src/max.js': STUB },
    ),
    max(
      'a stub that throws, called in a hook',
      usesMax(
        "import { before } from 'node:test';\ndescribe('max', () => {\n  let found;\n  before(() => { found = [max(1, 2), max(2, 1)]; });\n  test('second', () => assert.equal(found[0], 2));\n  test('first', () => assert.equal(found[1], 2));\n});\n",
      ),
      { 'src/max.js': STUB },
    ),
    max(
      'a table of cases in a loop',
      usesMax(
        'for (const [a, b, largest] of [[1, 2, 2], [5, 3, 5], [-4, -7, -4]])\n  test(`max of ${a} and ${b}`, () => assert.equal(max(a, b), largest));\n',
      ),
    ),
    max(
      'subtests of one case',
      usesMax(
        "test('max', async (t) => {\n  await t.test('second', () => assert.equal(max(1, 2), 2));\n  await t.test('first', () => assert.equal(max(2, 1), 2));\n});\n",
      ),
    ),
    max(
      'a property for many inputs',
      usesMax(
        "import fc from 'fast-check';\ntest('max is one of both, and not below either', () => {\n  fc.assert(fc.property(fc.integer(), fc.integer(), (a, b) => {\n    const found = max(a, b);\n    assert.ok(found === a || found === b);\n    assert.ok(found >= a && found >= b);\n  }));\n});\n",
      ),
    ),
    max(
      'a helper for tests',
      usesMax(
        "import { pairs } from './helpers/pairs.js';\ntest('max', () => {\n  for (const [low, high] of pairs()) {\n    assert.equal(max(low, high), high);\n    assert.equal(max(high, low), high);\n  }\n});\n",
      ),
      { 'test/helpers/pairs.js': 'export const pairs = () => [[1, 2], [-3, 0]];\n' },
    ),
    {
      name: 'a fixture that a new test reads',
      steps: [
        ['test/fixtures/settings.ini', 'name = Ada\nage = 36\n'],
        about(
          'ini',
          'parseIni',
          "import { readFileSync } from 'node:fs';\ntest('reads a file of settings', () => {\n  const text = readFileSync(new URL('./fixtures/settings.ini', import.meta.url), 'utf8');\n  assert.deepEqual(parseIni(text), { name: 'Ada', age: '36' });\n});\n",
        ),
        'run',
        [
          'src/ini.js',
          "export function parseIni(text) {\n  const lines = text.split('\\n').filter((line) => line.includes('='));\n  return Object.fromEntries(lines.map((line) => line.split('=').map((part) => part.trim())));\n}\n",
        ],
        'run',
      ],
    },
    {
      name: 'a snapshot written with its test',
      steps: [
        ['test/table.test.js.snapshot', 'exports[`draws a table 1`] = `\n"| a | b |\\\\n| 1 | 2 |"\n`;\n'],
        about('table', 'draw', "test('draws a table', (t) => t.assert.snapshot(draw([['a', 'b'], [1, 2]])));\n"),
        'run',
        [
          'src/table.js',
          "export const draw = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\\n');\n",
        ],
        'run',
      ],
    },
    {
      name: 'a source and tests in TypeScript',
      steps: testFirst(
        [
          'test/clamp.test.ts',
          `${NODE}import { clamp } from '../src/clamp.ts';\ntest('clamps', () => {\n  const found: number[] = [clamp(5, 1, 3), clamp(0, 1, 3), clamp(2, 1, 3)];\n  assert.deepEqual(found, [3, 1, 2]);\n});\n`,
        ],
        [
          'src/clamp.ts',
          'export function clamp(value: number, low: number, high: number): number {\n  if (value > high) return high;\n  return value < low ? low : value;\n}\n',
        ],
      ),
    },
    {
      name: 'CommonJS',
      files: { 'package.json': '{ "name": "way", "scripts": { "test": "node --test" } }\n' },
      steps: testFirst(
        [
          'test/max.test.js',
          "const assert = require('node:assert');\nconst { test } = require('node:test');\nconst { max } = require('../src/max');\ntest('max', () => {\n  assert.strictEqual(max(1, 2), 2);\n  assert.strictEqual(max(2, 1), 2);\n});\n",
        ],
        ['src/max.js', MAX.replace('export ', '') + 'module.exports = { max };\n'],
      ),
    },
    {
      name: 'a module that tests written as modules load as CommonJS',
      files: { 'package.json': '{ "name": "way", "scripts": { "test": "node --test" } }\n' },
      steps: testFirst(
        ['test/max.test.mjs', MAX_TEST.replace("'../src/max.js'", "'../src/max.cjs'")],
        ['src/max.cjs', MAX.replace('export ', '') + 'exports.max = max;\n'],
      ),
    },
    {
      name: 'a clock that the test moves',
      steps: testFirst(
        about(
          'debounce',
          'debounce',
          "test('calls once, after a pause', (t) => {\n  t.mock.timers.enable({ apis: ['setTimeout'] });\n  const called = t.mock.fn();\n  const soon = debounce(called, 100);\n  soon(1);\n  t.mock.timers.tick(60);\n  soon(2);\n  t.mock.timers.tick(60);\n  assert.equal(called.mock.callCount(), 0);\n  t.mock.timers.tick(40);\n  assert.deepEqual(called.mock.calls.map((call) => call.arguments), [[2]]);\n});\n",
        ),
        [
          'src/debounce.js',
          'export function debounce(call, pauseMs) {\n  let timer;\n  return (...args) => {\n    clearTimeout(timer);\n    timer = setTimeout(() => call(...args), pauseMs);\n  };\n}\n',
        ],
      ),
    },
    {
      name: 'a function that is replaced for a case',
      steps: testFirst(
        about(
          'report',
          'report',
          "test('prints a line for each item', (t) => {\n  const log = t.mock.method(console, 'log', () => {});\n  report(['a', 'b']);\n  assert.deepEqual(log.mock.calls.map((call) => call.arguments[0]), ['- a', '- b']);\n});\n",
        ),
        [
          'src/report.js',
          'export function report(items) {\n  for (const item of items) console.log(`- ${item}`);\n}\n',
        ],
      ),
    },
    {
      name: 'promises that are kept and broken',
      steps: testFirst(
        about(
          'retry',
          'retry',
          "test('tries again, and gives up', async () => {\n  let calls = 0;\n  const later = async () => {\n    calls += 1;\n    if (calls < 3) throw new Error(`try ${calls}`);\n    return 'done';\n  };\n  assert.equal(await retry(later, 3), 'done');\n  assert.equal(calls, 3);\n  calls = 0;\n  await assert.rejects(retry(later, 2), /try 2/);\n});\n",
        ),
        [
          'src/retry.js',
          'export async function retry(call, times) {\n  for (let left = times; ; left -= 1) {\n    try {\n      return await call();\n    } catch (error) {\n      if (left <= 1) throw error;\n    }\n  }\n}\n',
        ],
      ),
    },
    {
      name: 'an error with its own class',
      steps: testFirst(
        about(
          'age',
          'parseAge, AgeError',
          "test('refuses what is no age', () => {\n  assert.equal(parseAge('36'), 36);\n  assert.throws(() => parseAge('x'), (error) => error instanceof AgeError && error.text === 'x');\n  assert.throws(() => parseAge('-1'), { name: 'AgeError', text: '-1' });\n});\n",
        ),
        [
          'src/age.js',
          "export class AgeError extends Error {\n  name = 'AgeError';\n  constructor(text) {\n    super(`no age: ${text}`);\n    this.text = text;\n  }\n}\n\nexport function parseAge(text) {\n  const age = Number(text);\n  if (!(age >= 0)) throw new AgeError(text);\n  return age;\n}\n",
        ],
      ),
    },
    {
      name: 'objects that count and remember',
      steps: testFirst(
        about(
          'tickets',
          'Tickets, remembered',
          "test('numbers tickets', () => {\n  const tickets = new Tickets('A');\n  assert.deepEqual([tickets.take(), tickets.take()], ['A1', 'A2']);\n  assert.equal(new Tickets('B').take(), 'B1');\n});\ntest('computes each key once', () => {\n  const seen = [];\n  const double = remembered((key) => { seen.push(key); return key * 2; });\n  assert.deepEqual([double(4), double(4), double(5)], [8, 8, 10]);\n  assert.deepEqual(seen, [4, 5]);\n});\n",
        ),
        [
          'src/tickets.js',
          'export class Tickets {\n  #taken = 0;\n  #series;\n  constructor(series) {\n    this.#series = series;\n  }\n  take() {\n    this.#taken += 1;\n    return `${this.#series}${this.#taken}`;\n  }\n}\n\nexport function remembered(compute) {\n  const known = new Map();\n  return (key) => {\n    if (!known.has(key)) known.set(key, compute(key));\n    return known.get(key);\n  };\n}\n',
        ],
      ),
    },
    {
      name: 'how an object shows itself',
      steps: testFirst(
        about(
          'money',
          'Money',
          'test(\'is a text, and JSON\', () => {\n  const price = new Money(1250, \'EUR\');\n  assert.equal(`${price}`, \'12.50 EUR\');\n  assert.equal(JSON.stringify({ price }), \'{"price":{"cents":1250,"currency":"EUR"}}\');\n});\n',
        ),
        [
          'src/money.js',
          'export class Money {\n  constructor(cents, currency) {\n    this.cents = cents;\n    this.currency = currency;\n  }\n  toString() {\n    return `${(this.cents / 100).toFixed(2)} ${this.currency}`;\n  }\n  toJSON() {\n    return { cents: this.cents, currency: this.currency };\n  }\n}\n',
        ],
      ),
    },
    {
      name: 'a view of an object that cannot be written',
      steps: testFirst(
        about(
          'frozen',
          'frozenView',
          "test('reads, and does not write', () => {\n  const point = { x: 1, y: 2 };\n  const view = frozenView(point);\n  assert.equal(view.x + view.y, 3);\n  assert.throws(() => { view.x = 5; }, /x is read-only/);\n  assert.equal(point.x, 1);\n});\n",
        ),
        [
          'src/frozen.js',
          'export function frozenView(target) {\n  return new Proxy(target, {\n    set(_target, name) {\n      throw new TypeError(`${String(name)} is read-only`);\n    },\n  });\n}\n',
        ],
      ),
    },
    {
      name: 'rules that come in fixed numbers',
      steps: testFirst(
        about(
          'fizz',
          'fizz',
          "test('says what divides', () => {\n  assert.equal(fizz(3), 'Fizz');\n  assert.equal(fizz(5), 'Buzz');\n  assert.equal(fizz(15), 'FizzBuzz');\n  assert.equal(fizz(7), '7');\n});\n",
        ),
        [
          'src/fizz.js',
          "export function fizz(n) {\n  if (n % 15 === 0) return 'FizzBuzz';\n  if (n % 5 === 0) return 'Buzz';\n  return n % 3 === 0 ? 'Fizz' : String(n);\n}\n",
        ],
      ),
    },
    {
      name: 'a boundary, tested on both of its sides',
      steps: testFirst(
        about(
          'grade',
          'grade',
          "test('grades', () => {\n  assert.equal(grade(89), 'B');\n  assert.equal(grade(90), 'A');\n  assert.equal(grade(79), 'C');\n  assert.equal(grade(80), 'B');\n});\n",
        ),
        [
          'src/grade.js',
          "export function grade(points) {\n  if (points >= 90) return 'A';\n  return points >= 80 ? 'B' : 'C';\n}\n",
        ],
      ),
    },
    {
      name: 'a table of more than its tests ask for',
      steps: testFirst(
        about(
          'status',
          'statusText',
          "test('names status codes', () => {\n  assert.equal(statusText(404), 'Not Found');\n  assert.equal(statusText(200), 'OK');\n  assert.equal(statusText(999), 'Unknown');\n});\n",
        ),
        [
          'src/status.js',
          "const TEXTS = { 200: 'OK', 201: 'Created', 400: 'Bad Request', 404: 'Not Found', 500: 'Server Error' };\n\nexport const statusText = (code) => TEXTS[code] ?? 'Unknown';\n",
        ],
      ),
    },
    {
      name: 'a program that is started',
      steps: testFirst(
        [
          'test/greet.test.js',
          `${NODE}import { execFileSync } from 'node:child_process';\nimport { fileURLToPath } from 'node:url';\nconst program = fileURLToPath(new URL('../bin/greet.js', import.meta.url));\ntest('greets', () => {\n  assert.equal(execFileSync(process.execPath, [program, 'Ada'], { encoding: 'utf8' }), 'Hello Ada\\n');\n  assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8' }), 'Hello you\\n');\n});\n`,
        ],
        ['bin/greet.js', "const [name = 'you'] = process.argv.slice(2);\nconsole.log(`Hello ${name}`);\n"],
      ),
    },
    {
      name: 'files in a temporary directory',
      steps: testFirst(
        about(
          'save',
          'save',
          "import { mkdtempSync, readFileSync, rmSync } from 'node:fs';\nimport { tmpdir } from 'node:os';\nimport { join } from 'node:path';\ntest('saves as JSON', (t) => {\n  const directory = mkdtempSync(join(tmpdir(), 'save-'));\n  t.after(() => rmSync(directory, { recursive: true }));\n  save(join(directory, 'a.json'), { a: 1 });\n  assert.equal(readFileSync(join(directory, 'a.json'), 'utf8'), '{\"a\":1}\\n');\n});\n",
        ),
        [
          'src/save.js',
          "import { writeFileSync } from 'node:fs';\n\nexport function save(path, value) {\n  writeFileSync(path, `${JSON.stringify(value)}\\n`);\n}\n",
        ],
      ),
    },
  ],
};
