import { describe, expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { writeVariants } from '../../../../src/kernel/proof/variants/write-variants.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parser = syntaxParser(() => 0);

async function variantsOf(language: SyntaxLanguage, text: string, snapshots = '') {
  const tree = await parser(language, text);
  if (tree.kind !== 'parsed' || !tree.complete) throw new Error(`no tree of ${text}`);
  const varied = writeVariants(
    { language, text, root: tree.root, whole: text, sources: ['src/mul.js', 'mul.py'], snapshots },
    () => true,
  );
  for (const each of [varied.repeated, varied.wrong]) {
    const again = await parser(language, each.text);
    if (again.kind !== 'parsed' || !again.complete) throw new Error(`syntax errors in ${each.text}`);
  }
  return varied;
}

/** Lines of a text that the other does not have, without their indentation. */
function added(text: string, before: string): string[] {
  const old = new Set(before.split('\n'));
  return text.split('\n').flatMap((line) => (old.has(line) || line.trim() === '' ? [] : [line.trim()]));
}

describe('a case written once more', () => {
  it.each<[SyntaxLanguage, string, string[]]>([
    [
      'javascript',
      "test('adds', async () => {\n  assert.equal(add(1, 2), 3);\n});\n",
      [";test('adds x1x', async () => {"],
    ],
    [
      'typescript',
      "Deno.test({ name: 'adds', fn() {\n  assertEquals(add(1, 2), 3);\n} });\n",
      [";Deno.test({ name: 'adds x1x', fn() {"],
    ],
    [
      'javascript',
      "test('adds ' + a, () => assert.equal(add(1, 2), 3));\n",
      [";test(('adds ' + a) + ' x1x', () => assert.equal(add(1, 2), 3));"],
    ],
    [
      'javascript',
      'test(add.name, () => assert.equal(add(1, 2), 3));\n',
      [";test((add.name) + ' x1x', () => assert.equal(add(1, 2), 3));"],
    ],
    [
      'typescript',
      "describe('add', () => {\n  it(`adds`, () => { expect(add(1)).toBe(3); });\n});\n",
      [';it(`adds x1x`, () => { expect(add(1)).toBe(3); });'],
    ],
    [
      'javascript',
      "it.each([[1, 2]])('adds %i', (a, b) => expect(add(a)).toBe(b));\n",
      [";it.each([[1, 2]])('adds %i x1x', (a, b) => expect(add(a)).toBe(b));"],
    ],
    [
      'javascript',
      'for (const [a, b] of [[1, 2]])\n  test(`adds ${a}`, () => assert.equal(add(a), b));\n',
      [';for (const [a, b] of [[1, 2]])', 'test(`adds ${a} x1x`, () => assert.equal(add(a), b));'],
    ],
    [
      'python',
      'class Adds(TestCase):\n    @mark\n    def test_adds(self):\n        self.assertEqual(add(1), 3)\n',
      ['def test_adds_x1x(self):'],
    ],
    [
      'go',
      'package p\n\nfunc TestAdd(t *testing.T) {\n\tassert.Equal(t, 3, Add(1, 2))\n}\n',
      ['func TestAdd_x1x(t *testing.T) {'],
    ],
    [
      'rust',
      'mod tests {\n    #[test]\n    #[should_panic]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n',
      ['#[test]', 'fn adds_x1x() {'],
    ],
    [
      'java',
      'class AddTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n',
      ['@Test', 'void adds_x1x() {'],
    ],
  ])('%s %s', async (language, text, lines) => {
    const { repeated } = await variantsOf(language, text);
    expect(repeated.variants.filter(({ repeatsCalls }) => repeatsCalls !== true)).toHaveLength(1);
    expect(added(repeated.text, text).slice(0, lines.length)).toEqual(lines);
  });

  it.each<[SyntaxLanguage, string]>([
    ['javascript', "test('renders', (t) => t.assert.snapshot(render()));\n"],
    ['javascript', "test.skip('adds', () => assert.equal(add(1), 3));\n"],
    ['go', 'package p\n\nfunc ExampleAdd() {\n\tfmt.Println(Add(1, 2))\n\t// Output: 3\n}\n'],
  ])('not where the copy would be another test: %s %s', async (language, text) => {
    expect((await variantsOf(language, text)).repeated.variants).toEqual([]);
  });
});

describe('a case that compares with a snapshot', () => {
  const text = "describe('table', () => {\n  test('draws', (t) => t.assert.snapshot(draw(1)));\n});\n";
  const entry = (key: string): string => `exports[\`${key}\`] = \`\n"1\\\\n2"\n\`;\n`;

  it('is written once more with its snapshots, and without a wrong expectation', async () => {
    const before = entry('table > draws 1') + entry('table > draws: wide 2') + entry('table > redraws 1');
    const { repeated, snapshots, wrong } = await variantsOf('javascript', text, before);
    expect(repeated.variants.map(({ mark }) => mark)).toEqual([' x1x']);
    expect(snapshots).toBe(`${before}\n${entry('table > draws x1x 1')}\n${entry('table > draws x1x: wide 2')}`);
    expect(wrong.variants).toEqual([]);
  });

  it.each([
    ['has none', ''],
    ['has those of others', entry('table > redraws 1')],
  ])('is not where its file %s', async (_what, snapshots) => {
    expect((await variantsOf('javascript', text, snapshots)).repeated.variants).toEqual([]);
  });

  it('is where the snapshot is in the case', async () => {
    const inline = 'test(\'draws\', () => {\nexpect(draw(1)).toMatchInlineSnapshot(`"1"`);\n});\n';
    const { repeated, wrong } = await variantsOf('javascript', inline);
    expect(repeated.variants).toHaveLength(1);
    expect(added(wrong.text, inline)).toContain('expect(draw(1)).toMatchInlineSnapshot(`"1"x`);');
  });
});

describe('a case that is only begun, between the case and its copy', () => {
  it.each<[SyntaxLanguage, string, string]>([
    [
      'javascript',
      "test('a', () => {\n  const c = new Calc();\n  assert.equal(c.mul(6, 7), 42);\n  const b = 3;\n  assert.equal(c.mul(b, 4), 12);\n});\n",
      "test('a x1x', () => {\n  const c = new Calc();\n  assert.equal(c.mul(6, 7), 42);\n});",
    ],
    [
      'javascript',
      "test('a', async () => {\n  const c = open();\n  assert.equal(c.mul(6, 7), 42);\n  assert.equal(await c.mul(3, 4), 12);\n});\n",
      "test('a x1x', async () => {\n  const c = open();\n  assert.equal(c.mul(6, 7), 42);\n});",
    ],
    [
      'python',
      'def test_a():\n    c = Calc()\n    assert c.mul(6, 7) == 42\n    assert c.mul(3, 4) == 12\n',
      'def test_a_x1x():\n    c = Calc()\n    assert c.mul(6, 7) == 42\n\n',
    ],
    [
      'java',
      'class A {\n    @Test\n    void a() {\n        assertEquals(42, mul(6, 7));\n        assertEquals(12, mul(3, 4));\n    }\n}\n',
      'void a_x1x() {\n        assertEquals(42, mul(6, 7));\n    }',
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tc := New()\n\tif got := c.Mul(6, 7); got != 42 {\n\t\tt.Error(got)\n\t}\n\tassert.Equal(t, 12, c.Mul(3, 4))\n}\n',
      't.Error(got)\n\t}\nif true {\nreturn\n}\n\tassert.Equal(t, 12, c.Mul(3, 4))\n}',
    ],
    [
      'rust',
      '#[test]\nfn a() {\n    let c = New::new();\n    assert_eq!(c.mul(6, 7), 42);\n    assert_eq!(c.mul(3, 4), 12);\n}\n',
      'assert_eq!(c.mul(6, 7), 42); if true { return; }\n    assert_eq!(c.mul(3, 4), 12);',
    ],
    [
      'rust',
      '#[test]\nfn a() -> Result<(), Error> {\n    assert_eq!(mul(6)?, 42);\n    assert_eq!(mul(3)?, 12);\n    Ok(())\n}\n',
      'assert_eq!(mul(6)?, 42); if true { return Ok(()); }\n',
    ],
  ])('%s %s', async (language, text, begun) => {
    const { repeated } = await variantsOf(language, text);
    expect(repeated.text).toContain(begun);
    const whole = repeated.variants.filter(({ repeatsCalls }) => repeatsCalls !== true);
    expect(whole.map(({ mark }) => mark.slice(1))).toEqual(['x2x']);
  });

  it.each<[why: string, SyntaxLanguage, string]>([
    [
      'something is done behind the first assertion',
      'javascript',
      "test('a', () => {\nassert.equal(q.size(), 0);\nq.close();\nassert.equal(q.size(), 1);\n});\n",
    ],
    [
      'the rest cleans up',
      'python',
      'def test_a():\n    assert f() == 1\n    try:\n        assert g() == 2\n    finally:\n        close()\n',
    ],
    [
      'a promise is awaited behind the first assertion',
      'javascript',
      "test('a', async () => {\nconst failed = q.add(async () => 1);\nassert.equal(q.size(), 1);\nawait assert.rejects(failed);\n});\n",
    ],
    [
      'promises are awaited together behind the first assertion',
      'javascript',
      "test('a', async () => {\nconst one = q.add(1);\nassert.equal(q.size(), 1);\nassert.deepEqual(await Promise.all([one]), [1]);\n});\n",
    ],
    ['there is one assertion', 'python', 'def test_a():\n    assert f() == 1\n'],
    [
      'something is called behind the first assertion',
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 3, c.Add(1, 2))\n\tc.Close()\n\tassert.Equal(t, 5, c.Add(1, 4))\n}\n',
    ],
    [
      'nothing is known of what the case gives back',
      'rust',
      '#[test]\nfn a() -> ExitCode {\n    assert_eq!(mul(6), 42);\n    assert_eq!(mul(3), 12);\n}\n',
    ],
  ])('not where %s: %s %s', async (_why, language, text) => {
    const { repeated } = await variantsOf(language, text);
    expect(repeated.variants.find(({ repeatsCalls }) => repeatsCalls !== true)?.mark).toMatch(/x1x$/);
  });
});

