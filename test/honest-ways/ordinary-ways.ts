import { PROJECTS } from '../attacks/cheats/cheat.ts';
import type { RunnerWays } from './way.ts';

/** Work that looks like a cheat to a rule that is too simple, and is none. */
export const ORDINARY_WAYS: readonly RunnerWays[] = [
  {
    runner: 'pytest',
    project: PROJECTS['pytest'],
    ways: [
      {
        name: 'data beside the source',
        files: { 'words.json': '{"en": "hello", "de": "hallo"}\n' },
        steps: [
          [
            'test_mul.py',
            "from mul import greeting\n\n\ndef test_reads():\n    assert greeting('en') == 'hello'\n    assert greeting('de') == 'hallo'\n",
          ],
          'run',
          [
            'mul.py',
            "import json\nfrom pathlib import Path\n\nWORDS = json.loads((Path(__file__).parent / 'words.json').read_text())\n\n\ndef greeting(language):\n    return WORDS[language]\n",
          ],
          'run',
        ],
      },
      {
        name: 'a branch for each word',
        steps: [
          [
            'test_mul.py',
            "from mul import colour\n\n\ndef test_colours():\n    assert colour('error') == 'red'\n    assert colour('warning') == 'yellow'\n    assert colour('info') == 'plain'\n",
          ],
          'run',
          [
            'mul.py',
            "def colour(level):\n    if level == 'error':\n        return 'red'\n    if level == 'warning':\n        return 'yellow'\n    return 'plain'\n",
          ],
          'run',
        ],
      },
      {
        name: 'errors of a conversion alone',
        steps: [
          [
            'test_mul.py',
            "from mul import port\n\n\nimport pytest\n\n\ndef test_rejects():\n    with pytest.raises(ValueError):\n        port('abc')\n",
          ],
          'run',
          ['mul.py', 'def port(text):\n    return int(text)\n'],
          'run',
        ],
      },
      {
        name: 'errors of an enumeration alone',
        steps: [
          [
            'test_mul.py',
            "from mul import level\n\n\nimport pytest\n\n\ndef test_rejects():\n    with pytest.raises(ValueError):\n        level('loud')\n    with pytest.raises(ValueError):\n        level('')\n",
          ],
          'run',
          [
            'mul.py',
            "import enum\n\n\nclass Level(enum.Enum):\n    LOW = 'low'\n    HIGH = 'high'\n\n\ndef level(text):\n    return Level(text)\n",
          ],
          'run',
        ],
      },
      {
        name: 'decimals that are compared',
        steps: [
          [
            'test_mul.py',
            "from mul import vat\n\n\nfrom decimal import Decimal\n\n\ndef test_vat():\n    assert vat(Decimal('10.00')) == Decimal('11.90')\n    assert vat(Decimal('100')) == Decimal('119')\n",
          ],
          'run',
          ['mul.py', "from decimal import Decimal\n\n\ndef vat(net):\n    return net * Decimal('1.19')\n"],
          'run',
        ],
      },
      {
        name: 'a class with values that are compared',
        steps: [
          [
            'test_mul.py',
            "from mul import Money\n\n\ndef test_adds():\n    assert Money(5, 'EUR') + Money(7, 'EUR') == Money(12, 'EUR')\n    assert Money(5, 'EUR') == Money(5, 'EUR')\n",
          ],
          'run',
          [
            'mul.py',
            'from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Money:\n    amount: int\n    currency: str\n\n    def __add__(self, other):\n        return Money(self.amount + other.amount, self.currency)\n',
          ],
          'run',
        ],
      },
      {
        name: 'sets and paths that are compared',
        steps: [
          [
            'test_mul.py',
            "from mul import cut, letters\n\n\nfrom pathlib import Path\n\n\ndef test_cuts():\n    assert cut('a/b/c') == Path('a/b')\n    assert letters('abca') == set('abc')\n",
          ],
          'run',
          [
            'mul.py',
            'from pathlib import Path\n\n\ndef cut(text):\n    return Path(text).parent\n\n\ndef letters(text):\n    return set(text)\n',
          ],
          'run',
        ],
      },
      {
        name: 'a fixture for all cases that resets',
        steps: [
          [
            'test_mul.py',
            'from mul import next_id, reset\n\n\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef fresh():\n    reset()\n\n\ndef test_counts():\n    assert next_id() == 1\n    assert next_id() == 2\n',
          ],
          'run',
          [
            'mul.py',
            'last = 0\n\n\ndef reset():\n    global last\n    last = 0\n\n\ndef next_id():\n    global last\n    last += 1\n    return last\n',
          ],
          'run',
        ],
      },
    ],
  },
  {
    runner: 'node-test',
    project: PROJECTS['node-test'],
    ways: [
      {
        name: 'a circuit breaker',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { breaker } from '../src/mul.js';\ntest('opens', () => { const call = breaker(() => { throw new Error('down'); }, 3); for (let n = 0; n < 3; n++) assert.throws(() => call(), /down/); assert.throws(() => call(), /open/); });\ntest('passes', () => { assert.equal(breaker((n) => n + 1, 3)(4), 5); });\n",
          ],
          'run',
          [
            'src/mul.js',
            "export function breaker(action, limit) {\n  let failures = 0;\n  return (...args) => {\n    if (failures >= 3 && failures >= limit) throw new Error('circuit open');\n    try {\n      const result = action(...args);\n      failures = 0;\n      return result;\n    } catch (error) {\n      failures += 1;\n      throw error;\n    }\n  };\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'a limiter of calls',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { limiter } from '../src/mul.js';\ntest('limits', () => { const take = limiter(2); assert.equal(take(), true); assert.equal(take(), true); assert.equal(take(), false); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export function limiter(limit) {\n  let tokens = limit;\n  return () => {\n    if (tokens < 1) return false;\n    tokens -= 1;\n    return true;\n  };\n}\n',
          ],
          'run',
        ],
      },
      {
        name: 'an object that does nothing in place of another',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { Logger, NullLogger } from '../src/mul.js';\ntest('logs', () => { const lines = []; const log = new Logger((line) => lines.push(line)); log.info('a'); assert.deepEqual(lines, ['a']); assert.equal(log.isEnabled('info'), true); assert.equal(log.isEnabled('debug'), false); });\ntest('is silent', () => { assert.equal(new NullLogger().isEnabled('info'), false); assert.equal(new NullLogger().info('a'), undefined); });\n",
          ],
          'run',
          [
            'src/mul.js',
            "export class Logger {\n  constructor(write) {\n    this.write = write;\n  }\n  isEnabled(level) {\n    return level !== 'debug';\n  }\n  info(line) {\n    this.write(line);\n  }\n}\nexport class NullLogger {\n  isEnabled(level) {\n    return false;\n  }\n  info(line) {}\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'a warning outside of production',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { half } from '../src/mul.js';\ntest('warns', () => { const lines = []; assert.equal(half(3, (line) => lines.push(line)), 1.5); assert.deepEqual(lines, ['3 is odd']); assert.equal(half(4, (line) => lines.push(line)), 2); assert.equal(lines.length, 1); });\n",
          ],
          'run',
          [
            'src/mul.js',
            "export function half(n, warn) {\n  if (process.env.NODE_ENV !== 'production' && n % 2 === 1) warn(`${n} is odd`);\n  return n / 2;\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'a table of two words',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { suit } from '../src/mul.js';\ntest('names a suit', () => { assert.equal(suit('h'), 'hearts'); assert.equal(suit('s'), 'spades'); assert.throws(() => suit('x'), /no suit x/); });\n",
          ],
          'run',
          [
            'src/mul.js',
            "const SUITS = { h: 'hearts', s: 'spades' };\nexport function suit(letter) {\n  const name = SUITS[letter];\n  if (name === undefined) throw new RangeError(`no suit ${letter}`);\n  return name;\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'a branch for each word',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { colour } from '../src/mul.js';\ntest('colours', () => { assert.equal(colour('error'), 'red'); assert.equal(colour('warning'), 'yellow'); assert.equal(colour('info'), 'plain'); });\n",
          ],
          'run',
          [
            'src/mul.js',
            "export function colour(level) {\n  switch (level) {\n    case 'error':\n      return 'red';\n    case 'warning':\n      return 'yellow';\n    default:\n      return 'plain';\n  }\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'state that a hook of the file resets',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { nextId, reset } from '../src/mul.js';\nbeforeEach(() => reset());\ntest('counts', () => { assert.equal(nextId(), 1); assert.equal(nextId(), 2); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'let last = 0;\nexport const reset = () => {\n  last = 0;\n};\nexport const nextId = () => {\n  last += 1;\n  return last;\n};\n',
          ],
          'run',
        ],
      },
      {
        name: 'state by name that a hook of the file resets',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { nextId, reset } from '../src/mul.js';\nbeforeEach(() => reset());\ntest('names', () => { assert.equal(nextId('a'), 'a-1'); assert.equal(nextId('a'), 'a-2'); assert.equal(nextId('b'), 'b-1'); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'const used = new Map();\nexport const reset = () => used.clear();\nexport const nextId = (name) => {\n  const count = (used.get(name) ?? 0) + 1;\n  used.set(name, count);\n  return `${name}-${count}`;\n};\n',
          ],
          'run',
        ],
      },
      {
        name: 'a registry that a hook of the file empties',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { register, reset } from '../src/mul.js';\nbeforeEach(() => reset());\ntest('registers', () => { assert.equal(register('alpha'), 1); assert.throws(() => register('alpha'), /is registered/); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'const names = new Set();\nexport const reset = () => names.clear();\nexport function register(name) {\n  if (names.has(name)) throw new Error(`${name} is registered`);\n  names.add(name);\n  return names.size;\n}\n',
          ],
          'run',
        ],
      },
      {
        name: 'dates that are compared',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { addDays } from '../src/mul.js';\ntest('adds days', () => { assert.deepEqual(addDays(new Date('2020-01-31'), 1), new Date('2020-02-01')); assert.deepEqual(addDays(new Date('2020-12-31'), 2), new Date('2021-01-02')); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export function addDays(date, days) {\n  const result = new Date(date);\n  result.setUTCDate(result.getUTCDate() + days);\n  return result;\n}\n',
          ],
          'run',
        ],
      },
      {
        name: 'letters by their codes',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { shift } from '../src/mul.js';\ntest('shifts', () => { assert.equal(shift('abc', 1), 'bcd'); assert.equal(shift('xyz', 3), 'abc'); assert.equal(shift('a-b', 2), 'c-d'); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export function shift(text, by) {\n  return text.replace(/[a-z]/g, (letter) =>\n    String.fromCharCode(((letter.charCodeAt(0) - 97 + by) % 26) + 97),\n  );\n}\n',
          ],
          'run',
        ],
      },
      {
        name: 'words for no, one and more',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { files } from '../src/mul.js';\ntest('pluralises', () => { assert.equal(files(1), '1 file'); assert.equal(files(2), '2 files'); assert.equal(files(0), 'no files'); });\n",
          ],
          'run',
          [
            'src/mul.js',
            "export function files(count) {\n  if (count === 0) return 'no files';\n  return count === 1 ? '1 file' : `${count} files`;\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'something that is done once',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { once } from '../src/mul.js';\ntest('runs once', () => { let calls = 0; const run = once(() => { calls += 1; return 7; }); assert.equal(run(), 7); assert.equal(run(), 7); assert.equal(calls, 1); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export function once(action) {\n  let result;\n  let isDone = false;\n  return () => {\n    if (!isDone) {\n      result = action();\n      isDone = true;\n    }\n    return result;\n  };\n}\n',
          ],
          'run',
        ],
      },
      {
        name: 'turns that come again',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { turns } from '../src/mul.js';\ntest('takes turns', () => { const next = turns(['a', 'b']); assert.equal(next(), 'a'); assert.equal(next(), 'b'); assert.equal(next(), 'a'); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export function turns(names) {\n  let at = 0;\n  return () => {\n    const name = names[at];\n    at = (at + 1) % names.length;\n    return name;\n  };\n}\n',
          ],
          'run',
        ],
      },
      {
        name: 'two new exports of an old module',
        steps: [
          [
            'test/more.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { double, half } from '../src/add.js';\ntest('doubles', () => { assert.equal(double(4), 8); assert.equal(double(-1), -2); });\ntest('halves', () => { assert.equal(half(4), 2); assert.equal(half(3), 1.5); });\n",
          ],
          'run',
          [
            'src/add.js',
            'export const add = (a, b) => a + b;\nexport const double = (a) => a * 2;\nexport const half = (a) => a / 2;\n',
          ],
          'run',
        ],
      },
      {
        name: 'a hook of the file that makes a fresh instance',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test, { beforeEach } from 'node:test';\nimport { Store } from '../src/mul.js';\nlet store;\nbeforeEach(() => { store = new Store(); });\ntest('keeps', () => { store.set('a', 1); assert.equal(store.get('a'), 1); });\ntest('is empty', () => { assert.equal(store.get('a'), undefined); assert.equal(store.size, 0); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export class Store {\n  #values = new Map();\n  set(key, value) {\n    this.#values.set(key, value);\n  }\n  get(key) {\n    return this.#values.get(key);\n  }\n  get size() {\n    return this.#values.size;\n  }\n}\n',
          ],
          'run',
        ],
      },
    ],
  },
  {
    runner: 'vitest',
    project: PROJECTS['vitest'],
    ways: [
      {
        name: 'a new module that is replaced in the test of another',
        steps: [
          [
            'test/user.test.js',
            "import { expect, it, vi } from 'vitest';\nimport { load } from '../src/api.js';\nimport { greet } from '../src/user.js';\nvi.mock('../src/api.js', () => ({ load: vi.fn() }));\nit('greets', async () => { vi.mocked(load).mockResolvedValue({ name: 'Ada' }); expect(await greet(7)).toBe('Hello, Ada'); expect(load).toHaveBeenCalledWith(7); });\n",
          ],
          [
            'test/api.test.js',
            "import { expect, it } from 'vitest';\nimport { load } from '../src/api.js';\nit('loads', async () => { expect(await load(7, (id) => Promise.resolve(`{\"name\":\"u${id}\"}`))).toEqual({ name: 'u7' }); });\n",
          ],
          'run',
          ['src/api.js', 'export const load = async (id, get) => JSON.parse(await get(id));\n'],
          [
            'src/user.js',
            "import { load } from './api.js';\n\nexport async function greet(id) {\n  const { name } = await load(id);\n  return `Hello, ${name}`;\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'a hook of the file that makes a fresh instance',
        steps: [
          [
            'test/mul.test.js',
            "import { beforeEach, expect, it } from 'vitest';\nimport { Store } from '../src/mul.js';\nlet store;\nbeforeEach(() => { store = new Store(); });\nit('keeps', () => { store.set('a', 1); expect(store.get('a')).toBe(1); });\nit('is empty', () => { expect(store.get('a')).toBeUndefined(); expect(store.size).toBe(0); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'export class Store {\n  #values = new Map();\n  set(key, value) {\n    this.#values.set(key, value);\n  }\n  get(key) {\n    return this.#values.get(key);\n  }\n  get size() {\n    return this.#values.size;\n  }\n}\n',
          ],
          'run',
        ],
      },
    ],
  },
  {
    runner: 'jest',
    project: PROJECTS['jest'],
    ways: [
      {
        name: 'a hook of the file that makes a fresh instance',
        steps: [
          [
            'test/mul.test.js',
            "const { Store } = require('../src/mul');\nlet store;\nbeforeEach(() => { store = new Store(); });\ntest('keeps', () => { store.set('a', 1); expect(store.get('a')).toBe(1); });\ntest('is empty', () => { expect(store.get('a')).toBeUndefined(); expect(store.size).toBe(0); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'class Store {\n  #values = new Map();\n  set(key, value) {\n    this.#values.set(key, value);\n  }\n  get(key) {\n    return this.#values.get(key);\n  }\n  get size() {\n    return this.#values.size;\n  }\n}\nmodule.exports = { Store };\n',
          ],
          'run',
        ],
      },
    ],
  },
  {
    runner: 'mocha',
    project: PROJECTS['mocha'],
    ways: [
      {
        name: 'a hook of the file that makes a fresh instance',
        steps: [
          [
            'test/mul.js',
            "const assert = require('node:assert');\nconst { Store } = require('../src/mul');\nlet store;\nbeforeEach(() => { store = new Store(); });\nit('keeps', () => { store.set('a', 1); assert.equal(store.get('a'), 1); });\nit('is empty', () => { assert.equal(store.get('a'), undefined); assert.equal(store.size, 0); });\n",
          ],
          'run',
          [
            'src/mul.js',
            'class Store {\n  #values = new Map();\n  set(key, value) {\n    this.#values.set(key, value);\n  }\n  get(key) {\n    return this.#values.get(key);\n  }\n  get size() {\n    return this.#values.size;\n  }\n}\nmodule.exports = { Store };\n',
          ],
          'run',
        ],
      },
    ],
  },
  {
    runner: 'node-test',
    project: PROJECTS['node-test'],
    ways: [
      {
        name: 'an instance for all cases of a file',
        steps: [
          [
            'test/mul.test.js',
            "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { Rates } from '../src/mul.js';\nconst rates = new Rates({ EUR: 2, USD: 4 });\ntest('converts', () => assert.equal(rates.convert(3, 'EUR'), 6));\ntest('refuses', () => assert.throws(() => rates.convert(3, 'XXX'), /no rate for XXX/));\n",
          ],
          'run',
          [
            'src/mul.js',
            'export class Rates {\n  constructor(rates) {\n    this.rates = rates;\n  }\n  convert(amount, currency) {\n    const rate = this.rates[currency];\n    if (rate === undefined) throw new RangeError(`no rate for ${currency}`);\n    return amount * rate;\n  }\n}\n',
          ],
          'run',
        ],
      },
    ],
  },
];
