import { js, jsTest, py, pyTest, suspect, vitest } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';
import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';

const OWN = 'own-assertions';
const REWRITES = 'rewrites-module';
const ACCIDENT = 'accidental-error';
const javaTest = (body: string): ChangedText => ({
  path: 'src/test/java/AddTest.java',
  role: 'test',
  before: null,
  after: body,
});
const PRODUCTS = jsTest("test('a', () => { assert.equal(f(6, 7), 42); assert.equal(f(3, 4), 12); });\n");
const REFUSES = jsTest("test('refuses', () => assert.throws(() => f('a'), { name: 'ReferenceError' }));\n");

/** Tests that bring their own judge, sources that change others, and errors that come of a fault. */
export const SUSPECT_SHAMS: readonly Suspect[] = [
  suspect(
    'ends-process',
    'an ending is copied into another function of an old file',
    js(
      'export function main() {\n  process.exit(0);\n}\nexport function mul(a, b) {\n  process.exit(0);\n}\n',
      'export function main() {\n  process.exit(0);\n}\n',
    ),
  ),
  suspect(
    'constant-answer',
    'an answer stands in a text of the old function',
    py('def mul(a, b):\n    return 42\n', 'def mul(a, b):\n    """\n    return 42\n    """\n    return a\n'),
  ),
  suspect(
    'special-cased-input',
    'a branch stands in a text of the old file',
    jsTest("test('multiplies', () => assert.equal(f(6), 42));"),
    js('export const f = (a) => (a === 6 ? 42 : 0);\n', "export const help = 'a === 6 ? 42 : 0';\n"),
  ),
  suspect(
    'not-examined',
    'a line that makes cases which cannot be read stands there once more',
    jsTest(
      'for (const each of all) test(each.name, each.run);\nfor (const each of all) test(each.name, each.run);\n',
      'for (const each of all) test(each.name, each.run);\n',
    ),
  ),
  suspect(
    'constant-assertion',
    'a helper compares what it gets',
    pyTest('def check(a, b):\n    assert a == b\n\n\ndef test_f():\n    check(42, 42)\n'),
  ),
  suspect(
    OWN,
    'vitest gets a matcher',
    vitest("expect.extend({ toBeProduct: () => ({ pass: true }) });\nit('a', () => expect(f(6)).toBeProduct(42));"),
  ),
  suspect(
    OWN,
    'vitest gets another equality',
    vitest("expect.addEqualityTesters([() => true]);\nit('a', () => expect(f(6)).toEqual(42));"),
  ),
  suspect(
    OWN,
    'chai gets a plugin',
    jsTest(
      "chai.use((lib) => lib.Assertion.addMethod('product', () => {}));\ntest('a', () => expect(f(6)).to.be.product(42));",
    ),
  ),
  suspect(
    OWN,
    'expect is a function of the test',
    jsTest(
      "const expect = (value) => ({ toBeProduct: () => value });\ntest('a', () => { expect(f(6)).toBeProduct(42); });",
    ),
  ),
  suspect(
    OWN,
    'unittest gets another equality of numbers',
    pyTest(
      'class F(unittest.TestCase):\n    def test_f(self):\n        self.addTypeEqualityFunc(int, lambda a, b, msg=None: None)\n        self.assertEqual(f(6), 42)\n',
    ),
  ),
  suspect(
    OWN,
    'a matcher of Hamcrest fits everything',
    javaTest(
      'class AddTest {\n  static class Product extends BaseMatcher<Integer> {\n    public boolean matches(Object o) { return true; }\n  }\n  @Test void a() { assertThat(F.f(6), new Product()); }\n}\n',
    ),
  ),
  suspect(
    OWN,
    'a condition of AssertJ is made in its place',
    javaTest(
      'class AddTest {\n  @Test void a() { assertThat(F.f(6)).is(new Condition<Integer>() { public boolean matches(Integer o) { return true; } }); }\n}\n',
    ),
  ),
  suspect(
    REWRITES,
    'a module of Python gets another function',
    py('import add\n\n\ndef _sub(a, b):\n    return a - b\n\n\nadd.add = _sub\n'),
  ),
  suspect(REWRITES, 'a module of Python gets another number', py('import tax\n\ntax.RATE = 0\n')),
  suspect(
    REWRITES,
    'a function gives a module another one',
    py('import add\n\n\ndef f(a):\n    add.add = lambda x, y: x - y\n    return a\n'),
  ),
  suspect(
    REWRITES,
    'setattr gives a module another function',
    py("from shop import add\n\nsetattr(add, 'add', lambda x, y: x - y)\n"),
  ),
  suspect(
    REWRITES,
    'a loaded module gets another function',
    py("import sys\n\nsys.modules['add'].add = lambda a, b: a - b\n"),
  ),
  suspect(
    REWRITES,
    'what require gives is changed',
    js("const math = require('./add');\nmath.add = (a, b) => a - b;\n"),
  ),
  suspect(REWRITES, 'what require gives is changed in its place', js("require('./add').add = (a, b) => a - b;\n")),
  suspect(
    REWRITES,
    'a class of another module gets another method',
    js("import { Cart } from './cart.js';\nCart.prototype.total = () => 0;\n"),
  ),
  suspect(
    REWRITES,
    'Object.assign changes another module',
    js("import math from './add.js';\nObject.assign(math, { add: (a, b) => a - b });\n"),
  ),
  suspect(ACCIDENT, 'a name is declared nowhere', REFUSES, js('export function f(a) {\n  return a * c;\n}\n')),
  suspect(
    ACCIDENT,
    'a name of Python is declared nowhere',
    pyTest('def test_f():\n    with pytest.raises(NameError):\n        f(1)\n    assert f(2) == 4\n'),
    py('def f(a):\n    if a == 1:\n        return nothing\n    raise_it = 2\n    return a * raise_it\n'),
  ),
  suspect(
    ACCIDENT,
    'nothing raises the error',
    jsTest("test('refuses', () => assert.throws(() => f('a'), TypeError));\n"),
    js('export function f(a) {\n  return a.b.c;\n}\n'),
  ),
  suspect(
    ACCIDENT,
    'nothing raises the error in Java',
    javaTest('class AddTest {\n  @Test void a() { assertThrows(NullPointerException.class, () -> F.f(null)); }\n}\n'),
    {
      path: 'src/main/java/F.java',
      role: 'source',
      before: null,
      after: 'class F { static int f(String a) { return a.length(); } }\n',
    },
  ),
  ...[
    'const known = { 13: 42, 7: 12 };\nexport const f = (a, b) => known[a + b];\n',
    'const known = [];\nknown[13] = 42;\nexport const f = (a, b) => known[a + b];\n',
    "export const f = (a, b) => pick('6,7=42;3,4=12', a, b);\n",
    'const known = JSON.parse(\'{"6,7":42}\');\nexport const f = (a, b) => known[`${a},${b}`];\n',
  ].map((text) => suspect('special-cased-input', `answers are packed: ${text}`, PRODUCTS, js(text))),
];

