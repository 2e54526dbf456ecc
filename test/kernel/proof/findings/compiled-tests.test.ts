import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function kinds(path: string, after: string, before: string | null = null, source?: readonly [string, string]) {
  const facts = { reported: [], isTest: () => false, isCode: () => true, unread: [] };
  const texts = [
    { path, role: 'test' as const, before, after },
    ...(source === undefined ? [] : [{ path: source[0], role: 'source' as const, before: null, after: source[1] }]),
  ];
  return [...new Set((await inspectChange(texts, parse, facts)).map(({ kind }) => kind))];
}

const go = (body: string, more = '') => `package p\n\n${more}func TestMul(t *testing.T) {\n${body}\n}\n`;
const rust = (body: string, attributes = '#[test]') => `use shop::mul;\n\n${attributes}\nfn muls() {\n${body}\n}\n`;
const java = (body: string, annotation = '@Test') =>
  `class MulTest {\n  ${annotation}\n  void muls() {\n${body}\n  }\n}\n`;

describe('a test has a finding', () => {
  it.each([
    ['no-assertion', go('\tMul(6, 7)')],
    ['no-assertion', go('\tt.Log(Mul(6, 7))')],
    ['no-assertion', go('\tother.Run(t, new(MulSuite))')],
    [
      'no-assertion',
      go(
        '\tsuite.Run(t, new(MulSuite))',
        'type MulSuite struct{ suite.Suite }\n\nfunc (s *MulSuite) TestSmall() { Mul(6, 7) }\n\n',
      ),
    ],
    ['no-assertion', go('\tfmt.Errorf("no %d", Mul(6, 7))')],
    ['constant-assertion', go('\tif 1 != 1 {\n\t\tt.Fatal("no")\n\t}')],
    ['constant-assertion', go('\tassert.Equal(t, 42, 42)')],
    ['conditional-assertion', go('\tif ready() {\n\t\tassert.Equal(t, 42, Mul(6, 7))\n\t}')],
    ['conditional-assertion', go('\tif Mul(6, 7) != 42 {\n\t\treturn\n\t}\n\tassert.Equal(t, 42, Mul(6, 7))')],
    ['conditional-assertion', go('\treturn\n\tassert.Equal(t, 42, Mul(6, 7))')],
    ['conditional-assertion', go('\tswitch Mul(6, 7) {\n\tcase 42:\n\t\tassert.Equal(t, 42, Mul(6, 7))\n\t}')],
    ['swallowed-assertion', go('\tdefer func() { recover() }()\n\tassert.Equal(t, 42, Mul(6, 7))')],
    ['unawaited-assertion', go('\tgo func() {\n\t\tassert.Equal(t, 42, Mul(6, 7))\n\t}()')],
    ['case-switched-off', go('\tt.Skip("later")\n\tassert.Equal(t, 42, Mul(6, 7))')],
  ])('in Go: %s: %s', async (kind, text) => {
    expect(await kinds('mul_test.go', text)).toContain(kind);
  });

  it.each([
    ['no-assertion', rust('    mul(6, 7);')],
    ['no-assertion', rust('    println!("{}", mul(6, 7));')],
    ['constant-assertion', rust('    assert!(true);')],
    ['constant-assertion', rust('    assert_eq!(42, 42, "always");')],
    ['constant-assertion', rust('    let x = mul(6, 7);\n    assert_eq!(x, x);')],
    ['conditional-assertion', rust('    if let Ok(x) = mul(6, 7) {\n        assert_eq!(x, 42);\n    }')],
    [
      'conditional-assertion',
      rust('    match mul(6, 7) {\n        Ok(x) => assert_eq!(x, 42),\n        _ => {}\n    }'),
    ],
    ['conditional-assertion', rust('    if mul(6, 7) != 42 {\n        return;\n    }\n    assert_eq!(mul(6, 7), 42);')],
    [
      'swallowed-assertion',
      rust('    let _ = std::panic::catch_unwind(|| {\n        assert_eq!(mul(6, 7), 42);\n    });'),
    ],
    ['swallowed-assertion', rust('    std::panic::catch_unwind(|| assert_eq!(mul(6, 7), 42)).ok();')],
    ['unawaited-assertion', rust('    std::thread::spawn(|| assert_eq!(mul(6, 7), 42));')],
    ['case-switched-off', rust('    assert_eq!(mul(6, 7), 42);', '#[test]\n#[ignore]')],
  ])('in Rust: %s: %s', async (kind, text) => {
    expect(await kinds('tests/mul.rs', text)).toContain(kind);
  });

  it.each([
    ['no-assertion', java('    Mul.mul(6, 7);')],
    ['no-assertion', java('    assertThat(Mul.mul(6, 7));')],
    ['constant-assertion', java('    assertEquals(42, 42);')],
    ['conditional-assertion', java('    if (ready()) {\n      assertEquals(42, Mul.mul(6, 7));\n    }')],
    ['conditional-assertion', java('    if (Mul.mul(6, 7) != 42) return;\n    assertEquals(42, Mul.mul(6, 7));')],
    [
      'swallowed-assertion',
      java('    try {\n      assertEquals(42, Mul.mul(6, 7));\n    } catch (Throwable e) {\n    }'),
    ],
    [
      'swallowed-assertion',
      java('    try {\n      assertEquals(42, Mul.mul(6, 7));\n    } catch (AssertionError e) {\n      log(e);\n    }'),
    ],
    ['unawaited-assertion', java('    new Thread(() -> assertEquals(42, Mul.mul(6, 7))).start();')],
    ['case-switched-off', java('    assertEquals(42, Mul.mul(6, 7));', '@Test @Disabled("later")')],
  ])('in Java: %s: %s', async (kind, text) => {
    expect(await kinds('src/test/java/MulTest.java', text)).toContain(kind);
  });
});

