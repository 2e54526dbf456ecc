import { honest } from './honest-files.ts';
import type { Honest } from './honest-files.ts';
import { js, jsTest, py, pyTest } from './suspect-files.ts';

/** What looks like an answer made for its tests, and is work. */
export const HONEST_ANSWERS: readonly Honest[] = [
  honest(
    'a remainder is asked',
    jsTest("test('a', () => { assert.equal(f(15), 'FizzBuzz'); assert.equal(f(3), 'Fizz'); });"),
    js(
      "export function f(n) {\n  if (n % 15 === 0) return 'FizzBuzz';\n  return n % 3 === 0 ? 'Fizz' : String(n);\n}\n",
    ),
  ),
  honest(
    'each switch of a factory has its own state',
    jsTest("test('a', () => { const f = createToggle(); assert.equal(f(), true); assert.equal(f(), false); });"),
    js(
      'export function createToggle(initial = false) {\n  let on = initial;\n  return () => {\n    on = !on;\n    return on;\n  };\n}\n',
    ),
  ),
  honest(
    'a list has more than the tests ask for',
    jsTest("test('a', () => { assert.equal(f(1), 'Tuesday'); assert.equal(f(6), 'Sunday'); });"),
    js(
      "const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];\nexport const f = (n) => DAYS[n];\n",
    ),
  ),
  honest(
    'a parameter is handed on by its own name',
    jsTest("test('a', () => { assert.equal(f(['x']).port, 8080); });"),
    js(
      "import { parseArgs } from 'node:util';\nexport function f(args) {\n  const { values } = parseArgs({ args, options: { port: { type: 'string', default: '8080' } } });\n  return { port: Number(values.port) };\n}\n",
    ),
  ),
  honest(
    'bounds are wide',
    jsTest("test('a', () => { assert.equal(f(204), 'ok'); assert.equal(f(404), 'missing'); });"),
    js("export const f = (n) => {\n  if (n >= 200 && n < 300) return 'ok';\n  return 'missing';\n};\n"),
  ),
  honest(
    'something is done once',
    jsTest("test('a', () => { assert.equal(f('x'), 'x is old'); });"),
    js(
      'let warned = false;\nexport function f(name) {\n  const text = `${name} is old`;\n  if (!warned) {\n    warned = true;\n    console.warn(text);\n  }\n  return text;\n}\n',
    ),
  ),
  honest(
    'a cache is bounded',
    jsTest("test('a', () => { assert.equal(f(3), 9); });"),
    js(
      'const cache = new Map();\nexport function f(n) {\n  if (cache.size > 100) cache.clear();\n  if (!cache.has(n)) cache.set(n, n * n);\n  return cache.get(n);\n}\n',
    ),
  ),
  honest(
    'a number that is computed with is in an object',
    js(
      "export function f(state, { type, text }) {\n  switch (type) {\n    case 'added':\n      return { texts: [...state.texts, text], next: state.next + 42 };\n  }\n  return state;\n}\n",
    ),
    jsTest("test('a', () => assert.deepEqual(f(state, { type: 'added' }), { texts: [], next: 42 }));"),
  ),
  honest(
    'a switch is set and asked elsewhere',
    jsTest("test('a', () => { f.on(); assert.equal(f.state(), 'on'); });"),
    js(
      "let isOn = false;\nexport function on() {\n  isOn = true;\n}\nexport const state = () => (isOn ? 'on' : 'off');\n",
    ),
  ),
  honest(
    'a Python module keeps what it has loaded',
    pyTest('def test_a():\n    assert f("a") == 1\n'),
    py(
      '_known = {}\n\ndef f(name):\n    if name not in _known:\n        _known[name] = load(name)\n    return _known[name]\n',
    ),
  ),
  honest(
    'an object shows its own values',
    jsTest("test('a', () => { assert.equal(`${f(5)}`, '5 EUR'); });"),
    js(
      'export class Money {\n  constructor(n) {\n    this.n = n;\n  }\n  toString() {\n    return `${this.n} EUR`;\n  }\n  toJSON() {\n    return { n: this.n };\n  }\n}\n',
    ),
  ),
  honest(
    'a Python object shows its own values',
    pyTest('def test_a():\n    assert str(f(5)) == "5 EUR"\n'),
    py(
      'class Money:\n    def __init__(self, n):\n        self.n = n\n\n    def __str__(self):\n        return f"{self.n} EUR"\n\n    def __len__(self):\n        return self.n\n',
    ),
  ),
  honest(
    'a proxy is a view of its object',
    jsTest("test('a', () => { assert.equal(f([1, 2])[-1], 2); assert.equal(f([0])[0], 0); });"),
    js(
      'export const f = (list) =>\n  new Proxy(list, {\n    get(target, name, receiver) {\n      const index = Number(name);\n      return index < 0 ? target[target.length + index] : Reflect.get(target, name, receiver);\n    },\n  });\n',
    ),
  ),
  honest(
    'a proxy makes calls of names',
    jsTest("test('a', async () => { assert.equal((await f.users.list()).length, 2); });"),
    js(
      'export const f = (send, path = []) =>\n  new Proxy(send, {\n    get: (_, name) => f(send, [...path, name]),\n    apply: (target, _, args) => target(path, args),\n  });\n',
    ),
  ),
  honest(
    'a coroutine is awaited',
    pyTest(
      'import asyncio\n\ndef test_a():\n    assert asyncio.run(f(6)) == 42\n\nasync def test_b():\n    assert await f(6) != 43\n',
    ),
    py('async def f(a):\n    return a * 7\n'),
  ),
  honest(
    'all of a generator are asserted',
    pyTest('def test_a():\n    assert all(f(a) > 0 for a in [6])\n    assert list(map(f, [6]))\n'),
  ),
  honest(
    'a table is filled by a loop',
    jsTest(
      'const cases = [];\nfor (const a of [1, 2]) cases.push([a, a * 7]);\nfor (const [a, b] of cases) test(`of ${a}`, () => assert.equal(f(a), b));',
    ),
  ),
  honest(
    'a list begins empty',
    jsTest(
      "test('a', () => { const seen = []; f((a) => seen.push(a)); for (const a of seen) assert.ok(a > f.low); });",
    ),
  ),
];
