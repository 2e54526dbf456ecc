import { describe, expect, it } from 'vitest';
import { whatElseThanAdded } from '../../../../src/kernel/proof/additions/only-adds.ts';
import { sourceText } from '../../../../src/kernel/proof/read-text.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** A file with a place for rows, and rows that are in it before and after. */
async function otherThanAdded(path: string, file: string, before: string, after: string): Promise<string[]> {
  const [old, now] = [
    await sourceText(parse, path, file.replaceAll('ROWS', before)),
    await sourceText(parse, path, file.replaceAll('ROWS', after)),
  ];
  if (!old || !now) throw new Error('no syntax');
  return whatElseThanAdded(old, now);
}

const EACH = "it.each([ROWS])('%i', (n, wanted) => { expect(f(n)).toBe(wanted); });\n";
const NAMED = `const rows = [ROWS];\nfor (const [n, wanted] of rows) test(\`\${n}\`, () => assert.equal(f(n), wanted));\n`;
const FOR_EACH = '[ROWS].forEach(([n, wanted]) => { it(`${n}`, () => expect(f(n)).toBe(wanted)); });\n';
const IN_CASE = "test('f', () => {\n  for (const [n, wanted] of [ROWS]) assert.equal(f(n), wanted);\n});\n";
const PARAMETERS = "@pytest.mark.parametrize('n, wanted', [ROWS])\ndef test_f(n, wanted):\n    assert f(n) == wanted\n";
const SUBTEST =
  'class T(TestCase):\n    def test_f(self):\n        for n, wanted in (ROWS):\n            with self.subTest(n=n):\n                self.assertEqual(f(n), wanted)\n';
const GO =
  'package p\n\nfunc TestF(t *testing.T) {\n\ttests := []struct{ n, want int }{ROWS}\n\tfor _, tt := range tests {\n\t\tif f(tt.n) != tt.want {\n\t\t\tt.Errorf("f(%d)", tt.n)\n\t\t}\n\t}\n}\n';
const RUST =
  '#[test]\nfn f_of() {\n    let rows = [ROWS];\n    for (n, wanted) in &rows {\n        assert_eq!(f(*n), *wanted);\n    }\n}\n';
const JAVA =
  'class FTest {\n  @ParameterizedTest @CsvSource({ROWS}) void f(int n, int wanted) { assertEquals(wanted, F.f(n)); }\n}\n';

describe('a row more in a table of cases is an addition', () => {
  it.each([
    ['each', 'a.test.js', EACH, '[1, 2]', '[0, 0], [1, 2], [3, 4],'],
    ['each, with a function', 'a.test.js', EACH, '[1, 2]', '[1, 2], [3, () => 4]'],
    ['each, with what old rows call', 'a.test.js', EACH, '[new Date(1), 2]', '[new Date(1), 2], [new Date(3), 4]'],
    ['a list with a name', 'a.test.ts', NAMED, '[1, 2]', '[1, 2],\n  [3, -4],\n'],
    ['a list of objects', 'a.test.js', FOR_EACH, '{ n: 1 }', '{ n: 1 }, { n: 3, wanted: null }'],
    ['a loop in a case', 'a.test.js', IN_CASE, '[1, 2]', '[1, 2], [3, 4]'],
    ['parametrize', 'test_a.py', PARAMETERS, '(1, 2)', "(1, 2), pytest.param(3, 4, id='three')"],
    ['subTest', 'test_a.py', SUBTEST, '(1, 2),', '(1, 2), (3, 4),'],
    ['a table of Go', 'a_test.go', GO, '{1, 2}', '{1, 2},\n\t\t{3, 4},\n\t'],
    ['a list of Rust', 'tests/a.rs', RUST, '(1, 2)', '(1, 2), (3, 4)'],
    ['an annotation of Java', 'FTest.java', JAVA, '"1, 2"', '"1, 2", "3, 4"'],
  ])('%s', async (_what, path, file, before, after) => {
    expect(await otherThanAdded(path, file, before, after)).toEqual([]);
  });
});

describe('a table is changed', () => {
  const PREPARES =
    "const rows = [ROWS];\nfor (const n of rows) known.add(n);\ntest('f', () => assert.ok(known.has(f(1))));\n";
  const LENGTH = `${NAMED}test('g', () => assert.equal(g(), rows.length));\n`;
  it.each([
    ['where a row is another one', 'a.test.js', EACH, '[1, 2]', '[1, 3], [3, 4]'],
    ['where a row is gone', 'a.test.js', EACH, '[1, 2], [3, 4]', '[3, 4], [5, 6]'],
    ['where a row has more in it', 'a.test.js', FOR_EACH, '{ n: 1 }', '{ n: 1, skip: true }'],
    ['where rows change places', 'a.test.js', EACH, '[1, 2], [3, 4]', '[3, 4], [1, 2], [5, 6]'],
    ['where a loop could end before the old rows', 'a.test.js', IN_CASE, '[1, 2]', '[3, 4], [1, 2]'],
    ['where a row calls something', 'a.test.js', EACH, '[1, 2]', '[1, 2], [3, patch()]'],
    ['where a row writes something', 'a.test.js', EACH, '[1, 2]', '[1, 2], [3, (globalThis.f = 4)]'],
    ['where a row takes others apart', 'a.test.js', EACH, '[1, 2]', '[1, 2], ...more'],
    [
      'where a row says how it is shown',
      'a.test.js',
      FOR_EACH,
      '{ n: 1 }',
      '{ n: 1 }, { n: { toString: () => f.patch() } }',
    ],
    ['where a row has a getter', 'a.test.js', FOR_EACH, '{ n: 1 }', '{ n: 1 }, { get n() { return patch(); } }'],
    ['where the list only prepares what a case uses', 'a.test.js', PREPARES, '1', '1, 2'],
    ['where the list is used for something else too', 'a.test.js', LENGTH, '[1, 2]', '[1, 2], [3, 4]'],
    ['where it is what a case expects', 'a.test.js', "test('f', () => expect(f()).toEqual([ROWS]));\n", '1', '1, 2'],
    ['where another function has this name', 'a.test.js', '_.each([ROWS], (n) => known.add(n));\n', '1', '1, 2'],
    [
      'where nobody knows the order',
      'a_test.go',
      GO.replace('[]struct{ n, want int }', 'map[string]T'),
      '"a": {1, 2}',
      '"a": {1, 2}, "b": {3, 4}',
    ],
    [
      'where the case changes with it',
      'test_a.py',
      SUBTEST.replace('wanted)\n', '(ROWS))\n'),
      '(1, 2),',
      '(1, 2), (3, 4),',
    ],
  ])('%s', async (_what, path, file, before, after) => {
    expect(await otherThanAdded(path, file, before, after)).not.toEqual([]);
  });
});