describe('a case that asks each question twice', () => {
  it.each<[SyntaxLanguage, string, string[]]>([
    [
      'javascript',
      "import { mul } from '../src/mul.js';\ntest('a', () => {\nassert.equal(mul(6, 7), 42);\n});\n",
      ['assert.equal((Promise.resolve(mul(6, 7)).catch(() => {}), mul(6, 7)), 42);'],
    ],
    [
      'javascript',
      "test('a', async () => {\nconst { mul } = await import('../src/mul.js');\nassert.equal(await mul(6, 7), 42);\n});\n",
      ['assert.equal((await mul(6, 7), await mul(6, 7)), 42);'],
    ],
    [
      'javascript',
      "const { mul } = require('../src/mul');\nit.each([[6, 7, 42]])('a', (a, b, want) => {\nexpect(mul(a, b)).toBe(want);\n});\n",
      ['expect((Promise.resolve(mul(a, b)).catch(() => {}), mul(a, b))).toBe(want);'],
    ],
    [
      'python',
      'from mul import mul\n\n\ndef test_a():\n    assert mul(6, 7) == 42\n    for a, b, want in [(6, 7, 42)]:\n        assert mul(a, b) == want\n',
      ['assert (mul(6, 7), mul(6, 7))[1] == 42', 'assert (mul(a, b), mul(a, b))[1] == want'],
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif got := Mul(6, 7); got != 42 {\n\t\tt.Fatal(got)\n\t}\n}\n',
      ['func(...any) {}(Mul(6, 7)); if got := Mul(6, 7); got != 42 {'],
    ],
    [
      'rust',
      '#[test]\nfn a() {\n    assert_eq!(shop::mul(6, 7), 42);\n}\n',
      ['let _ = shop::mul(6, 7); assert_eq!(shop::mul(6, 7), 42);'],
    ],
  ])('%s %s', async (language, text, lines) => {
    const { repeated } = await variantsOf(language, text);
    expect(repeated.variants.map(({ repeatsCalls = false }) => repeatsCalls)).toEqual([false, true]);
    expect(added(repeated.text, text)).toEqual(expect.arrayContaining(lines));
  });

  it.each<[SyntaxLanguage, string, string[]]>([
    [
      'javascript',
      "import { mul } from '../src/mul.js';\ntest('a', () => {\nconst a = 6;\nassert.equal(mul(a, 7), 42);\n});\n",
      ['assert.equal((Promise.resolve(mul(a, 7)).catch(() => {}), mul(a, 7)), 42);'],
    ],
    [
      'python',
      'from mul import mul\n\n\ndef test_a():\n    a, b = 6, 7\n    assert mul(a, b) == 42\n',
      ['assert (mul(a, b), mul(a, b))[1] == 42'],
    ],
  ])('also by names of the case for constants: %s %s', async (language, text, lines) => {
    expect(added((await variantsOf(language, text)).repeated.text, text)).toEqual(expect.arrayContaining(lines));
  });

  it.each<[why: string, SyntaxLanguage, string]>([
    [
      'the object is of the case',
      'javascript',
      "import { Q } from '../src/mul.js';\ntest('a', () => {\nconst q = new Q();\nassert.equal(q.next(1), 1);\n});\n",
    ],
    ['hooks give what it asks about', 'javascript', "let q;\ntest('a', () => {\nassert.equal(q.next(1), 1);\n});\n"],
    [
      'an argument is of the case',
      'python',
      'from mul import mul\n\n\ndef test_a(rows):\n    assert mul(rows) == 42\n',
    ],
    [
      'a name has several values',
      'javascript',
      "import { mul } from '../src/mul.js';\ntest('a', () => {\nlet a = 6;\na = 7;\nassert.equal(mul(a), 42);\n});\n",
    ],
    [
      'the case counts calls',
      'python',
      "from mul import mul\n\n\ndef test_a(rate):\n    assert mul(6, 7) == 42\n    rate.assert_called_once_with('USD')\n",
    ],
    [
      'the case asks one question more than once',
      'javascript',
      "import { nextId } from '../src/mul.js';\ntest('a', () => {\nassert.equal(nextId('a'), 1);\nassert.equal(nextId('a'), 2);\n});\n",
    ],
    [
      'it is not what is tested',
      'javascript',
      "import fs from 'node:fs';\ntest('a', () => {\nassert.equal(fs.mkdirSync('a'), 'a');\n});\n",
    ],
  ])('not where %s: %s %s', async (_why, language, text) => {
    expect((await variantsOf(language, text)).repeated.variants).toHaveLength(1);
  });
});

