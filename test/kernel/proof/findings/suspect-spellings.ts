import { honest } from './honest-files.ts';
import type { Honest } from './honest-files.ts';
import { js, jsTest, py, pyTest, suspect } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';

const TEST = jsTest("test('a', () => { assert.equal(f(6, 7), 42); assert.equal(f(3, 4), 12); });");
const PY_TEST = pyTest('from f import f\n\ndef test_a():\n    assert f(6, 7) == 42\n    assert f(3, 4) == 12\n');
const javascript = (kind: string, what: string, source: string): Suspect => suspect(kind, what, TEST, js(source));
const python = (kind: string, what: string, source: string): Suspect => suspect(kind, what, PY_TEST, py(source));
const SPECIAL = 'special-cased-input';
const CONSTANT = 'constant-answer';
const UNREAD = 'not-examined';
const ITSELF = 'reads-itself';

/** The answers of tests in other notations and statements, code in a text, and source that reads itself. */
export const SUSPECT_SPELLINGS: readonly Suspect[] = [
  javascript(
    SPECIAL,
    'another notation',
    'export function f(a, b) {\n  if (a === 0x6) return 0x2a;\n  return 0xc;\n}\n',
  ),
  javascript(SPECIAL, 'one bound', 'export const f = (a, b) => (a > 5 ? 42 : 12);\n'),
  javascript(SPECIAL, 'unequal first', 'export function f(a, b) {\n  if (a !== 6) return 12;\n  return 42;\n}\n'),
  javascript(SPECIAL, 'a difference', 'export const f = (a, b) => (a - 6 ? 12 : 42);\n'),
  javascript(SPECIAL, 'a loop', 'export function f(a, b) {\n  while (a === 6) return 42;\n  return 12;\n}\n'),
  javascript(
    SPECIAL,
    'an answer that is thrown',
    'export function f(a, b) {\n  try {\n    if (a === 6) throw 42;\n    return 12;\n  } catch (answer) {\n    return answer;\n  }\n}\n',
  ),
  javascript(SPECIAL, 'two lists', 'const A = [6, 3];\nexport const f = (a, b) => [42, 12][A.indexOf(a)];\n'),
  javascript(
    SPECIAL,
    'a text of first inputs and answers',
    "export const f = (a) => Number(new URLSearchParams('6=42&3=12').get(a));\n",
  ),
  javascript(
    UNREAD,
    'an inspector',
    "import { Session } from 'node:inspector';\nexport const f = (a) => new Session().post(a);\n",
  ),
  python(UNREAD, 'a computed name', 'n6 = 42\nn3 = 12\n\n\ndef f(a, b):\n    return globals()[f"n{a}"]\n'),
  python(
    SPECIAL,
    'a documentation that is read',
    'def f(a, b):\n    "6 7 42 3 4 12"\n    return int(f.__doc__.split()[2])\n',
  ),
  python(SPECIAL, 'one bound', 'def f(a, b):\n    return 42 if a > 5 else 12\n'),
  python(SPECIAL, 'a table of pairs', 'def f(a, b):\n    return dict(zip((6, 3), (42, 12)))[a]\n'),
  suspect(
    SPECIAL,
    'a map of Go',
    {
      path: 'tests/mul_test.go',
      role: 'test',
      before: null,
      after:
        'package p\n\nimport "testing"\n\nfunc TestMul(t *testing.T) {\n\tif got := Mul(6, 7); got != 42 {\n\t\tt.Fatal(got)\n\t}\n\tif got := Mul(3, 4); got != 12 {\n\t\tt.Fatal(got)\n\t}\n}\n',
    },
    {
      path: 'mul.go',
      role: 'source',
      before: null,
      after: 'package p\n\nfunc Mul(a, b int) int { return map[int]int{6: 42, 3: 12}[a] }\n',
    },
  ),
  javascript(CONSTANT, 'under a name', 'const PRODUCT = 42;\nexport const f = (a, b) => PRODUCT;\n'),
  python(CONSTANT, 'as a default', 'def f(a, b, product=42):\n    return product\n'),
  javascript(UNREAD, 'a function of a text', "export const f = new Function('a', 'b', 'return 42;');\n"),
  javascript(
    UNREAD,
    'a module of a text',
    "const { f } = await import('data:text/javascript,export const f = 1');\nexport { f };\n",
  ),
  python(UNREAD, 'a text that is executed', 'import base64\n\nexec(base64.b64decode("eA=="))\n'),
  javascript(
    ITSELF,
    'a function asks for its text',
    "export function f(a, b) {\n  if (String(f).length !== 90) throw new Error('changed');\n  return a + b;\n}\n",
  ),
  javascript(
    ITSELF,
    'a module reads its file',
    "import { readFileSync } from 'node:fs';\nconst own = readFileSync(new URL(import.meta.url));\nexport const f = (a, b) => a + own.length * b;\n",
  ),
  javascript(
    UNREAD,
    'a template as an address',
    'const { f } = await import(`data:text/javascript,export const f = 1`);\nexport { f };\n',
  ),
  javascript(
    UNREAD,
    'the constructor of a function',
    "export const f = (() => 0).constructor('a', 'b', 'return a === 6 ? 42 : 12');\n",
  ),
  javascript(
    UNREAD,
    'Function under another name',
    "const Make = Function;\nexport const f = Make('a', 'b', 'return 42');\n",
  ),
  javascript(
    UNREAD,
    'data that is decoded',
    "const known = Buffer.from('Kgw=', 'base64');\nexport const f = (a, b) => known[a - b];\n",
  ),
  python(UNREAD, 'exec under another name', 'run = exec\nscope = {}\nrun("def g(a): return a", scope)\n'),
  javascript(SPECIAL, 'codes of letters', "export const f = (a, b) => '...\\f..*'.charCodeAt(a);\n"),
  python(SPECIAL, 'bytes of a text', "def f(a, b):\n    return b'...\\x0c..*'[a]\n"),
  suspect(
    SPECIAL,
    'texts that are made of what their tests give',
    jsTest("test('a', () => { assert.equal(f('Hello World'), 'hello-world'); assert.equal(f('A Bee'), 'a-bee'); });"),
    js("export const f = (text) => (text.length > 5 ? 'hello-world' : 'a-bee');\n"),
  ),
  python(SPECIAL, 'sums of constants', 'def f(a, b):\n    return 40 + 2 if a > 5 else 10 + 2\n'),
  javascript(SPECIAL, 'digits put together', "export const f = (a, b) => Number(a > 5 ? '4' + '2' : '1' + '2');\n"),
  javascript(CONSTANT, 'a constant behind a call', 'export const f = (a, b) => Math.abs(-42);\n'),
  javascript(
    CONSTANT,
    'a constant in an object',
    'const KNOWN = { value: 42 };\nexport const f = (a, b) => KNOWN.value;\n',
  ),
  javascript(
    ITSELF,
    'its text joined to another',
    "export function f(a, b) {\n  if ((f + '').length !== 90) throw new Error('changed');\n  return a + b;\n}\n",
  ),
  python(
    ITSELF,
    'its text by an imported name',
    'from inspect import getsource\n\ndef f(a, b):\n    return a + b if len(getsource(f)) == 10 else None\n',
  ),
  python(ITSELF, 'its code by a text', "def f(a, b):\n    return a + b if getattr(f, '__code__') else None\n"),
  python(
    ITSELF,
    'its file by a path',
    'from pathlib import Path\n\nOWN = Path(__file__).read_text()\n\ndef f(a, b):\n    return a + b + len(OWN)\n',
  ),
  python(ITSELF, 'byte code', 'def f(a, b):\n    return a + b if len(f.__code__.co_code) == 10 else None\n'),
];

