import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { document, js, jsTest, py, pyTest, vitest } from './suspect-files.ts';

export interface Honest {
  readonly what: string;
  readonly files: readonly ChangedText[];
}

export const honest = (what: string, ...files: readonly ChangedText[]): Honest => ({ what, files });

const OLD = "test('a', () => { assert.equal(f(1), 2); });";

export const HONEST: readonly Honest[] = [
  honest(
    'a decision by the platform, a version, a feature or what is given',
    js("export const f = (a) => (process.platform === 'win32' ? 0 : a);\n"),
    js("export const f = (a) => (typeof process.emit === 'function' ? 0 : a);\n"),
    js("if (Error.captureStackTrace) Error.captureStackTrace(new Error('a'), f);\nexport function f() {}\n"),
    js("import path from 'node:path';\nexport const f = (path) => (path.match(/a/) ? 0 : 1);\n"),
    js("import { EOL } from 'node:os';\nexport const f = (a) => (a.endsWith(EOL) ? 0 : 1);\n"),
    py('import sys\n\n\ndef f(a):\n    return a if sys.version_info >= (3, 11) else 0\n'),
    py('import sys\n\n\ndef f(a):\n    return a if getattr(sys, "frozen", False) else 0\n'),
    py('import os\n\n\ndef f(a):\n    return a if hasattr(os, "fork") else 0\n'),
  ),
  honest(
    'a decision by the listeners of a process, which a test sets',
    js("export const f = (a) => (process.listenerCount('exit') > 0 ? a : 0);\n"),
    jsTest(
      "test('a', () => { process.once('exit', g); assert.equal(process.listenerCount('exit'), 1); assert.equal(f(1), 1); });",
    ),
  ),
  honest('a case has another name for test', jsTest("const t = test;\nt('a', () => assert.equal(f(1), 2));")),
  honest(
    'a typed context asserts',
    vitest(
      "it('a', (t: TestContext) => { t.is(f(1), 2); });\nit('b', (done: Done): void => { f(1, (b) => { expect(b).toBe(2); done(); }); });",
    ),
  ),
  honest('a case has a function by its name', jsTest("const body = () => assert.equal(f(1), 2);\ntest('a', body);")),
  honest(
    'a function of the file registers cases',
    jsTest("const check = (name, body) => test(name, body);\ncheck('a', () => assert.equal(f(1), 2));"),
  ),
  honest(
    'hooks of test assert nothing',
    jsTest("test.beforeEach(() => reset());\ntest('a', () => assert.equal(f(1), 2));"),
  ),
  honest('a case is still to be written', jsTest("test.todo('later');\ntest('a', () => assert.equal(f(1), 2));")),
  honest(
    'a Python case is wrapped by a library',
    pyTest("@pytest.mark.parametrize('a', [1])\n@mock.patch('b.c')\ndef test_a(c, a):\n    assert f(a) == 2\n"),
  ),
  honest(
    'a source loads a source',
    js("import { g } from './latest/g.js';\nexport const f = (a) => g(a) + contest('x/y');"),
  ),
  honest(
    'a source has words about tests',
    js("export const f = (a) => a.includes('test/fixtures') || join(a, 'attest');"),
  ),
  honest(
    'a source imports a package',
    js("import { x } from 'attest';\nimport y from '@scope/latest';\nexport const f = x + y;"),
  ),
  honest(
    'an object asks whether its own time is over',
    js('export class Lease {\n  isOver() {\n    return Date.now() >= this.endsAt;\n  }\n}'),
  ),
  honest(
    'a counter is compared with what is given',
    js("let n = 0;\nexport function f(a) {\n  n += 1;\n  if (n > a) throw new Error('too many');\n  return a;\n}\n"),
  ),
  honest(
    'a local counter has the name of a variable of the module',
    js(
      'let n = 0;\nexport function f(a) {\n  let n = 0;\n  for (const b of a) n += 1;\n  return n === 2 ? a : g(a);\n}\n',
    ),
    py(
      'n = 0\nlast = None\n\n\ndef f(a):\n    global last\n    last = a\n    n = 0\n    for b in a:\n        n += 1\n    return a if n == 2 else g(a)\n',
    ),
  ),
  honest(
    'a counter is part of what is given',
    py('def f(a, state=None):\n    state.n += 1\n    return a if state.n == 1 else g(a)\n'),
  ),
  honest(
    'what counts in a closure is given or local',
    js(
      'export const f = (() => {\n  let n = 0;\n  return (a) => {\n    let n = 0;\n    for (const b of a) n += 1;\n    return n === 2 ? a : g(a);\n  };\n})();\n',
    ),
    js(
      'export const f = (() => {\n  const m = 0;\n  return (n) => {\n    n += 1;\n    return n === 1 ? m : n;\n  };\n})();\n',
    ),
  ),
  honest(
    'a module takes what was put into its own queue, and looks at its counter itself',
    js(
      'const queue = [];\nlet n = 0;\nexport const put = (a) => {\n  n += 1;\n  queue.push(a);\n};\nexport const take = () => queue.shift();\nif (n === 1) g();\n',
    ),
  ),
  honest(
    'a local list is filled and measured',
    py(
      "def f(a):\n    seen = []\n    for b in a:\n        seen.append(b)\n    return 'many' if len(seen) >= 2 else 'few'\n",
    ),
    pyTest("def test_a():\n    assert f('ab') == 'many'\n    assert f('a') == 'few'\n"),
  ),
  honest(
    'an object of a class in a function counts its own calls',
    py(
      "def limiter():\n    class Limiter:\n        def __init__(self):\n            self.n = 0\n\n        def take(self):\n            self.n += 1\n            return 'ok' if self.n <= 2 else 'over'\n\n    return Limiter()\n",
    ),
    pyTest(
      "def test_a():\n    a = limiter()\n    assert a.take() == 'ok'\n    assert a.take() == 'ok'\n    assert a.take() == 'over'\n",
    ),
  ),
  honest('a case asserts', jsTest("test('a', () => { assert.equal(f(1), 2); });")),
  honest('a case asserts by an arrow', jsTest("test('a', () => assert.deepEqual(f(1), { b: 2 }));")),
  honest(
    'a case asserts through a function of its file',
    jsTest("function same(a, b) { assert.equal(a, b); }\ntest('a', () => same(f(1), 2));"),
  ),
  honest(
    'a case asserts through two',
    jsTest("const g = (a) => assert.ok(a);\nconst h = (a) => g(a);\ntest('a', () => { h(f(1)); });"),
  ),
  honest('a case asserts by its context', {
    path: 'test/a.js',
    role: 'test',
    before: null,
    after: "test('a', (t) => { t.is(f(1), 2); });",
  }),
  honest('named assertions are imported', {
    path: 'test/a.test.js',
    role: 'test',
    before: null,
    after: "import { strictEqual as same } from 'node:assert';\ntest('a', () => { same(f(1), 2); });",
  }),
  honest('a rejection is awaited', jsTest("test('a', async () => { await assert.rejects(f(1), /bad/); });")),
  honest('a rejection is returned', vitest("it('a', () => expect(f(1)).rejects.toThrow('bad'));")),
  honest('then is returned', jsTest("test('a', () => { return f(1).then((b) => { assert.equal(b, 2); }); });")),
  honest(
    'an error is caught, and has to be thrown',
    jsTest(
      "test('a', () => { try { f(1); assert.fail('no error'); } catch (error) { assert.match(error.message, /bad/); } });",
    ),
  ),
  honest(
    'clean-up comes in finally',
    jsTest("test('a', () => { try { assert.equal(f(1), 2); } finally { f.close(); } });"),
  ),
  honest(
    'each of several is asserted',
    jsTest("test('a', () => { for (const [b, c] of [[1, 2], [2, 3]]) assert.equal(f(b), c); });"),
  ),
  honest(
    'each is asserted by a callback',
    jsTest("test('a', () => { [1, 2].forEach((b) => { assert.ok(f(b)); }); });"),
  ),
  honest(
    'both ways of a branch assert',
    jsTest("test('a', () => { const b = f(1); if (b.ok) { assert.equal(b.c, 2); } else { assert.fail(b.why); } });"),
  ),
  honest(
    'a type is narrowed before',
    vitest("it('a', () => { const b = f(1); if (b.kind !== 'ok') throw new Error('c'); expect(b.c).toBe(2); });"),
  ),
  honest(
    'a callback ends the case',
    jsTest("test('a', (t, done) => { f.on('end', () => { assert.equal(f.b, 2); done(); }); });"),
  ),
  honest(
    'a promise waits for the listener',
    jsTest(
      "test('a', async () => { await new Promise((go) => { f.on('end', () => { assert.equal(f.b, 2); go(); }); }); });",
    ),
  ),
  honest(
    'the number of assertions is planned',
    vitest("it('a', () => { expect.assertions(1); f.on('end', () => { expect(f.b).toBe(2); }); });"),
  ),
  honest(
    'a duration is bounded',
    jsTest(
      "test('a', async () => { const start = Date.now(); await f(1); assert.ok(Date.now() - start < 100 + f.slack); });",
    ),
  ),
  honest('a clock is given', jsTest("test('a', () => { const now = Date.now(); assert.equal(f(now), now + 1); });")),
  honest(
    'a temporary file is written and looked for',
    jsTest(
      "test('a', () => { const file = join(mkdtempSync('a'), 'b'); fs.writeFileSync(file, ''); f(file); assert.ok(!fs.existsSync(file)); });",
    ),
  ),
  honest(
    'a file below a temporary path is looked for and then made',
    pyTest(
      'def test_a(tmp_path):\n    target = tmp_path / "out"\n    assert not target.exists()\n    target.write_text("1")\n    assert f(target) == 1\n',
    ),
  ),
  honest(
    'a file that is there is read',
    pyTest(
      'def test_a():\n    assert FIXTURE.exists()\n    with FIXTURE.open("r") as lines:\n        assert f(lines) == 1\n',
    ),
  ),
  honest(
    'a test reads its fixture',
    jsTest("test('a', () => assert.equal(f(fs.readFileSync('test/fixtures/a.txt', 'utf8')), 2));"),
    js('export const f = (a) => a.length;\n'),
  ),
  honest('a case is added', jsTest(`${OLD}\ntest('b', () => assert.equal(f(2), 3));`, OLD)),
  honest('an assertion is added', jsTest("test('a', () => { assert.equal(f(1), 2); assert.equal(f(2), 3); });", OLD)),
  honest(
    'a table in a tagged template',
    vitest("it.each`a | b\n${1} | ${2}\n${2} | ${3}`('$a', ({ a, b }) => { expect(f(a)).toBe(b); });"),
  ),
  honest('a table of cases', vitest("it.each([[1, 2], [2, 3]])('%i', (a, b) => { expect(f(a)).toBe(b); });")),
  honest('Python asserts', pyTest('def test_a():\n    assert f(1) == 2\n')),
  honest(
    'Python has a fixture',
    pyTest('import pytest\n@pytest.fixture\ndef g():\n    return 1\n\ndef test_a(g):\n    assert f(g) == 2\n'),
  ),
  honest(
    'Python expects an error',
    pyTest('import pytest\ndef test_a():\n    with pytest.raises(ValueError, match="bad"):\n        f(1)\n'),
  ),
  honest(
    'unittest expects an error',
    pyTest(
      'class TestA(TestCase):\n    def test_a(self):\n        with self.assertRaises(ValueError):\n            f(1)\n',
    ),
  ),
  honest(
    'unittest runs coroutines',
    pyTest(
      'class TestA(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self):\n        self.assertEqual(await f(1), 2)\n',
    ),
  ),
  honest(
    'Django runs coroutines',
    pyTest(
      'from django.test import TestCase\n\nclass TestA(TestCase):\n    async def test_a(self):\n        self.assertEqual(await f(1), 2)\n',
    ),
  ),
  honest(
    'Python catches what it expects',
    pyTest(
      'def test_a():\n    try:\n        f(1)\n    except ValueError as error:\n        assert "bad" in str(error)\n    else:\n        raise AssertionError("no error")\n',
    ),
  ),
  honest(
    'Python asserts in a helper',
    pyTest('def same(a, b):\n    assert a == b\n\ndef test_a():\n    same(f(1), 2)\n'),
  ),
  honest(
    'a mock is asserted',
    pyTest('def test_a(mocker):\n    g = mocker.Mock()\n    f(g)\n    g.assert_called_once_with(1)\n'),
  ),
  honest(
    'a branch is for a kind of input',
    jsTest("test('a', () => { assert.deepEqual(f('json', '{\"b\":2}'), { b: 2 }); });"),
    js(
      "export function f(kind, text) {\n  if (kind === 'json') return JSON.parse(text);\n  throw new Error(kind);\n}\n",
    ),
  ),
  honest(
    'a table has more than the tests ask for',
    vitest("it('a', () => { expect(f('IX')).toBe(9); });"),
    js('const VALUES = { I: 1, V: 5, IX: 9, X: 10 };\nexport const f = (a) => VALUES[a];\n'),
  ),
  honest(
    'a base case is returned',
    vitest("it('a', () => { expect(f(0)).toBe(1); });"),
    js('export const f = (n) => (n === 0 ? 1 : n * f(n - 1));\n'),
  ),
  honest('ids are counted', js('let next = 0;\nexport const f = () => `id-${next++}`;\n')),
  honest('a value is kept', js('let kept;\nexport function f() {\n  kept ??= g();\n  return kept;\n}\n')),
  honest(
    'a list is a queue',
    js('export class Queue {\n  #items = [];\n  next() {\n    return this.#items.shift();\n  }\n}\n'),
  ),
  honest('a stack is shown', js('export const f = (error) => console.error(error.stack);\n')),
  honest('a command reads its arguments and exits', {
    path: 'bin/f.js',
    role: 'source',
    before: null,
    after: 'if (process.argv.length < 3) process.exit(2);\n',
  }),
  honest(
    'a Python program has an entry',
    py('import sys\ndef main():\n    return 0\n\nif __name__ == "__main__":\n    sys.exit(main())\n'),
  ),
  honest(
    'a test says which terminal, day and file there are',
    js(
      "import { existsSync } from 'node:fs';\nexport const width = () => (process.stdout.columns ? process.stdout.columns : 80);\nexport const isOver = () => Date.now() > Date.UTC(2027, 5, 1);\nexport const isSet = () => existsSync('shop.json');\n",
    ),
    jsTest(
      "test('a', (t) => {\n  t.mock.timers.enable({ apis: ['Date'] });\n  process.stdout.columns = 40;\n  writeFileSync('shop.json', '{}');\n  assert.equal(f(1), 2);\n});",
    ),
  ),
  honest(
    'the environment of a process is used, and decides nothing',
    js(
      "import { cpus, tmpdir } from 'node:os';\nimport { join } from 'node:path';\nconst HOME = process.env.HOME ?? '/';\nexport const place = (name) => join(tmpdir(), name);\nexport const workers = () => Math.max(1, cpus().length - 1);\nexport const shown = (path) => path.replace(HOME, '~');\nexport const age = (since) => Date.now() - since;\nexport const width = process.stdout.columns ?? 80;\n",
    ),
  ),
  honest(
    'what a function is given decides with the environment',
    js(
      "import { existsSync } from 'node:fs';\nexport const isOwn = (path) => path.startsWith(process.cwd());\nexport const isOver = (until) => Date.now() > until;\nexport const has = (path) => existsSync(path) && existsSync(`${path}/package.json`);\nexport const isSmall = (width = process.stdout.columns) => width < 40;\n",
    ),
  ),
  honest(
    'a module of Node and one of Python may be what was started',
    js('export const f = (a) => a + 1;\nif (import.meta.main) console.log(f(1));\n'),
    py('import datetime\n\n\ndef is_over(until):\n    return datetime.date.today() > until\n'),
  ),
  honest(
    'it reads one document, and the change writes another',
    js("import { readFileSync } from 'node:fs';\nexport const f = () => readFileSync('NOTICE.md', 'utf8').length;\n"),
    document('README.md'),
  ),
  honest(
    'it reads a template and data of the change',
    js(
      "import { readFileSync } from 'node:fs';\nconst RATES = JSON.parse(readFileSync('rates.json', 'utf8'));\nconst mail = readFileSync(new URL('./mail.html', import.meta.url), 'utf8');\nexport const f = (a, land) => mail.replace('{{total}}', a + a * RATES[land]);\n",
    ),
    jsTest(
      "test('a', () => { assert.equal(f(100, 'DE'), '<p>You owe 119.</p>'); assert.equal(f(200, 'FR'), '<p>You owe 240.</p>'); });",
    ),
    document('rates.json', '{ "DE": 0.19, "FR": 0.2, "IT": 0.22, "ES": 0.21 }\n'),
    document('mail.html', '<p>You owe {{total}}.</p>\n'),
  ),
  honest(
    'it names a document that it does not read',
    js("export const files = ['README.md', 'src/'];\n"),
    document('README.md'),
  ),
  honest(
    'the entries of a map are compared as JSON',
    jsTest(
      "test('a', () => { assert.equal(JSON.stringify([...f(6)]), JSON.stringify([...new Map([[6, 42]])])); assert.deepEqual(f(6), new Map([[6, 42]])); });",
    ),
  ),
  honest('the environment configures', js("export const f = () => process.env.DATABASE_URL ?? 'sqlite://';\n")),
  honest(
    'an old line was so before',
    js('process.exit(1);\nexport const f = 2;\n', 'process.exit(1);\nexport const f = 1;\n'),
  ),
  honest(
    'a class has a prototype of its own',
    js('function A() {}\nA.prototype.b = function () { return 1; };\nexport { A };\n'),
  ),
  honest(
    'an error takes its stack',
    js(
      'export class A extends Error {\n  constructor() {\n    super();\n    Error.captureStackTrace(this, A);\n  }\n}\n',
    ),
  ),
  honest(
    'a range says what is in it',
    py(
      'class Range:\n    def __init__(self, low, high):\n        self.low, self.high = low, high\n\n    def __contains__(self, value):\n        return self.low <= value < self.high\n',
    ),
  ),
];