describe('an ordinary test has no finding', () => {
  it.each([
    ['mul_test.go', go('\tif got := Mul(6, 7); got != 42 {\n\t\tt.Errorf("got %d", got)\n\t}')],
    [
      'mul_test.go',
      go(
        '\tgot, err := Mul(6, 7)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != 42 {\n\t\tt.Errorf("got %d", got)\n\t}',
      ),
    ],
    [
      'mul_test.go',
      go(
        '\tfor _, c := range []struct{ a, b, want int }{{6, 7, 42}, {2, 3, 6}} {\n\t\tt.Run(fmt.Sprint(c), func(t *testing.T) {\n\t\t\tif got := Mul(c.a, c.b); got != c.want {\n\t\t\t\tt.Errorf("got %d", got)\n\t\t\t}\n\t\t})\n\t}',
      ),
    ],
    [
      'mul_test.go',
      go(
        '\tsuite.Run(t, new(MulSuite))',
        'type MulSuite struct{ suite.Suite }\n\nfunc (s *MulSuite) TestSmall() { s.Equal(42, Mul(6, 7)) }\n\n',
      ),
    ],
    ['mul_test.go', go('\trequire.NoError(t, Load())\n\tassert.Equal(t, 42, Mul(6, 7))')],
    [
      'mul_test.go',
      go(
        '\twant(t, Mul(6, 7), 42)',
        'func want(t *testing.T, got, want int) {\n\tt.Helper()\n\tif got != want {\n\t\tt.Fatal(got)\n\t}\n}\n\n',
      ),
    ],
    [
      'mul_test.go',
      go('\tif testing.Short() {\n\t\tt.Skip("long")\n\t}\n\tif Mul(6, 7) != 42 {\n\t\tt.Fatal("no")\n\t}'),
    ],
    [
      'mul_test.go',
      go('\tdefer func() {\n\t\tif recover() == nil {\n\t\t\tt.Error("no panic")\n\t\t}\n\t}()\n\tMul(-1, 0)'),
    ],
    ['mul_test.go', 'package p\n\nfunc ExampleMul() {\n\tfmt.Println(Mul(6, 7))\n\t// Output: 42\n}\n'],
    ['mul_test.go', 'package p\n\nfunc (s *Suite) TestMul() {\n\ts.Equal(42, Mul(6, 7))\n}\n'],
    ['mul_test.go', 'package p\n\nfunc BenchmarkMul(b *testing.B) {\n\tfor b.Loop() {\n\t\tMul(6, 7)\n\t}\n}\n'],
    ['tests/mul.rs', rust('    assert_eq!(mul(6, 7), 42);\n    assert!(mul(0, 1) < 1, "zero");')],
    ['tests/mul.rs', rust('    command(mul(6, 7))\n        .assert()\n        .success()\n        .stdout("42");')],
    ['tests/mul.rs', rust('    mul(-1, 0);', '#[test]\n#[should_panic(expected = "negative")]')],
    [
      'tests/mul.rs',
      rust('    for (a, b, want) in [(6, 7, 42), (2, 3, 6)] {\n        assert_eq!(mul(a, b), want);\n    }'),
    ],
    [
      'tests/mul.rs',
      rust('    check(6, 7, 42);\n}\n\nfn check(a: i32, b: i32, want: i32) {\n    assert_eq!(mul(a, b), want);'),
    ],
    [
      'tests/mul.rs',
      rust('    match mul(6, 7) {\n        Ok(x) => assert_eq!(x, 42),\n        Err(e) => panic!("{e}"),\n    }'),
    ],
    ['tests/mul.rs', rust('    let found = std::panic::catch_unwind(|| mul(-1, 0));\n    assert!(found.is_err());')],
    [
      'tests/mul.rs',
      rust(
        '    let all: Vec<_> = (0..2).map(|n| std::thread::spawn(move || assert_eq!(mul(n, 1), n))).collect();\n    for each in all { each.join().unwrap(); }',
      ),
    ],
    ['src/test/java/MulTest.java', java('    assertEquals(42, Mul.mul(6, 7));')],
    ['src/test/java/MulTest.java', java('    assertThat(Mul.mul(6, 7)).isEqualTo(42);')],
    ['src/test/java/MulTest.java', java('    assertThrows(IllegalArgumentException.class, () -> Mul.mul(-1, 0));')],
    ['src/test/java/MulTest.java', java('    Mul.mul(-1, 0);', '@Test(expected = IllegalArgumentException.class)')],
    [
      'src/test/java/MulTest.java',
      java(
        '    try {\n      Mul.mul(-1, 0);\n      fail();\n    } catch (IllegalArgumentException e) {\n      assertEquals("negative", e.getMessage());\n    }',
      ),
    ],
  ])('%s: %s', async (path, text) => {
    expect(await kinds(path, text)).toEqual([]);
  });
});