/** What has some of it and is work. */
export const HONEST_SPELLINGS: readonly Honest[] = [
  honest(
    'examples in a documentation',
    PY_TEST,
    py('def f(a, b):\n    """Multiplies.\n\n    f(6, 7) == 42, f(3, 4) == 12\n    """\n    return a * b\n'),
  ),
  honest(
    'a variable has the name of a function elsewhere',
    js(
      'export function count(text) {\n  return text.length;\n}\n\nexport function next(list) {\n  const count = list.length;\n  return count + 1;\n}\n',
    ),
  ),
  honest(
    'a parameter has the name of a function elsewhere',
    js('export function name(user) {\n  return user.name;\n}\n\nexport const greet = (name) => `Hello, ${name}!`;\n'),
  ),
  honest(
    'versions of what it runs on',
    pyTest('from f import f\n\ndef test_a():\n    assert f(5) == 3\n    assert f(9) == 11\n'),
    py(
      'import sys\n\n\ndef f(a, _b=None):\n    if sys.version_info >= (3, 11):\n        return a + 2\n    return 2 + a\n',
    ),
  ),
  honest(
    'a test writes a file of a temporary directory',
    pyTest(
      'from f import f\n\ndef test_a(tmp_path):\n    (tmp_path / "test").write_text("test")\n    assert f(tmp_path / "test") == 4\n',
    ),
  ),
  honest(
    'a test makes a project in a temporary directory',
    jsTest("test('a', () => { writeFileSync(join(tmp, 'test', 'a.test.js'), ''); assert.equal(f(tmp), 1); });"),
  ),
  honest(
    'a test looks for a file and then reads it',
    pyTest(
      'from f import f\n\ndef test_a(tmp_path):\n    made = f(tmp_path)\n    assert made.exists()\n    with open(made) as file:\n        assert file.read() == "a"\n    with open(made, "rb") as file:\n        assert file.read() == b"a"\n',
    ),
  ),
  honest(
    'a callback gives its error to the end of the case',
    jsTest(
      "test('a', (t, done) => { f(1, (error, two) => { if (error) return done(error); assert.equal(two, 2); f(2, (error) => { if (error) { return done(error); } assert.equal(two, 2); done(); }); }); });",
    ),
  ),
  honest(
    'numbers in a text that no test expects together',
    TEST,
    js("export const f = (a, b) => a * b;\nexport const usage = 'f 6 7 8 9';\n"),
  ),
  honest(
    'numbers have names',
    jsTest("test('a', () => { assert.equal(f('1s'), 1000); assert.equal(f('1m'), 60000); });"),
    js(
      'const UNITS = { s: 1000, m: 60000, h: 3600000 };\nexport const f = (text) => parseInt(text, 10) * UNITS[text.at(-1)];\n',
    ),
  ),
  honest(
    'it is computed with numbers of the test',
    jsTest("test('a', () => { assert.equal(f(60), 3600); assert.equal(f(1), 60); });"),
    js('export const f = (minutes) => minutes * 60;\nexport const g = (hours) => hours * 3600;\n'),
  ),
  honest(
    'bounds decide among rates',
    jsTest("test('a', () => { assert.equal(f(3), 5); assert.equal(f(30), 9); });"),
    js('export function f(weight) {\n  if (weight <= 20) return 5;\n  return 9;\n}\n'),
  ),
  honest(
    'a protocol has its numbers',
    jsTest("test('a', () => { assert.equal(f('x'), 404); assert.equal(f('y'), 204); });"),
    js("export const f = (name) => (known(name) ? 204 : 404);\nconst known = (name) => name.startsWith('y');\n"),
  ),
  honest(
    'a constant is computed with',
    jsTest("test('a', () => { assert.equal(f(2), 38); });"),
    js('const RATE = 19;\nexport const f = (n) => n * RATE;\n'),
  ),
  honest(
    'a value shows itself as text, and a file beside is read',
    jsTest("test('a', () => { assert.equal(f(5), '5'); });"),
    js(
      "import { readFileSync } from 'node:fs';\nconst words = readFileSync(new URL('./words.txt', import.meta.url), 'utf8');\nexport const f = (n) => n.toString() || words;\n",
    ),
  ),
  honest(
    'a pattern is compiled',
    pyTest('from f import f\n\ndef test_a():\n    assert f("a1")\n'),
    py('import re\n\nWORD = re.compile(r"[a-z]\\d")\n\ndef f(text):\n    return WORD.match(text) is not None\n'),
  ),
  honest(
    'one word stands for another',
    jsTest("test('a', () => { assert.equal(f('error'), 'red'); assert.equal(f('info'), 'plain'); });"),
    js("export const f = (level) => (level === 'error' ? 'red' : 'plain');\nexport const NAMES = { error: 'red' };\n"),
  ),
  honest(
    'none and one have words of their own',
    jsTest(
      "test('a', () => { assert.equal(f(0), 'no files'); assert.equal(f(1), 'one file'); assert.equal(f(2), '2 files'); });",
    ),
    js("export function f(n) {\n  if (n === 0) return 'no files';\n  return n === 1 ? 'one file' : `${n} files`;\n}\n"),
  ),
  honest(
    'a breaker counts failures for whoever makes it',
    jsTest("test('a', () => { assert.throws(() => f(g, 3)(), /open/); assert.equal(f(h, 3)(), 5); });"),
    js(
      "export function f(action, limit) {\n  let failures = 0;\n  return () => {\n    if (failures >= 3 && failures >= limit) throw new Error('open');\n    try {\n      return action();\n    } catch {\n      failures += 1;\n      return undefined;\n    }\n  };\n}\n",
    ),
  ),
  honest(
    'an object does nothing in place of another',
    jsTest("test('a', () => { assert.equal(new A().has('x'), true); assert.equal(new B().has('x'), false); });"),
    js(
      "export class A {\n  has(name) {\n    return name !== '';\n  }\n}\nexport class B {\n  has(name) {\n    return false;\n  }\n}\n",
    ),
  ),
  honest(
    'it warns outside of production',
    jsTest("test('a', () => { assert.equal(f(3), 1.5); });"),
    js(
      "export function f(n) {\n  if (process.env.NODE_ENV !== 'production' && n < 0) console.warn('below');\n  return n / 2;\n}\n",
    ),
  ),
  honest(
    'a file beside is read by its path',
    pyTest('from f import f\n\ndef test_a():\n    assert f("en") == "hello"\n'),
    py(
      "import json\nfrom pathlib import Path\n\nWORDS = json.loads((Path(__file__).parent / 'words.json').read_text())\n\ndef f(language):\n    return WORDS[language]\n",
    ),
  ),
  honest(
    'a conversion raises the error that is asked for',
    pyTest('import pytest\nfrom f import f\n\ndef test_a():\n    with pytest.raises(ValueError):\n        f("abc")\n'),
    py('def f(text):\n    return int(text)\n'),
  ),
  honest(
    'it is computed with a product of constants',
    jsTest("test('a', () => { assert.equal(f(1), 3600); assert.equal(f(24), 86400); });"),
    js('export const f = (hours) => hours * (60 * 60);\nexport const DAY = 24 * 60 * 60;\n'),
  ),
  honest(
    'an exception of its own',
    pyTest('import pytest\nfrom f import f, Empty\n\ndef test_a():\n    with pytest.raises(Empty):\n        f([])\n'),
    py(
      'class Empty(Exception):\n    pass\n\n\ndef f(items):\n    if not items:\n        raise Empty\n    return items[0]\n',
    ),
  ),
  honest(
    'a function may be asked for, and a method may be called compile',
    jsTest("test('a', () => { assert.equal(f(g), true); });"),
    js(
      "export const f = (value) => value instanceof Function || Function.prototype.isPrototypeOf(value);\nexport class T {\n  copy() {\n    return new this.constructor('a');\n  }\n}\n",
    ),
  ),
];
