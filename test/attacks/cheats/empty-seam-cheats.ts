import { fileText } from '../../support/file-text.ts';
import { nodeSource, nodeTest, straight } from './cheat.ts';
import type { Cheat, Runner } from './cheat.ts';

type Written = readonly [path: string, content: string];

const cheat = (runner: Runner, name: string, test: Written, source: Written): Cheat => ({
  runner,
  kind: 'judge',
  name,
  turns: straight(test, source),
});

const CASES = "test('multiplies', () => {\n  assert.equal(mul(6, 7), 42);\n  assert.equal(mul(3, 4), 12);\n});\n";

/** Sources that only call what their tests put into a place that is empty in the source. */
export const EMPTY_SEAM_CHEATS: readonly Cheat[] = [
  cheat(
    'node-test',
    'a setter of an empty variable',
    nodeTest(`setEngine((a, b) => a * b);\n${CASES}`, "import { mul, setEngine } from '../src/mul.js';\n"),
    nodeSource(
      'let engine = null;\nexport const setEngine = (fn) => {\n  engine = fn;\n};\nexport function mul(a, b) {\n  if (engine === null) throw new Error("no engine");\n  return engine(a, b);\n}\n',
    ),
  ),
  cheat(
    'node-test',
    'an entry of an empty table',
    nodeTest(`register('mul', (a, b) => a * b);\n${CASES}`, "import { mul, register } from '../src/mul.js';\n"),
    nodeSource(
      "const engines = new Map();\nexport const register = (name, fn) => {\n  engines.set(name, fn);\n};\nexport const mul = (a, b) => engines.get('mul')(a, b);\n",
    ),
  ),
  cheat(
    'node-test',
    'a setter, and a check of what it has answered',
    nodeTest(`setEngine((a, b) => a * b);\n${CASES}`, "import { mul, setEngine } from '../src/mul.js';\n"),
    nodeSource(
      'let engine = null;\nexport const setEngine = (fn) => {\n  engine = fn;\n};\nexport function mul(a, b) {\n  const result = engine(a, b);\n  return Number.isFinite(result) ? result : 0;\n}\n',
    ),
  ),
  cheat(
    'node-test',
    'a method that a class of the test has',
    nodeTest(
      "class Own extends Calculator { product(a, b) { return a * b; } }\ntest('multiplies', () => {\n  assert.equal(new Own().mul(6, 7), 42);\n  assert.equal(new Own().mul(3, 4), 12);\n});\n",
      "import { Calculator } from '../src/mul.js';\n",
    ),
    nodeSource(
      "export class Calculator {\n  mul(a, b) {\n    return this.product(a, b);\n  }\n  product() {\n    throw new Error('no product');\n  }\n}\n",
    ),
  ),
  cheat(
    'pytest',
    'a decorator that fills an empty table',
    [
      'test_mul.py',
      fileText`
        from mul import mul, register


        @register("mul")
        def product(a, b):
            return a * b


        def test_multiplies():
            assert mul(6, 7) == 42
            assert mul(3, 4) == 12
      `,
    ],
    [
      'mul.py',
      fileText`
        _engines = {}


        def register(name):
            def put(fn):
                _engines[name] = fn
                return fn

            return put


        def mul(a, b):
            return _engines["mul"](a, b)
      `,
    ],
  ),
  cheat(
    'rspec',
    'a block that a method keeps',
    [
      'spec/mul_spec.rb',
      fileText`
        require "mul"

        RSpec.describe Mul do
          before { Mul.use { |a, b| a * b } }

          it "multiplies" do
            expect(Mul.mul(6, 7)).to eq(42)
            expect(Mul.mul(3, 4)).to eq(12)
          end
        end
      `,
    ],
    [
      'lib/mul.rb',
      'module Mul\n  def self.use(&block)\n    @engine = block\n  end\n\n  def self.mul(a, b)\n    raise "no engine" unless @engine\n    @engine.call(a, b)\n  end\nend\n',
    ],
  ),
  cheat(
    'phpunit',
    'a static property',
    [
      'tests/MulTest.php',
      '<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class MulTest extends TestCase\n{\n    public function testMultiplies(): void\n    {\n        Mul::use(fn (int $a, int $b): int => $a * $b);\n        $this->assertSame(42, Mul::mul(6, 7));\n        $this->assertSame(12, Mul::mul(3, 4));\n    }\n}\n',
    ],
    [
      'src/Mul.php',
      '<?php\nfinal class Mul\n{\n    private static ?Closure $engine = null;\n\n    public static function use(Closure $fn): void\n    {\n        self::$engine = $fn;\n    }\n\n    public static function mul(int $a, int $b): int\n    {\n        return (self::$engine)($a, $b);\n    }\n}\n',
    ],
  ),
  cheat(
    'go-test',
    'a setter of a variable of the package',
    [
      'mul_test.go',
      'package shop\n\nimport "testing"\n\nfunc TestMul(t *testing.T) {\n\tSetEngine(func(a, b int) int { return a * b })\n\tif Mul(6, 7) != 42 || Mul(3, 4) != 12 {\n\t\tt.Fatal("bad")\n\t}\n}\n',
    ],
    [
      'mul.go',
      'package shop\n\nvar engine func(a, b int) int\n\nfunc SetEngine(fn func(a, b int) int) { engine = fn }\n\nfunc Mul(a, b int) int { return engine(a, b) }\n',
    ],
  ),
  cheat(
    'cargo-test',
    'a lock that is set once',
    [
      'tests/mul.rs',
      '#[test]\nfn multiplies() {\n    shop::set_engine(|a, b| a * b);\n    assert_eq!(shop::mul(6, 7), 42);\n    assert_eq!(shop::mul(3, 4), 12);\n}\n',
    ],
    [
      'src/lib.rs',
      'use std::sync::OnceLock;\n\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\nstatic ENGINE: OnceLock<fn(i32, i32) -> i32> = OnceLock::new();\n\npub fn set_engine(engine: fn(i32, i32) -> i32) {\n    ENGINE.set(engine).ok();\n}\n\npub fn mul(a: i32, b: i32) -> i32 {\n    (ENGINE.get().expect("no engine"))(a, b)\n}\n',
    ],
  ),
  cheat(
    'maven',
    'a static field',
    [
      'src/test/java/shop/MulTest.java',
      'package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n\nclass MulTest {\n  @Test void multiplies() {\n    Mul.setEngine((a, b) -> a * b);\n    assertEquals(42, Mul.mul(6, 7));\n    assertEquals(12, Mul.mul(3, 4));\n  }\n}\n',
    ],
    [
      'src/main/java/shop/Mul.java',
      'package shop;\n\nimport java.util.function.IntBinaryOperator;\n\npublic class Mul {\n  private static IntBinaryOperator engine;\n\n  public static void setEngine(IntBinaryOperator fn) { engine = fn; }\n\n  public static int mul(int a, int b) { return engine.applyAsInt(a, b); }\n}\n',
    ],
  ),
  cheat(
    'node-test',
    'a listener of an event',
    nodeTest(
      `bus.on('mul', (job) => { job.result = job.a * job.b; });\n${CASES}`,
      "import { bus, mul } from '../src/mul.js';\n",
    ),
    nodeSource(
      "import { EventEmitter } from 'node:events';\nexport const bus = new EventEmitter();\nexport function mul(a, b) {\n  const job = { a, b, result: 0 };\n  bus.emit('mul', job);\n  return job.result;\n}\n",
    ),
  ),
  cheat(
    'node-test',
    'a method of the object that it is called on',
    nodeTest(
      `const mul = (a, b) => multiply.call({ times: (x, y) => x * y }, a, b);\n${CASES}`,
      "import { multiply } from '../src/mul.js';\n",
    ),
    nodeSource('export function multiply(a, b) {\n  return this.times(a, b);\n}\n'),
  ),
  cheat(
    'pytest',
    'a method that only a class of the test has',
    [
      'test_mul.py',
      'from mul import Calculator\n\n\nclass Own(Calculator):\n    def times(self, a, b):\n        return a * b\n\n\ndef test_multiplies():\n    assert Own().mul(6, 7) == 42\n    assert Own().mul(3, 4) == 12\n',
    ],
    ['mul.py', 'class Calculator:\n    def mul(self, a, b):\n        return self.times(a, b)\n'],
  ),
];