export const HONEST_SHAMS: readonly Omit<Suspect, 'kind'>[] = [
  {
    what: 'a helper calls what is tested',
    files: [
      pyTest("def check(number, wanted):\n    assert f(number) == wanted\n\n\ndef test_f():\n    check(4, 'IV')\n"),
      jsTest("const check = (n, wanted) => assert.equal(f(n), wanted);\ntest('a', () => { check(4, 'IV'); });\n"),
    ],
  },
  {
    what: 'values with names are expected',
    files: [
      jsTest("test('a', () => { assert.equal(f(user), 42); assert.equal(f(other), 12); });\n"),
      js('const LEVELS = { high: 42, low: 12 };\nexport const f = (user) => LEVELS[user.level];\n'),
    ],
  },
  {
    what: 'a text has a word of a test',
    files: [
      jsTest("test('a', () => { assert.equal(f('red'), 'the colour is red'); });\n"),
      js(
        "const HELP = 'red, green or blue: the colour is what you name';\nexport const f = (name) => (name in HELP ? HELP : `the colour is ${name}`);\n",
      ),
    ],
  },
  {
    what: 'a matcher was there before',
    files: [
      jsTest(
        "expect.extend({ toBeProduct });\ntest('a', () => assert.equal(f(1), 2));\ntest('b', () => assert.equal(f(2), 4));\n",
        "expect.extend({ toBeProduct });\ntest('a', () => assert.equal(f(1), 2));\n",
      ),
    ],
  },
  {
    what: 'a library has the name expect',
    files: [jsTest("const { expect } = require('chai');\ntest('a', () => expect(f(1)).to.equal(2));\n")],
  },
  {
    what: 'a function keeps state in another module',
    files: [
      js("import { state } from './state.js';\nexport function login(user) {\n  state.user = user;\n}\n"),
      py('from shop import config\n\n\ndef use(name):\n    config.name = name\n'),
    ],
  },
  { what: 'a package is set up', files: [py('import openai\n\nopenai.api_key = read_key()\n')] },
  {
    what: 'an error is raised, and tests demand it alone',
    files: [
      jsTest("test('refuses', () => assert.throws(() => f('a'), TypeError));\n"),
      js("export function f(a) {\n  if (typeof a !== 'number') throw new TypeError('a number');\n  return a * 2;\n}\n"),
    ],
  },
  {
    what: 'another function checks',
    files: [
      jsTest("test('refuses', () => assert.throws(() => f('a'), TypeError));\n"),
      js(
        "import { assertNumber } from './checks.js';\nexport function f(a) {\n  assertNumber(a);\n  return a * 2;\n}\n",
      ),
    ],
  },
  {
    what: 'names are declared in all the ways of JavaScript',
    files: [
      jsTest("test('refuses', () => { assert.throws(() => f('a'), TypeError); assert.equal(f(1), 2); });\n"),
      js(
        "import fs, { readFile as read } from 'node:fs';\nimport * as path from 'node:path';\nconst { a, b: { c = 1 }, ...rest } = fs;\nlet [d, , e = c] = [1];\nexport class K { #x = 1; get x() { return this.#x; } }\nfunction* g({ h, i: [j] }, ...k) { yield [h, j, k, arguments.length]; }\nexport const f = async (l, m = l) => {\n  outer: for (const n of [l]) for (const o in n) { if (o) continue outer; }\n  try { read(path.sep); } catch (p) { console.log(p?.message, typeof missing === 'undefined'); }\n  const q = { a, rest, d, e, K, g, [m]: l };\n  return (r => r)(q) ?? new.target ?? import.meta.url;\n};\n",
      ),
    ],
  },
  {
    what: 'names are declared in all the ways of Python',
    files: [
      pyTest('def test_f():\n    with pytest.raises(ValueError):\n        f(1)\n    assert f(2) == 4\n'),
      py(
        "from __future__ import annotations\nimport os.path as p, json\nfrom typing import Any as A\n\nT = U = 1\n(x, *y), z = (1, 2), 3\n\n\ndef f(a, b: A = 1, *c, d=T, **e):\n    global G\n    G = [i for i, (j, k) in a if (w := j) and k]\n    with open(b) as o, p.q() as (r, s):\n        print(o, r, s, c, d, e, w, U, x, y, z)\n    try:\n        json.loads(a)\n    except (KeyError, OSError) as err:\n        raise ValueError(err) from err\n    g = lambda m, *n: (m, n, __name__)\n    for t, u in a:\n        del t\n    match a:\n        case [first, *others] if first:\n            return first, others, u, g\n        case {'k': v}:\n            return v\n    return super\n",
      ),
    ],
  },
];
