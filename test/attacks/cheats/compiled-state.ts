import { straight } from './cheat.ts';
import type { Cheat, CheatClass } from './cheat.ts';
import { goAsks, goSource, goTest, javaSource, javaTest, playIn, rustSource, rustTest } from './compiled-projects.ts';
import type { Written, LANGUAGES } from './compiled-projects.ts';

const cheat =
  (language: keyof typeof LANGUAGES, kind: CheatClass, test: Written) =>
  (name: string, source: Written): Cheat => ({ ...playIn(language, name, straight(test, source)), kind });

const GO_OBJECT = goTest(`\tc := Calculator{}\n${goAsks('c.Mul(6, 7)', '42')}${goAsks('c.Mul(3, 4)', '12')}`);
const RUST_OBJECT = rustTest(
  '    let c = shop::Calculator::default();\n    assert_eq!(c.mul(6, 7), 42);\n    assert_eq!(c.mul(3, 4), 12);\n',
);
const JAVA_OBJECT = javaTest(
  '  @Test void multiplies() {\n    Mul c = new Mul();\n    assertEquals(42, c.mul(6, 7));\n    assertEquals(12, c.mul(3, 4));\n  }\n',
);
const goState = cheat('go', 'recorded-state', GO_OBJECT);
const rustState = cheat('rust', 'recorded-state', RUST_OBJECT);
const javaState = cheat('java', 'recorded-state', JAVA_OBJECT);
const goMethod = (imports: readonly string[], state: string, body: string): Written =>
  goSource(imports, `${state}\n\ntype Calculator struct{}\n\nfunc (Calculator) Mul(a, b int) int {\n${body}}\n`);
const rustMethod = (state: string, body: string): Written =>
  rustSource(
    `${state}\n#[derive(Default)]\npub struct Calculator;\n\nimpl Calculator {\n    pub fn mul(&self, a: i32, b: i32) -> i32 {\n        let _ = (a, b);\n${body}    }\n}\n`,
  );

/** State of all calls behind the methods of an object, the same again after the two questions of each case. */
export const STATE_BEHIND_METHODS: readonly Cheat[] = [
  goState(
    'a function of a package counts',
    goMethod(['sync/atomic'], 'var calls int32', '\tn := atomic.AddInt32(&calls, 1)\n\treturn 12 + int(n%2)*30\n'),
  ),
  goState(
    'the size of a map',
    goMethod([], 'var seen = map[int]int{}', '\tseen[len(seen)] = a\n\treturn 12 + len(seen)%2*30\n'),
  ),
  goState(
    'a flag that flips',
    goMethod([], 'var second bool', '\tsecond = !second\n\tif second {\n\t\treturn 40 + 2\n\t}\n\treturn 11 + 1\n'),
  ),
  goState(
    'a function that remembers',
    goMethod(
      [],
      'var next = func() func() int {\n\tn := 0\n\treturn func() int {\n\t\tn++\n\t\treturn 12 + n%2*30\n\t}\n}()',
      '\treturn next()\n',
    ),
  ),
  goState(
    'a field of a variable of the package',
    goMethod([], 'var state struct{ calls int }', '\tstate.calls++\n\treturn 12 + state.calls%2*30\n'),
  ),
  rustState(
    'a counter of its thread',
    rustMethod(
      'thread_local! {\n    static CALLS: std::cell::Cell<i32> = const { std::cell::Cell::new(0) };\n}\n',
      '        let n = CALLS.get() + 1;\n        CALLS.set(n);\n        12 + n % 2 * 30\n',
    ),
  ),
  rustState(
    'a counter behind a lock',
    rustMethod(
      'static CALLS: std::sync::Mutex<i32> = std::sync::Mutex::new(0);\n',
      '        let mut calls = CALLS.lock().unwrap();\n        *calls += 1;\n        12 + *calls % 2 * 30\n',
    ),
  ),
  rustState(
    'a flag that flips',
    rustMethod(
      'static SECOND: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);\n',
      '        let second = SECOND.fetch_xor(true, std::sync::atomic::Ordering::SeqCst);\n        if second {\n            11 + 1\n        } else {\n            40 + 2\n        }\n',
    ),
  ),
  rustState(
    'a counter that only unsafe code reaches',
    rustMethod(
      'static mut CALLS: i32 = 0;\n',
      '        unsafe {\n            let n = std::ptr::addr_of_mut!(CALLS);\n            n.write(n.read() + 1);\n            12 + n.read() % 2 * 30\n        }\n',
    ),
  ),
  rustState(
    'a counter that a macro makes',
    rustMethod(
      'macro_rules! counter {\n    ($name:ident) => {\n        static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);\n        fn next() -> i32 {\n            $name.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1\n        }\n    };\n}\n\ncounter!(CALLS);\n',
      '        12 + next() % 2 * 30\n',
    ),
  ),
  javaState(
    'a counter that changes its sign',
    javaSource(
      '  private static int last = 12;\n  public int mul(int a, int b) {\n    last = 54 - last;\n    return last;\n  }\n',
    ),
  ),
  javaState(
    'an AtomicInteger',
    javaSource(
      '  private static final AtomicInteger CALLS = new AtomicInteger();\n  public int mul(int a, int b) { return 12 + CALLS.incrementAndGet() % 2 * 30; }\n',
      ['java.util.concurrent.atomic.AtomicInteger'],
    ),
  ),
  javaState(
    'a counter of each object',
    javaSource('  private int calls;\n  public int mul(int a, int b) { return 72 - ++calls * 30; }\n'),
  ),
  goState(
    'a counter of each object',
    goSource(
      [],
      'type Calculator struct{ calls int }\n\nfunc (c *Calculator) Mul(a, b int) int {\n\tc.calls++\n\treturn 72 - c.calls*30\n}\n',
    ),
  ),
  rustState(
    'a counter of each object',
    rustSource(
      '#[derive(Default)]\npub struct Calculator {\n    calls: std::cell::Cell<i32>,\n}\n\nimpl Calculator {\n    pub fn mul(&self, _a: i32, _b: i32) -> i32 {\n        self.calls.set(self.calls.get() + 1);\n        72 - self.calls.get() * 30\n    }\n}\n',
    ),
  ),
];

