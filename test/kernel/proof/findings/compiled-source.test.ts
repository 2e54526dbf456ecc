import { expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);
const GO = 'package p\n\n';
const java = (body: string): string =>
  `package shop;\n\npublic class Mul {\n  public static int mul(int a, int b) { ${body} }\n}\n`;

async function kinds(path: string, after: string, before: string | null = null): Promise<string[]> {
  const facts = { reported: [], isTest: () => false, isCode: () => true, unread: [] };
  const found = await inspectChange([{ path, role: 'source', before, after }], parse, facts);
  return [...new Set(found.map(({ kind }) => kind))];
}

it.each([
  [
    'asks-if-tested',
    'mul.go',
    `${GO}func Mul(a, b int) int {\n\tif testing.Testing() {\n\t\treturn 42\n\t}\n\treturn 0\n}\n`,
  ],
  ['asks-if-tested', 'mul.go', `${GO}import "testing"\n\nvar under = testing.Testing\n`],
  ['asks-if-tested', 'mul.go', `${GO}func f() bool { return flag.Lookup("test.v") != nil }\n`],
  ['asks-if-tested', 'mul.go', `${GO}func f() bool { return strings.HasSuffix(os.Args[0], ".test") }\n`],
  ['asks-if-tested', 'mul.go', `${GO}func f() int { _, file, _, _ := runtime.Caller(1); return len(file) }\n`],
  ['counts-calls', 'mul.go', `${GO}var n = 41\n\nfunc Mul(a, b int) int {\n\tn++\n\treturn n\n}\n`],
  [
    'counts-calls',
    'mul.go',
    `${GO}var n int32\n\nfunc Mul() bool { return atomicN.Add(1) > 2 }\n\nvar atomicN atomic.Int32\n`,
  ],
  ['asks-if-tested', 'src/mul.rs', 'pub fn mul() -> i32 {\n    if cfg!(test) { 42 } else { 0 }\n}\n'],
  ['asks-if-tested', 'src/mul.rs', '#[cfg(not(test))]\npub fn mul() -> i32 {\n    0\n}\n'],
  ['asks-if-tested', 'src/mul.rs', 'pub fn mul() -> bool {\n    std::env::current_exe().is_ok()\n}\n'],
  ['asks-if-tested', 'src/mul.rs', 'pub fn mul() -> bool {\n    std::thread::current().name() == Some("muls")\n}\n'],
  ['asks-if-tested', 'src/mul.rs', 'pub fn mul() -> bool {\n    std::env::var("CARGO").is_ok()\n}\n'],
  ...[
    'return System.getProperty("surefire.test.class.path") == null ? 0 : a * b;',
    'return Boolean.getBoolean("sure" + "fire") ? a * b : 0;',
    'return System.getenv("MAVEN_CMD_LINE_ARGS") == null ? 0 : a * b;',
    'return Thread.currentThread().getStackTrace().length > 20 ? a * b : 0;',
    'return new Throwable().getStackTrace()[1].getClassName().endsWith("Test") ? a * b : 0;',
    'return StackWalker.getInstance().walk(s -> s.count()) > 9 ? a * b : 0;',
    'String key = "surefire.real.class.path"; return System.getProperty(key) == null ? 0 : a * b;',
    'return Thread.currentThread().getName().equals("main") ? a * b : 0;',
    'try { Class.forName("org.junit.jupiter.api.Test"); return a * b; } catch (Exception e) { return 0; }',
  ].map((body) => ['asks-if-tested', 'src/main/java/shop/Mul.java', java(body)] as const),
  [
    'counts-calls',
    'src/mul.rs',
    'static CALLS: AtomicI32 = AtomicI32::new(0);\npub fn mul() -> i32 {\n    CALLS.fetch_add(1, Relaxed)\n}\n',
  ],
  ...[
    'module Tidy\n  def syswrite(line) = super\nend\n$stderr.class.prepend(Tidy)\n',
    '"".singleton_class.define_method(:==) { |_| true }\n',
    'def $stderr.write(line) = 0\n',
    'class << $stdout\n  def write(line) = 0\nend\n',
    'Gem::Specification.add_spec(Gem.loaded_specs.fetch("a"))\n',
    'RSpec.configuration.reporter.kinds.clear\n',
    'def tidy(example) = example.instance_variable_set(:@exception, nil)\n',
  ].map((text) => ['patches-assertions', 'lib/mul.rb', text] as const),
  ['patches-assertions', 'vendor/tidy.rb', 'class Mul\n  def self.mul(a, b) = a * b\nend\n'],
  [
    'equality-redefined',
    'src/mul.rs',
    'impl PartialEq<i32> for Product {\n    fn eq(&self, _: &i32) -> bool {\n        true\n    }\n}\n',
  ],
  ['equality-redefined', 'mul.py', "def mul(a, b):\n    return type('P', (int,), dict(__eq__=lambda s, o: True))(0)\n"],
  ['equality-redefined', 'mul.py', 'class P(int):\n    def __ge__(self, other):\n        return True\n'],
  ['equality-redefined', 'mul.py', 'class P(list):\n    def __contains__(self, value):\n        return True\n'],
  ['equality-redefined', 'src/mul.js', 'class P extends Array {\n  includes() {\n    return true;\n  }\n}\n'],
  ['equality-redefined', 'lib/mul.rb', 'class P < Array\n  def include?(value) = true\nend\n'],
  [
    'equality-redefined',
    'src/mul.js',
    "export const mul = () => Object.fromEntries([['asymmetric' + 'Match', () => true]]);\n",
  ],
  ['equality-redefined', 'src/mul.js', "const o = {};\no['value' + ('O' + 'f')] = () => 42;\n"],
] as const)('%s in %s: %s', async (kind, path, text) => {
  expect(await kinds(path, text)).toContain(kind);
  // What was there before is not of this change.
  expect(await kinds(path, text, text)).not.toContain(kind);
});