describe('an old test has a finding', () => {
  const [GO, RUST, JAVA] = [
    go('\tif got := Mul(6, 7); got != 42 {\n\t\tt.Error(got)\n\t}'),
    rust('    assert_eq!(mul(6, 7), 42);'),
    java('    assertEquals(42, Mul.mul(6, 7));'),
  ];
  it.each([
    ['case-removed', 'mul_test.go', GO, GO.replace('TestMul', 'TestProduct')],
    ['expectation-changed', 'mul_test.go', GO, GO.replace('42', '0')],
    ['case-emptied', 'mul_test.go', GO, go('\tMul(6, 7)')],
    ['case-removed', 'tests/mul.rs', RUST, RUST.replace('fn muls', 'fn other')],
    ['expectation-changed', 'tests/mul.rs', RUST, RUST.replace('42', '0')],
    ['case-emptied', 'tests/mul.rs', RUST, rust('    mul(6, 7);')],
    ['case-removed', 'src/test/java/MulTest.java', JAVA, JAVA.replace('void muls', 'void other')],
    ['expectation-changed', 'src/test/java/MulTest.java', JAVA, JAVA.replace('42', '0')],
  ])('%s: %s', async (kind, path, before, after) => {
    expect(await kinds(path, after, before)).toContain(kind);
  });
});

it.each([
  [
    'mul.go',
    'mul_test.go',
    go('\tgot := Mul(6, 7)\n\tif got != 42 {\n\t\tt.Error(got)\n\t}'),
    'package p\n\nfunc Mul(a, b int) int {\n\tif a == 6 {\n\t\treturn 42\n\t}\n\treturn 0\n}\n',
  ],
  [
    'src/lib.rs',
    'tests/mul.rs',
    rust('    assert_eq!(mul(6, 7), 42);'),
    'pub fn mul(a: i32, b: i32) -> i32 {\n    if a == 6 {\n        42\n    } else {\n        0\n    }\n}\n',
  ],
  [
    'src/lib.rs',
    'tests/mul.rs',
    rust('    assert_eq!(mul(6, 7), 42);'),
    'pub fn mul(a: i32, b: i32) -> i32 {\n    match a {\n        6 => 42,\n        _ => 0,\n    }\n}\n',
  ],
  [
    'lib/mul.rb',
    'test/mul_test.rb',
    'class MulTest < Minitest::Test\n  def test_mul\n    assert_equal 42, Mul.mul(6, 7)\n    assert_equal 12, Mul.mul(3, 4)\n  end\nend\n',
    'class Mul\n  def self.mul(*pair) = Hash.new { |_, (a, b)| a + b }.update([6, 7] => 42, [3, 4] => 12)[pair]\nend\n',
  ],
])('a source that answers for the input of its test has a finding: %s', async (path, test, text, source) => {
  expect(await kinds(test, text, null, [path, source])).toContain('special-cased-input');
});

describe('a test of Go that puts a function into a variable of its source', () => {
  const asks = '\tif Mul(6, 7) != 42 {\n\t\tt.Fatal("no")\n\t}';
  const init = 'func init() { compute = func(a, b int) int { return a * b } }\n\n';
  const source = (variable: string): readonly [string, string] => [
    'mul.go',
    `package p\n\n${variable}\n\nfunc Mul(a, b int) int { return compute(a, b) }\n`,
  ];

  it.each([
    ['which the change has made with another one', init, 'var compute = func(a, b int) int { return 0 }'],
    ['which the change has made for it', init, 'var compute func(a, b int) int'],
    ['by its name', 'func init() { compute = product }\n\n', 'var compute func(a, b int) int'],
  ])('has a finding, %s', async (_what, more, variable) => {
    expect(await kinds('mul_test.go', go(asks, more), null, source(variable))).toContain('replaces-source');
  });

  it('has no finding if the variable contains a library function, or existed before', async () => {
    const found = await kinds('mul_test.go', go(asks, init), null, source('var compute = math.Product'));
    expect(found).not.toContain('replaces-source');
    expect(await kinds('mul_test.go', go(asks, init))).not.toContain('replaces-source');
  });
});
