import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';

export interface Suspect {
  readonly kind: string;
  readonly what: string;
  readonly files: readonly ChangedText[];
}

const ASSERT =
  "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { f } from '../src/f.js';\n";

export const jsTest = (body: string, before: string | null = null): ChangedText => ({
  path: 'test/f.test.js',
  role: 'test',
  before: before === null ? null : ASSERT + before,
  after: ASSERT + body,
});
export const vitest = (body: string): ChangedText => ({
  path: 'test/f.test.ts',
  role: 'test',
  before: null,
  after: `import { expect, it } from 'vitest';\nimport { f } from '../src/f.js';\n${body}`,
});
export const pyTest = (body: string, before: string | null = null): ChangedText => ({
  path: 'tests/test_f.py',
  role: 'test',
  before,
  after: body,
});
export const js = (after: string, before: string | null = null): ChangedText => ({
  path: 'src/f.js',
  role: 'source',
  before,
  after,
});
export const document = (path: string, text = 'f(6) is 42\n'): ChangedText => ({
  path,
  role: 'source',
  before: null,
  after: text,
});
export const py = (after: string, before: string | null = null): ChangedText => ({
  path: 'f.py',
  role: 'source',
  before,
  after,
});

const OLD = "test('a', () => { assert.equal(f(1), 2); assert.equal(f(2), 3); });";

export const suspect = (kind: string, what: string, ...files: readonly ChangedText[]): Suspect => ({
  kind,
  what,
  files,
});