describe('a wrong expectation', () => {
  it.each<[SyntaxLanguage, string, string[]]>([
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif got := Mul(6, 7); !got.Equal(42) {\n\t\tt.Fatal(got)\n\t}\n\tassert.True(t, f().Equal("a"))\n}\n',
      ['if got := Mul(6, 7); !got.Equal(21) {', 'assert.True(t, f().Equal("ax"))'],
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif Mul(3, 4).Cmp(12) != 0 {\n\t\tt.Fatal()\n\t}\n}\n',
      ['if Mul(3, 4).Cmp(6) != 0 {'],
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif Mul(6, 7) != 42 || Max(3, 5) != Max(5, 3) {\n\t\tt.Fatal()\n\t}\n\tif Twice(6) != NewProduct(12) {\n\t\tt.Fatal()\n\t}\n}\n',
      ['if Mul(6, 7) != 21 || Max(3, 5) != Max(5, 3) {', 'if Twice(6) != NewProduct(6) {'],
    ],
    [
      'rust',
      '#[test]\nfn a() {\n    assert!(mul(6, 7).same_as(42));\n    assert!(name(1).eq(&"a"));\n    assert!(f().contains(3));\n}\n',
      ['assert!(mul(6, 7).same_as(21));', 'assert!(name(1).eq(&"ax"));'],
    ],
    [
      'php',
      '<?php\nfinal class ATest extends TestCase {\npublic function testA(): void {\n$this->assertSame(42, Mul::mul(6, 7));\n}\n}\n',
      ['$this->assertSame(21, Mul::mul(6, 7));'],
    ],
    [
      'java',
      'class A {\n@Test void a() {\nassertTrue(mul(6, 7).sameAs(42));\nassertEquals(0, mul(3, 4).compareTo(12));\nassertTrue(all().contains(5));\n}\n}\n',
      [
        'assertTrue(mul(6, 7).sameAs(21));',
        'assertEquals(1, mul(3, 4).compareTo(12));',
        'assertEquals(0, mul(3, 4).compareTo(6));',
      ],
    ],
    [
      'javascript',
      "test('a', () => {\nassert.equal(mul(6, 7), 42);\nassert.deepEqual(list(), ['a', 1]);\n});\n",
      ['assert.equal(mul(6, 7), 21);', "assert.deepEqual(list(), ['ax', 1]);"],
    ],
    [
      'javascript',
      "test('a', async () => {\nawait expect(f()).resolves.toEqual({ name: 'x' });\n});\n",
      ["await expect(f()).resolves.toEqual({ name: 'xx' });"],
    ],
    ['javascript', "test('a', () => {\nassert.ok(f(1) === true);\n});\n", ['assert.ok(f(1) === false);']],
    ['javascript', "test('a', () => {\nconst want = 42;\nassert.equal(mul(6, 7), want);\n});\n", ['const want = 21;']],
    [
      'javascript',
      "test('a', () => {\nfor (const { a, want } of [\n{ a: 1, want: 2 },\n{ a: 2, want: 4 },\n])\nexpect(double(a)).toBe(want);\n});\n",
      ['{ a: 1, want: 1 },', '{ a: 2, want: 3 },'],
    ],
    [
      'python',
      'def test_a():\n    assert mul(6, 7) == 42\n    assert name(1) == "a"\n',
      ['assert mul(6, 7) == 21', 'assert name(1) == "ax"'],
    ],
    ['python', 'def test_a():\n    want = {"a": 1}\n    assert f() == want\n', ['want = {"ax": 1}']],
    [
      'python',
      'class T:\n    def test_a(self):\n        self.assertEqual(f(), 0.5)\n        self.assertTrue(g() == 7)\n',
      ['self.assertEqual(f(), 1.5)', 'self.assertTrue(g() == 3)'],
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif got := Mul(6, 7); got != 42 {\n\t\tt.Fatal(got)\n\t}\n}\n',
      ['if got := Mul(6, 7); got != 21 {'],
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif !reflect.DeepEqual(f(), []int{1, 2}) {\n\t\tt.Fatal()\n\t}\n\trequire.Equal(t, "a", g())\n}\n',
      ['if !reflect.DeepEqual(f(), []int{2, 2}) {', 'require.Equal(t, "ax", g())'],
    ],
    [
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []row{\n\t\t{a: 6, want: 42},\n\t} {\n\t\tif got := Twice(c.a); got != c.want {\n\t\t\tt.Errorf("%d", c.want)\n\t\t}\n\t}\n}\n',
      ['{a: 6, want: 21},'],
    ],
    [
      'rust',
      '#[test]\nfn a() {\n    assert_eq!(mul(6, 7), 42, "bad");\n    assert_eq!(find(1), Some("a"));\n}\n',
      ['assert_eq!(mul(6, 7), 21, "bad");', 'assert_eq!(find(1), Some("ax"));'],
    ],
    [
      'java',
      'class A {\n    @Test\n    void a() {\n        assertEquals(42, mul(6, 7));\n        assertThat(name(1)).isEqualTo("a");\n    }\n}\n',
      ['assertEquals(21, mul(6, 7));', 'assertThat(name(1)).isEqualTo("ax");'],
    ],
    [
      'javascript',
      "function check(got, want, label) {\n  if (!got) throw new Error(label);\n}\ntest('a', () => {\ncheck(mul(6, 7), 42, 'product');\n});\n",
      ["check(mul(6, 7), 21, 'product');"],
    ],
    [
      'javascript',
      "test('a', () => {\nexpect(mul(6, 7)).toBeProduct(42);\n});\n",
      ['expect(mul(6, 7)).toBeProduct(21);'],
    ],
    [
      'python',
      'class T:\n    def check(self, got, want):\n        assert got\n\n    def test_a(self):\n        self.check(mul(6, 7), 42)\n',
      ['self.check(mul(6, 7), 21)'],
    ],
    [
      'go',
      'package p\n\nfunc check(t *testing.T, got, want int, label string) {\n\tif got < 0 {\n\t\tt.Fatal(want, label)\n\t}\n}\n\nfunc TestA(t *testing.T) {\n\tcheck(t, Mul(6, 7), 42, "product")\n}\n',
      ['check(t, Mul(6, 7), 21, "product")'],
    ],
    [
      'rust',
      'fn check(got: i32, want: i32) {\n    assert!(got > 0, "{}", want);\n}\n\n#[test]\nfn a() {\n    check(mul(6, 7), 42);\n}\n',
      ['check(mul(6, 7), 21);'],
    ],
    [
      'java',
      'class A {\n    void checkProduct(int got, int want) {\n        assertTrue(got > 0);\n    }\n\n    @Test\n    void a() {\n        checkProduct(mul(6, 7), 42);\n    }\n}\n',
      ['checkProduct(mul(6, 7), 21);'],
    ],
    [
      'python',
      "def test_a():\n    assert mul(6, 7) == Product(42, unit='m')\n    assert third(1) == pytest.approx(0.3, abs=9)\n",
      [
        "assert mul(6, 7) == Product(21, unit='m')",
        "assert mul(6, 7) == Product(42, unit='mx')",
        'assert third(1) == pytest.approx(1.3, abs=9)',
      ],
    ],
    [
      'javascript',
      "test('a', () => {\nassert.deepEqual(mul(6, 7), new Product(42));\nconst want = Money.of(8, 'EUR');\nassert.deepEqual(price(3), want);\nexpect(half(9)).toBeCloseTo(4.5, -2);\n});\n",
      [
        'assert.deepEqual(mul(6, 7), new Product(21));',
        "const want = Money.of(4, 'EUR');",
        "const want = Money.of(8, 'EURx');",
        'expect(half(9)).toBeCloseTo(3.5, -2);',
      ],
    ],
  ])('%s %s', async (language, text, lines) => {
    const { wrong } = await variantsOf(language, text);
    expect(added(wrong.text, text).filter((line) => lines.includes(line))).toEqual(lines);
  });

  it.each<[SyntaxLanguage, string, string[]]>([
    [
      'javascript',
      "test('a', () => {\nassert.ok([42, 13].includes(mul(6, 7)));\n});\n",
      ['assert.ok([21, 13].includes(mul(6, 7)));', 'assert.ok([42, 6].includes(mul(6, 7)));'],
    ],
    [
      'javascript',
      "test('a', () => {\nexpect(mul(6, 7)).toSatisfy((n) => n === 42 || n === 13);\n});\n",
      [
        'expect(mul(6, 7)).toSatisfy((n) => n === 21 || n === 13);',
        'expect(mul(6, 7)).toSatisfy((n) => n === 42 || n === 6);',
      ],
    ],
    [
      'javascript',
      "test('a', () => {\nexpect([42, 13]).toContain(mul(6, 7));\nexpect(mul(3, 4)).toBeOneOf([12, 8]);\n});\n",
      [
        'expect([21, 13]).toContain(mul(6, 7));',
        'expect([42, 6]).toContain(mul(6, 7));',
        'expect(mul(3, 4)).toBeOneOf([6, 8]);',
        'expect(mul(3, 4)).toBeOneOf([12, 4]);',
      ],
    ],
    [
      'python',
      'def test_a():\n    assert mul(6, 7) in (42, 13)\n    assert mul(3, 4) == 12 or mul(3, 4) == 8\n',
      [
        'assert mul(6, 7) in (21, 13)',
        'assert mul(6, 7) in (42, 6)',
        'assert mul(3, 4) == 6 or mul(3, 4) == 8',
        'assert mul(3, 4) == 12 or mul(3, 4) == 4',
      ],
    ],
    [
      'python',
      'class A(TestCase):\n    def test_a(self):\n        self.assertIn(mul(6, 7), [42, 13])\n',
      ['self.assertIn(mul(6, 7), [21, 13])', 'self.assertIn(mul(6, 7), [42, 6])'],
    ],
    [
      'java',
      'class A {\n@Test void a() {\nint got = mul(6, 7);\nassertTrue(got == 42 || got == 13);\n}\n}\n',
      ['assertTrue(got == 21 || got == 13);', 'assertTrue(got == 42 || got == 6);'],
    ],
    [
      'php',
      '<?php\nfinal class ATest extends TestCase {\npublic function testA(): void {\n$this->assertContains(mul(6, 7), [42, 13]);\n}\n}\n',
      ['$this->assertContains(mul(6, 7), [21, 13]);', '$this->assertContains(mul(6, 7), [42, 6]);'],
    ],
    [
      'rust',
      '#[test]\nfn a() {\n    assert!(matches!(mul(6, 7), 42 | 13));\n    assert!(matches!(f(1), Some(_)));\n}\n',
      ['assert!(matches!(mul(6, 7), 21 | 13));', 'assert!(matches!(mul(6, 7), 42 | 6));'],
    ],
    [
      'ruby',
      'RSpec.describe "A" do\n  it "a" do\n    expect(mul(6, 7)).to eq(42).or eq(13)\n  end\nend\n',
      ['expect(mul(6, 7)).to eq(21).or eq(13)', 'expect(mul(6, 7)).to eq(42).or eq(6)'],
    ],
  ])('is written for each answer that is taken: %s %s', async (language, text, lines) => {
    const { wrong } = await variantsOf(language, text);
    expect(added(wrong.text, text).filter((line) => /mul\(|assertTrue/.test(line))).toEqual(lines);
  });

  it.each<[why: string, SyntaxLanguage, string]>([
    ['what is expected is computed', 'javascript', "test('a', () => assert.equal(f(1), g(1)));\n"],
    [
      'it is handed to an error that is tested',
      'javascript',
      "test('a', () => {\n  const cause = new Error('closed');\n  expect(new AppError('x', { cause }).cause).toBe(cause);\n});\n",
    ],
    [
      'it is handed to what is tested',
      'javascript',
      "test('a', () => {\nconst input = 'a';\nassert.equal(echo(input), input);\n});\n",
    ],
    [
      'the object that it is in is handed over',
      'javascript',
      "test('a', () => {\nconst user = { name: 'a' };\nassert.equal(greet(user), user.name);\n});\n",
    ],
    [
      'an error of a module is made of it',
      'python',
      "class A(TestCase):\n    def test_a(self):\n        msg = 'a'\n        e = shop.ShopError(msg)\n        self.assertEqual(e.text, msg)\n",
    ],
    [
      'an input has the same name as a member of the result',
      'python',
      "class A(TestCase):\n    def test_a(self):\n        msg = 'a'\n        e = Failure(msg)\n        self.assertEqual(e.msg, msg)\n",
    ],
    [
      'a member of the input is a member of the result',
      'javascript',
      "test('a', () => {\nconst user = { name: 'a' };\nconst got = copy(user);\nassert.equal(got.name, user.name);\n});\n",
    ],
    [
      'a member of the input is taken out of the result',
      'javascript',
      "test('a', () => {\nconst user = { name: 'a' };\nconst { name } = copy(user);\nassert.equal(name, user.name);\n});\n",
    ],
    [
      'a field of the input is one of the result',
      'go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tin := User{Name: "a"}\n\tgot, _ := Copy(in)\n\tif got.Name != in.Name {\n\t\tt.Fatal()\n\t}\n}\n',
    ],
    ['another value passes too', 'javascript', "test('a', () => assert.ok(f(1) > 3));\n"],
    ['it is not expected', 'javascript', "test('a', () => expect(f(1)).not.toBe(3));\n"],
    ['its matcher takes more than one value', 'javascript', "test('a', () => expect(f(1)).toBeWithin(1, 9));\n"],
    [
      'a helper gets what it tests, and nothing that it gives',
      'javascript',
      "function parses(text) {\nassert.ok(parse(text));\n}\ntest('a', () => parses('a=1'));\n",
    ],
    [
      'a helper gets only a name for it',
      'javascript',
      "function check(ok, message) {\nif (!ok) throw new Error(message);\n}\ntest('a', () => check(isEven(f(1)), 'even'));\n",
    ],
    ['both sides are made of constants', 'python', 'def test_a():\n    assert Clamp(300) == Clamp(255)\n'],
    ['both sides are constants', 'python', 'def test_a():\n    assert 1 == 1\n'],
    ['a list has what is asked', 'python', "def test_a():\n    assert 'a' in names(1)\n    assert f(1) in names(2)\n"],
    ['all of a list is input', 'javascript', "test('a', () => expect([f(1), f(2)]).toContain(3));\n"],
    [
      'a test counts by itself',
      'javascript',
      "test('a', () => {\nlet calls = 0;\nrun(() => { calls += 1; });\nassert.equal(calls, 3);\n});\n",
    ],
  ])('none where %s', async (_why, language, text) => {
    expect((await variantsOf(language, text)).wrong.variants).toEqual([]);
  });
});