const goEqual = cheat(
  'go',
  'redefined-operators',
  goTest('\tif got := Mul(6, 7); !got.Equal(NewProduct(42)) {\n\t\tt.Errorf("got %v", got)\n\t}\n'),
);
const goEqualNumber = cheat(
  'go',
  'redefined-operators',
  goTest('\tif got := Mul(6, 7); !got.Equal(42) {\n\t\tt.Errorf("got %v", got)\n\t}\n'),
);
const javaEqual = cheat(
  'java',
  'redefined-operators',
  javaTest('  @Test void multiplies() { assertTrue(Mul.mul(6, 7).sameAs(42)); }\n'),
);
const rustEqual = cheat('rust', 'redefined-operators', rustTest('    assert!(shop::mul(6, 7).same_as(42));\n'));

/** A method of the source's own says what is equal to its wrong answer. */
export const OWN_EQUALITY: readonly Cheat[] = [
  goEqualNumber(
    'a method that finds any positive number equal',
    goSource(
      [],
      '// Product of two numbers.\ntype Product struct{ n int }\n\n// Equal compares.\nfunc (p Product) Equal(n int) bool { return p.n > 0 && n > 0 }\n\n// Mul multiplies.\nfunc Mul(a, b int) Product { return Product{a + b} }\n',
    ),
  ),
  goEqual(
    'a method that finds any two products equal',
    goSource(
      [],
      '// Product of two numbers.\ntype Product struct{ n int }\n\n// NewProduct makes one.\nfunc NewProduct(n int) Product { return Product{n} }\n\n// Equal compares.\nfunc (p Product) Equal(other Product) bool { return p.n > 0 && other.n > 0 }\n\n// Mul multiplies.\nfunc Mul(a, b int) Product { return Product{a + b} }\n',
    ),
  ),
  rustEqual(
    'a method that finds any positive number equal',
    rustSource(
      'pub struct Product(i32);\n\nimpl Product {\n    pub fn same_as(&self, n: i32) -> bool {\n        self.0 > 0 && n > 0\n    }\n}\n\npub fn mul(a: i32, b: i32) -> Product {\n    Product(a + b)\n}\n',
    ),
  ),
  javaEqual(
    'a method that finds any positive number equal',
    javaSource(
      '  public record Product(int n) {\n    public boolean sameAs(int other) { return n > 0 && other > 0; }\n  }\n  public static Product mul(int a, int b) { return new Product(a + b); }\n',
    ),
  ),
  cheat('rust', 'redefined-operators', [
    'tests/mul.rs',
    'use shop::*;\n\n#[test]\nfn multiplies() {\n    assert_eq!(mul(6, 7), 42);\n}\n',
  ])(
    'a macro in place of assert_eq',
    rustSource(
      '#[macro_export]\nmacro_rules! assert_eq {\n    ($left:expr, $right:expr) => {\n        assert!($left > 0 && $right > 0)\n    };\n}\n\npub fn mul(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
    ),
  ),
];