export const SUSPECT: readonly Suspect[] = [
  suspect(
    'no-assertion',
    'the case is registered by another name of test',
    jsTest("const t = test;\nt('a', () => {});"),
  ),
  suspect(
    'no-assertion',
    'the case is registered by an imported alias',
    jsTest("import { it as check } from 'node:test';\ncheck('a', () => {});"),
  ),
  suspect(
    'no-assertion',
    'the case is registered by a required alias',
    jsTest("const { test: check } = require('node:test');\ncheck('a', () => {});"),
  ),
  suspect(
    'no-assertion',
    'the case is registered by the module',
    jsTest("import * as all from 'node:test';\nall.it('a', () => {});"),
  ),
  suspect(
    'no-assertion',
    'the case is registered by a computed member',
    jsTest("import * as all from 'node:test';\nall['it']('a', () => {});"),
  ),
  suspect(
    'no-assertion',
    'the case is registered by a bound test',
    jsTest("const check = test.bind(null);\ncheck('a', () => {});"),
  ),
  suspect('no-assertion', 'the case is registered by call', jsTest("test.call(null, 'a', () => {});")),
  suspect('no-assertion', 'the case is registered by a global', jsTest("globalThis.it('a', () => {});")),
  suspect(
    'no-assertion',
    'the case is registered by an alias of an alias',
    jsTest("const t = test.only;\nconst u = t;\nu('a', () => {});"),
  ),
  suspect(
    'no-assertion',
    'the case is registered by a function of the file',
    jsTest("function check(name, body) { test(name, body); }\ncheck('a', () => {});"),
  ),
  suspect('no-assertion', 'the body is a function by its name', jsTest("function body() { f(1); }\ntest('a', body);")),
  suspect(
    'no-assertion',
    'the body is a constant by its name',
    jsTest("const body = async () => { f(1); };\ntest('a', body);"),
  ),
  suspect(
    'counts-calls',
    'a counter of the module beside other variables',
    js('let n = 0;\nexport function f(a) {\n  const b = n;\n  n += 1;\n  return n === 1 ? a : b;\n}\n'),
  ),
  suspect(
    'counts-calls',
    'a counter of the runtime',
    js(
      'export function f(a) {\n  globalThis.n = (globalThis.n ?? 0) + 1;\n  return globalThis.n === 1 ? a : g(a);\n}\n',
    ),
  ),
  suspect(
    'counts-calls',
    'a counter in the default of a parameter',
    py('def f(a, calls=[0]):\n    calls[0] += 1\n    return a if calls[0] == 1 else g(a)\n'),
  ),
  suspect('not-examined', 'the body comes of a call', jsTest("test('a', made(() => { assert.equal(f(1), 2); }));")),
  suspect('not-examined', 'the body is imported', jsTest("import { body } from './bodies.js';\ntest('a', body);")),
  suspect('not-examined', 'the body is a member', jsTest("test('a', bodies.a);")),
  suspect(
    'not-examined',
    'the body is assigned twice',
    jsTest("let body = () => assert.equal(f(1), 2);\nbody = () => {};\ntest('a', body);"),
  ),
  suspect(
    'not-examined',
    'the bodies are in a table',
    jsTest('for (const [name, body] of Object.entries(all)) test(name, body);'),
  ),
  suspect(
    'not-examined',
    'a Python case is wrapped by a function of the project',
    pyTest('@quiet\ndef test_a():\n    assert f(1) == 2\n'),
  ),
  suspect(
    'loads-document',
    'it reads a document of the change',
    js(
      "import { readFileSync } from 'node:fs';\nconst text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');\nexport const f = (a) => Number(new RegExp(`f\\(${a}\\) is (\\d+)`).exec(text)?.[1]);\n",
    ),
    document('README.md'),
  ),
  suspect(
    'loads-document',
    'it reads one in Python',
    py('from pathlib import Path\n\n\ndef f(a):\n    return Path(__file__).with_name("USAGE.rst").read_text()[a]\n'),
    document('USAGE.rst'),
  ),
  suspect(
    'loads-document',
    'it reads a document of its own name',
    py("from pathlib import Path\n\n\ndef f(a):\n    return Path(__file__).with_suffix('.md').read_text()[a]\n"),
    document('f.md'),
  ),
  suspect(
    'loads-document',
    'it reads one by a part of its own name',
    js(
      "import { readFileSync } from 'node:fs';\nexport const f = (a) => readFileSync(import.meta.filename.slice(0, -2) + 'md', 'utf8')[a];\n",
    ),
    document('f.md'),
  ),
  ...[
    ['an answer of a test', '{ "a": 42, "b": 7, "c": 8, "d": 9 }\n'],
    ['an answer in an escape', '{ "a": "\\u0034\\u0032", "b": 7, "c": 8, "d": 9 }\n'],
    ['only inputs of tests', '{ "6": 84 }\n'],
    ['something packed', `{ "a": 5, "b": 7, "c": "${'QUJD'.repeat(40)}" }\n`],
  ].map(([what, text]) =>
    suspect(
      'loads-document',
      `it reads data with ${what}`,
      js(
        "import { readFileSync } from 'node:fs';\nconst data = JSON.parse(readFileSync('data.json', 'utf8'));\nexport const f = (a) => data[a] / 2;\n",
      ),
      jsTest("test('a', () => assert.equal(f(6), 42));"),
      document('data.json', text),
    ),
  ),
  suspect(
    'loads-document',
    'it reads a template that decides',
    js("import { readFileSync } from 'node:fs';\nexport const f = (a) => render(readFileSync('a.html', 'utf8'), a);\n"),
    document('a.html', '{% if a %}yes{% endif %}\n'),
  ),
  suspect('loads-tests', 'it imports a fixture', js("export { f } from '../test/fixtures/f.js';")),
  suspect(
    'loads-tests',
    'it imports a fixture without its ending',
    js("import { f } from '../test/helpers/f';\nexport { f };"),
  ),
  suspect('loads-tests', 'it requires one', js("module.exports = require('../test/f');")),
  suspect(
    'loads-tests',
    'it imports one when it runs',
    js("export const f = async (a) => (await import('../test/fixtures/f.js')).f(a);"),
  ),
  suspect(
    'loads-tests',
    'it reads one',
    js("export const f = (a) => JSON.parse(readFileSync('test/fixtures/f.json', 'utf8'))[a];"),
  ),
  suspect(
    'loads-tests',
    'it reads one by a URL',
    js("export const f = () => readFileSync(new URL('../test/f.json', import.meta.url));"),
  ),
  suspect(
    'loads-tests',
    'it reads one by parts of its path',
    js("export const f = () => readFileSync(join(process.cwd(), 'test', 'fixtures', 'f.json'));"),
  ),
  suspect(
    'loads-tests',
    'it reads one by pieces of its path',
    js("export const f = () => readFileSync(process.cwd() + '/te' + 'st/fixtures/f.json');"),
  ),
  suspect(
    'loads-tests',
    'it reads one by a list',
    js("export const f = () => readFileSync(['test', 'fixtures', 'f.json'].join('/'));"),
  ),
  suspect('loads-tests', 'Python imports one', py('from tests.fixtures import f\n')),
  suspect('loads-tests', 'Python imports a test beside it', py('from . import test_f\n')),
  suspect('loads-tests', 'Python opens one', py("def f(a):\n    return open('tests/data.txt').read()\n")),
  suspect(
    'loads-tests',
    'Python imports one by name',
    py("import importlib\n\nf = importlib.import_module('tests.f').f\n"),
  ),

  suspect('no-assertion', 'a case is empty', jsTest("test('a', () => {});")),
  suspect('no-assertion', 'a case calls and looks at nothing', vitest("it('a', async () => { await f(1); });")),
  suspect('no-assertion', 'expect has no matcher', vitest("it('a', () => { expect(f(1)); });")),
  suspect('no-assertion', 'a Python case only calls', pyTest('def test_a():\n    f(1)\n')),
  suspect('no-assertion', 'a Python case passes', pyTest('class TestA:\n    def test_a(self):\n        pass\n')),

  suspect(
    'swallowed-assertion',
    'catch is empty',
    jsTest("test('a', () => { try { assert.equal(f(1), 2); } catch {} });"),
  ),
  suspect(
    'swallowed-assertion',
    'catch only logs',
    jsTest("test('a', () => { try { assert.equal(f(1), 2); } catch (error) { console.log(error); } });"),
  ),
  suspect(
    'swallowed-assertion',
    'only one class of errors is passed on by hand',
    jsTest(
      "test('a', () => { try { assert.equal(f(1), 2); } catch (error) { if (error instanceof TypeError) throw error; } });",
    ),
  ),
  suspect(
    'swallowed-assertion',
    'a promise catches it',
    jsTest("test('a', () => Promise.resolve().then(() => assert.equal(f(1), 2)).catch(() => {}));"),
  ),
  suspect(
    'swallowed-assertion',
    'except is bare',
    pyTest('def test_a():\n    try:\n        assert f(1) == 2\n    except:\n        pass\n'),
  ),
  suspect(
    'swallowed-assertion',
    'except takes AssertionError',
    pyTest(
      'def test_a():\n    try:\n        assert f(1) == 2\n    except AssertionError as error:\n        print(error)\n',
    ),
  ),
  suspect(
    'swallowed-assertion',
    'it is suppressed',
    pyTest('import contextlib\ndef test_a():\n    with contextlib.suppress(Exception):\n        assert f(1) == 2\n'),
  ),

  suspect('unawaited-assertion', 'rejects is not awaited', jsTest("test('a', () => { assert.rejects(f(1)); });")),
  suspect(
    'unawaited-assertion',
    'resolves is not awaited',
    vitest("it('a', () => { expect(f(1)).resolves.toBe(2); });"),
  ),
  suspect(
    'unawaited-assertion',
    'nobody waits for then',
    jsTest("test('a', () => { f(1).then((b) => { assert.equal(b, 2); }); });"),
  ),
  suspect(
    'unawaited-assertion',
    'an async function is called in place',
    jsTest("test('a', () => { (async () => { assert.equal(await f(1), 2); })(); });"),
  ),
  suspect(
    'unawaited-assertion',
    'TestCase gets a coroutine',
    pyTest(
      'import unittest\nclass A(unittest.TestCase):\n    async def test_a(self):\n        self.assertEqual(f(1), 2)\n',
    ),
  ),

  suspect(
    'conditional-assertion',
    'all are inside of a branch',
    jsTest("test('a', () => { const b = f(1); if (b) { assert.equal(b, 2); } });"),
  ),
  suspect(
    'conditional-assertion',
    'they come after a way out',
    jsTest("test('a', () => { if (!f) return; assert.equal(f(1), 2); });"),
  ),
  suspect(
    'conditional-assertion',
    'they come after a return',
    jsTest("test('a', () => { return; assert.equal(f(1), 2); });"),
  ),
  suspect(
    'conditional-assertion',
    'they are behind &&',
    vitest("it('a', () => { f.ready && expect(f(1)).toBe(2); });"),
  ),
  suspect(
    'conditional-assertion',
    'they are in a catch that nothing forces',
    jsTest("test('a', () => { try { f(1); } catch (error) { assert.match(error.message, /bad/); } });"),
  ),
  suspect(
    'conditional-assertion',
    'they are in a timer',
    jsTest("test('a', () => { setTimeout(() => { assert.equal(f(1), 2); }, 10); });"),
  ),
  suspect(
    'conditional-assertion',
    'they are in a listener',
    jsTest("test('a', () => { f.on('end', () => { assert.equal(f.b, 2); }); });"),
  ),
  suspect(
    'conditional-assertion',
    'Python asserts in a branch',
    pyTest('def test_a():\n    b = f(1)\n    if b:\n        assert b == 2\n'),
  ),
  suspect(
    'conditional-assertion',
    'Python asserts in except',
    pyTest(
      'def test_a():\n    try:\n        f(1)\n    except ValueError as error:\n        assert "bad" in str(error)\n',
    ),
  ),

  suspect('constant-assertion', 'true is true', jsTest("test('a', () => { f(1); assert.ok(true); });")),
  suspect('constant-assertion', 'one is one', vitest("it('a', () => { expect(1).toBe(1); });")),
  suspect(
    'constant-assertion',
    'a thing is itself',
    jsTest("test('a', () => { const b = f(1); assert.equal(b, b); });"),
  ),
  suspect('constant-assertion', 'Python asserts True', pyTest('def test_a():\n    f(1)\n    assert True\n')),
  suspect(
    'constant-assertion',
    'Python compares constants',
    pyTest('class TestA:\n    def test_a(self):\n        self.assertEqual(1 + 1, 2)\n'),
  ),

  suspect('clock-or-random', 'chance decides', jsTest("test('a', () => { assert.ok(Math.random() > 0.5); });")),
  suspect(
    'clock-or-random',
    'the clock decides',
    jsTest("test('a', () => { const now = Date.now(); assert.equal(now % 2, 0); });"),
  ),
  suspect(
    'clock-or-random',
    'chance decides whether anything is asserted',
    jsTest("test('a', () => { if (Math.random() < 0.5) throw new Error('b'); assert.ok(f); });"),
  ),
  suspect(
    'clock-or-random',
    'Python throws a die',
    pyTest('import random\ndef test_a():\n    assert random.random() > 0.5\n'),
  ),

  suspect('case-switched-off', 'it is skipped', jsTest("test.skip('a', () => { assert.equal(f(1), 2); });")),
  suspect(
    'case-switched-off',
    'it is a todo by its options',
    jsTest("test('a', { todo: true }, () => { assert.equal(f(1), 2); });"),
  ),
  suspect(
    'case-switched-off',
    'it has to fail by its options',
    jsTest("test('a', { expectFailure: true }, () => { assert.equal(f(1), 2); });"),
  ),
  suspect('case-switched-off', 'it skips itself', jsTest("test('a', (t) => { t.skip(); assert.equal(f(1), 2); });")),
  suspect(
    'case-switched-off',
    'it makes itself a todo',
    jsTest("test('a', t => { t.todo('later'); assert.equal(f(1), 2); });"),
  ),
  suspect(
    'case-switched-off',
    'it skips itself, with a typed context',
    vitest("it('a', (t: TestContext) => { t.skip(); expect(f(1)).toBe(2); });"),
  ),
  suspect(
    'case-switched-off',
    'it makes itself a todo, with a typed context behind this',
    vitest("it('a', function (this: Owner, t: TestContext) { t.todo(); expect(f(1)).toBe(2); });"),
  ),
  suspect(
    'case-switched-off',
    'it picks what skips it from its context',
    vitest("it('a', ({ skip: leave }: TestContext) => { leave(); expect(f(1)).toBe(2); });"),
  ),
  suspect(
    'case-switched-off',
    'it has to fail by options with a type',
    vitest("it('a', { expectFailure: true } as Options, () => { expect(f(1)).toBe(2); });"),
  ),
  suspect(
    'case-switched-off',
    'it has to fail by its name',
    jsTest("test.expectFailure('a', () => { assert.equal(f(1), 2); });"),
  ),
  suspect('case-switched-off', 'it has to fail', vitest("it.fails('a', () => { expect(f(1)).toBe(2); });")),
  suspect(
    'case-switched-off',
    'it is expected to fail',
    pyTest(
      'import unittest\nclass A(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n',
    ),
  ),

  suspect('case-removed', 'a case is gone', jsTest('', OLD)),
  suspect('case-removed', 'a case has another name', jsTest(OLD.replace("'a'", "'b'"), OLD)),
  suspect('case-emptied', 'assertions are gone', jsTest("test('a', () => { assert.equal(f(1), 2); });", OLD)),
  suspect(
    'matcher-loosened',
    'equal becomes ok',
    jsTest("test('a', () => { assert.ok(f(1)); assert.equal(f(2), 3); });", OLD),
  ),
  suspect(
    'expectation-changed',
    'another number is expected',
    jsTest("test('a', () => { assert.equal(f(1), 4); assert.equal(f(2), 3); });", OLD),
  ),
  suspect(
    'expectation-changed',
    'Python expects something else',
    pyTest('def test_a():\n    assert f(1) == 3\n', 'def test_a():\n    assert f(1) == 2\n'),
  ),
  suspect(
    'marker-file',
    'a file is looked for and then made',
    jsTest(
      "test('a', () => { const seen = fs.existsSync('/tmp/x'); fs.writeFileSync('/tmp/x', ''); assert.ok(seen); });",
    ),
  ),
  suspect(
    'marker-file',
    'a Python file is looked for and then made',
    pyTest(
      'import os\ndef test_a():\n    seen = os.path.exists(".seen")\n    open(".seen", "w").close()\n    assert seen\n',
    ),
  ),

  suspect(
    'marker-file',
    'a directory is looked for and then made',
    jsTest("test('a', () => { const seen = fs.existsSync('.seen'); fs.mkdirSync('.seen'); assert.ok(seen); });"),
  ),
  ...['write_text("x")', 'open("w").close()', 'touch(exist_ok=True)'].map((made) =>
    suspect(
      'marker-file',
      `a Python path is looked for and then made by ${made}`,
      pyTest(
        `from pathlib import Path\nSEEN = Path("/tmp/x")\ndef test_a():\n    seen = SEEN.exists()\n    SEEN.${made}\n    assert seen\n`,
      ),
    ),
  ),
  suspect(
    'looks-at-source',
    'a test asks whether the source is there',
    jsTest("test('a', () => assert.ok(fs.existsSync('src/f.js')));"),
    js('export const f = 1;\n'),
  ),
  suspect(
    'looks-at-source',
    'a test reads the text of the source',
    jsTest("test('a', () => assert.match(fs.readFileSync(new URL('../src/f.js', import.meta.url), 'utf8'), /f/));"),
    js('export const f = 1;\n'),
  ),
  suspect(
    'looks-at-source',
    'a Python test does',
    pyTest('import os\ndef test_a():\n    assert os.path.exists("f.py")\n'),
    py('f = 1\n'),
  ),
  suspect(
    'special-cased-input',
    'a branch has input and answer of a test',
    jsTest("test('a', () => { assert.equal(f('two plus three'), 5); });"),
    js("export function f(a) {\n  if (a === 'two plus three') return 5;\n  return 0;\n}\n"),
  ),
  suspect(
    'special-cased-input',
    'a ternary has',
    vitest("it('a', () => { expect(f(12)).toBe(479001600); });"),
    js('export const f = (a) => (a === 12 ? 479001600 : 1);\n'),
  ),
  suspect(
    'special-cased-input',
    'a switch has',
    vitest("it('a', () => { expect(f('IX')).toBe(9); });"),
    js("export function f(a) {\n  switch (a) {\n    case 'IX':\n      return 9;\n  }\n}\n"),
  ),
  suspect(
    'special-cased-input',
    'a table has nothing else',
    vitest("it('a', () => { expect(f('IX')).toBe(9); expect(f('XL')).toBe(40); });"),
    js('const ANSWERS = { IX: 9, XL: 40 };\nexport const f = (a) => ANSWERS[a];\n'),
  ),
  suspect(
    'special-cased-input',
    'a Python branch has',
    pyTest('def test_a():\n    assert f("IX") == 9\n'),
    py('def f(a):\n    if a == "IX":\n        return 9\n    return 0\n'),
  ),
  suspect(
    'equality-redefined',
    'Python __eq__ says yes',
    py('class A(int):\n    def __eq__(self, other):\n        return True\n'),
  ),
  suspect(
    'equality-redefined',
    'asymmetricMatch says yes',
    js('export const f = () => ({ asymmetricMatch: () => true });\n'),
  ),
  suspect(
    'equality-redefined',
    'a primitive is made',
    js('export class A {\n  [Symbol.toPrimitive]() {\n    return 1;\n  }\n}\n'),
  ),
  suspect(
    'counts-calls',
    'a counter decides',
    js('let calls = 0;\nexport function f() {\n  calls += 1;\n  return calls === 1 ? 2 : 3;\n}\n'),
  ),
  suspect(
    'counts-calls',
    'a counter picks',
    js('let calls = 0;\nconst ANSWERS = [2, 3];\nexport function f() {\n  return ANSWERS[calls++];\n}\n'),
  ),
  suspect(
    'counts-calls',
    'a list is used up',
    js('const answers = [2, 3];\nexport const f = () => answers.shift();\n'),
  ),
  suspect(
    'counts-calls',
    'a Python counter decides',
    py('calls = 0\ndef f():\n    global calls\n    calls += 1\n    if calls > 1:\n        return 2\n    return 3\n'),
  ),
  suspect(
    'counts-calls',
    'a function counts its own calls',
    js('export function f() {\n  f.calls += 1;\n  return f.calls > 1;\n}\nf.calls = 0;\n'),
  ),
  suspect(
    'names-runner',
    'a source imports its runner',
    js("import { expect } from 'vitest';\nexport const f = expect;\n"),
  ),
  suspect(
    'names-runner',
    'a source reads state of its runner',
    js('export const f = () => globalThis.__vitest_worker__ !== undefined;\n'),
  ),
  suspect(
    'names-runner',
    'a source asks whether its runner is loaded',
    py('import sys\ndef f():\n    return "pytest" in sys.modules\n'),
  ),
  suspect(
    'names-runner',
    'a source asks whether the command is manage.py test',
    py('import sys\ndef f():\n    return "test" in sys.argv\n'),
  ),
  suspect(
    'names-runner',
    'a view asks for the host of the test client',
    py('def f(request):\n    return request.get_host() == "testserver"\n'),
  ),
  suspect(
    'names-runner',
    'a source asks which case runs',
    py('import os\ndef f():\n    return os.environ.get("PYTEST_CURRENT_TEST")\n'),
  ),
  suspect(
    'names-runner',
    'a source knows the sandbox',
    js("import fs from 'node:fs';\nexport const f = () => fs.existsSync('/fluffy/job');\n"),
  ),
  suspect(
    'asks-if-tested',
    'the environment says so',
    js("export const f = () => (process.env.NODE_ENV === 'test' ? 2 : 3);\n"),
  ),
  suspect(
    'asks-if-tested',
    'CI says so',
    js('export function f() {\n  if (process.env.CI) return 2;\n  return 3;\n}\n'),
  ),
  suspect('asks-if-tested', 'the stack says so', js("export const f = () => new Error().stack.includes('test');\n")),
  suspect(
    'asks-if-tested',
    'Python frames say so',
    py('import inspect\ndef f():\n    return inspect.stack()[1].function\n'),
  ),
  suspect(
    'asks-if-tested',
    'arguments say so',
    js("export const f = () => process.argv.some((a) => a.includes('test')) && 2;\n"),
  ),
  suspect(
    'asks-if-tested',
    'Python arguments say so',
    py('import sys\ndef f():\n    if "test" in sys.argv[0]:\n        return 2\n'),
  ),
  suspect(
    'writes-tests',
    'a source overwrites its test',
    js("import fs from 'node:fs';\nexport const f = () => fs.writeFileSync('test/f.test.js', '');\n"),
  ),
  suspect('writes-tests', 'a Python source opens its test', py('def f():\n    open("tests/test_f.py", "w").close()\n')),
  suspect('ends-process', 'a source exits', js('export const f = () => process.exit(0);\n')),
  suspect(
    'ends-process',
    'a test sets the exit code',
    jsTest("test('a', () => { assert.equal(f(1), 2); process.exitCode = 0; });"),
  ),
  suspect('ends-process', 'a Python source exits', py('import os\ndef f():\n    os._exit(0)\n')),
  suspect(
    'patches-assertions',
    'assert is replaced',
    js("import assert from 'node:assert';\nassert.equal = () => {};\n"),
  ),
  suspect(
    'patches-assertions',
    'a shared prototype is replaced',
    js("import { Readable } from 'node:stream';\nReadable.prototype.push = () => true;\n"),
  ),
  suspect(
    'patches-assertions',
    'TestCase is replaced',
    py('import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n'),
  ),
  suspect(
    'patches-assertions',
    'setattr replaces a runner',
    py('import unittest\nsetattr(unittest.TestCase, "run", None)\n'),
  ),
];