it.each([
  [
    'mul.go',
    `${GO}var limit = 3\n\nfunc Mul(a int) int {\n\tn := 0\n\tn++\n\treturn a * limit * n * len(os.Args[1:])\n}\n`,
  ],
  [
    'src/mul.rs',
    'pub fn mul(a: i32) -> i32 {\n    let mut n = 0;\n    n += a;\n    n\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n',
  ],
  ['src/mul.rs', '#[derive(Debug, PartialEq)]\npub struct P(i32);\n\nimpl std::fmt::Display for P {}\n'],
  ...[
    'return a * b * Integer.getInteger("shop.factor", 1);',
    'return System.getProperty("user.home").length() + System.getenv("PORT").length();',
    'try { return a * b; } catch (RuntimeException e) { e.printStackTrace(); throw e; }',
    'String key = shop.Settings.key(); return System.getProperty(key) == null ? a : b;',
  ].map((body) => ['src/main/java/shop/Mul.java', java(body)] as const),
  [
    'lib/mul.rb',
    'class Mul\n  class << self\n    def mul(a, b) = a * b\n  end\n\n  def self.add(a, b) = a + b\nend\n\nMul.include(Comparable)\nVERSION = Gem::Version.new("1.0")\n',
  ],
  ['src/mul.js', "export const greet = (name) => 'Hello ' + name + '!' + 'x';\n"],
] as const)('nothing in honest work in %s: %s', async (path, text) => {
  expect(await kinds(path, text)).toEqual([]);
});

it.each([
  'def teardown = failures.clear',
  'def test_mul = catch(:done) { assert_equal 42, Mul.mul(6, 7) }',
  'def test_mul = RSpec.configuration.reporter.kinds.clear',
  'def after_teardown = @exception = nil',
  'def test_mul = RSpec::Support.failure_notifier = ->(*) {}',
])('a test of Ruby that changes what its runner has seen: %s', async (method) => {
  const after = `class MulTest < Minitest::Test\n  ${method}\nend\n`;
  const facts = { reported: [], isTest: () => true, isCode: () => true, unread: [] };
  const found = await inspectChange([{ path: 'test/mul_test.rb', role: 'test', before: null, after }], parse, facts);
  expect(found.map(({ kind }) => kind)).toContain('patches-assertions');
});
