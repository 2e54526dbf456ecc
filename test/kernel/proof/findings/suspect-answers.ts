import { js, jsTest, py, pyTest, suspect } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';

const TEST = jsTest("test('a', () => { assert.equal(f(6), 42); assert.equal(f(3), 12); });");
const PY_TEST = pyTest('from f import f\n\ndef test_a():\n    assert f(6) == 42\n    assert f(3) == 12\n');
const special = (what: string, source: string): Suspect => suspect('special-cased-input', what, TEST, js(source));
const pySpecial = (what: string, source: string): Suspect => suspect('special-cased-input', what, PY_TEST, py(source));
const counts = (what: string, source: string): Suspect => suspect('counts-calls', what, TEST, js(source));
const pyCounts = (what: string, source: string): Suspect => suspect('counts-calls', what, PY_TEST, py(source));
const equal = (what: string, source: string): Suspect => suspect('equality-redefined', what, TEST, js(source));

/** Sources that answer for exactly their tests, and tests that nothing can fail. */
export const SUSPECT_ANSWERS: readonly Suspect[] = [
  special('answers are at the place of their input', 'export const f = (a) => [0, 0, 0, 12, 0, 0, 42][a];\n'),
  special('answers are in a list with holes', 'const known = [, , , 12, , , 42];\nexport const f = (a) => known[a];\n'),
  special('an answer is put at its place', 'const known = [];\nknown[6] = 42;\nexport const f = (a) => known[a];\n'),
  special(
    'an answer is set for its key',
    "const known = new Map([['none', 5]]);\nknown.set(6, 42);\nexport const f = (a) => known.get(a);\n",
  ),
  pySpecial(
    'answers are at the place of their input',
    'ANSWERS = [0, 0, 0, 12, 0, 0, 42]\n\ndef f(a):\n    return ANSWERS[a]\n',
  ),
  pySpecial(
    'an answer is put at its key',
    'ANSWERS = {"none": 5}\nANSWERS[6] = 42\n\ndef f(a):\n    return ANSWERS[a]\n',
  ),
  special('bounds leave one input', 'export const f = (a) => {\n  if (a > 5 && a < 7) return 42;\n  return 12;\n};\n'),
  special('bounds are the input', 'export const f = (a) => (6 <= a && a <= 6 ? 42 : 12);\n'),
  pySpecial('bounds leave one input', 'def f(a):\n    if 5 < a < 7:\n        return 42\n    return 12\n'),
  pySpecial('a range has one input', 'def f(a):\n    return 42 if a in range(6, 7) else 12\n'),

  counts(
    'a flag flips',
    'let first = true;\nexport function f() {\n  if (first) {\n    first = false;\n    return 42;\n  }\n  return 12;\n}\n',
  ),
  counts('a flag chooses', 'let on = false;\nexport const f = () => {\n  on = !on;\n  return on ? 42 : 12;\n};\n'),
  counts('a flag is the answer', 'let even = false;\nexport const f = () => (even = !even);\n'),
  counts(
    'a flag of a factory that the module calls is the answer',
    'const make = () => {\n  let even = false;\n  return () => (even = !even);\n};\nexport const f = make();\n',
  ),
  counts(
    'a flag of a factory is the answer to every input',
    'export const make = () => {\n  let even = false;\n  return (a) => (even = !even);\n};\n',
  ),
  counts(
    'a set has the size of the calls',
    'const seen = new Set();\nexport const f = () => {\n  seen.add(seen.size);\n  return seen.size === 1 ? 42 : 12;\n};\n',
  ),
  counts(
    'a list is as long as the calls',
    'const calls = [];\nexport const f = (a) => {\n  calls.push(a);\n  return [42, 12][calls.length - 1];\n};\n',
  ),
  counts(
    'the next number of another module is the index',
    "import { numbers } from './numbers.js';\n\nexport const f = () => [42, 12][numbers.next().value];\n",
  ),
  pyCounts(
    'the next number is the index',
    'import itertools\n\nNUMBERS = itertools.count()\n\ndef f(a):\n    return [42, 12][next(NUMBERS)]\n',
  ),
  pyCounts(
    'a flag flips',
    'first = True\n\ndef f(a):\n    global first\n    if first:\n        first = False\n        return 42\n    return 12\n',
  ),
  pyCounts(
    'a list is as long as the calls',
    'CALLS = []\n\ndef f(a):\n    CALLS.append(a)\n    return 42 if len(CALLS) == 1 else 12\n',
  ),
  pyCounts(
    'what was seen decides',
    'SEEN = set()\n\ndef f(a):\n    if "one" in SEEN:\n        return 12\n    SEEN.add("one")\n    return 42\n',
  ),

  equal(
    'an object is the text of the answer',
    "export const f = () => ({ toString: () => '42' });\n".replace("'42'", '42'),
  ),
  equal(
    'an object is the JSON of the answer',
    'class A {\n  toJSON() {\n    return 42;\n  }\n}\nexport const f = () => new A();\n',
  ),
  equal('a proxy answers everything', 'export const f = () => new Proxy({}, { get: () => () => 42 });\n'),
  equal(
    'a proxy of a named handler answers what is expected',
    "const handler = { get: (target, name) => (name === 'value' ? 42 : target[name]) };\nexport const f = () => new Proxy({}, handler);\n",
  ),
  suspect(
    'equality-redefined',
    'a Python object shows itself as the answer',
    PY_TEST,
    py('class A:\n    def __int__(self):\n        return 42\n\ndef f(a):\n    return A()\n'),
  ),

  suspect(
    'always-true',
    'maps are compared as JSON',
    jsTest("test('a', () => { assert.equal(JSON.stringify(f(6)), JSON.stringify(new Map([[6, 42]]))); });"),
  ),
  suspect(
    'always-true',
    'a set in a variable is compared as JSON',
    jsTest(
      "test('a', () => { const wanted = new Set([42]); assert.equal(JSON.stringify(f(6)), JSON.stringify(wanted)); });",
    ),
  ),
  suspect('always-true', 'a generator is asserted', pyTest('def test_a():\n    assert (f(a) == 42 for a in [6])\n')),
  suspect('always-true', 'a lambda is asserted', pyTest('def test_a():\n    assert lambda: f(6) == 42\n')),
  suspect('always-true', 'a tuple is asserted', pyTest('def test_a():\n    assert (f(6) == 42, "it is 42")\n')),
  suspect('always-true', 'an iterator is asserted', pyTest('def test_a():\n    assert filter(f, [6])\n')),
  suspect(
    'always-true',
    'a coroutine is asserted',
    pyTest('from f import f\n\ndef test_a():\n    assert f(6)\n'),
    py('async def f(a):\n    return False\n'),
  ),
  suspect(
    'always-true',
    'a promise is asserted',
    jsTest("test('a', () => { assert.ok(f(6)); });"),
    js('export const f = async (a) => false;\n'),
  ),
  suspect('always-true', 'a function is asserted', jsTest("test('a', () => { assert(() => f(6) === 42); });")),

  suspect('empty-table', 'each of nothing', jsTest("test.each([])('a %i', (a) => { assert.equal(f(a), 42); });")),
  suspect(
    'no-assertion',
    'a table in a tagged template, and nothing asserted',
    jsTest("test.each`a | b\n${1} | ${2}`('$a', ({ a, b }) => { f(a); });"),
  ),
  suspect(
    'empty-table',
    'each of a list that is empty',
    jsTest("const cases = [];\ntest.each(cases)('a %i', (a) => { assert.equal(f(a), 42); });"),
  ),
  suspect('empty-table', 'a loop over nothing', jsTest("for (const a of []) test('a', () => assert.equal(f(a), 42));")),
  suspect(
    'empty-table',
    'parameters are empty',
    pyTest('import pytest\n@pytest.mark.parametrize("a", [])\ndef test_a(a):\n    assert f(a) == 42\n'),
  ),
  suspect(
    'empty-table',
    'parameters have a name and are empty',
    pyTest('import pytest\nCASES = []\n@pytest.mark.parametrize("a", CASES)\ndef test_a(a):\n    assert f(a) == 42\n'),
  ),
  suspect(
    'empty-table',
    'Python loops over nothing',
    pyTest('def test_a():\n    for a in []:\n        assert f(a) == 42\n'),
  ),
];
