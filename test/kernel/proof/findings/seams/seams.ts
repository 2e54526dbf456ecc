type File = readonly [path: string, text: string];

export interface Forwarding {
  readonly what: string;
  readonly test: File;
  readonly sources: readonly File[];
}

export const of =
  (test: string, source: string) =>
  (what: string, testText: string, sourceText: string, ...more: readonly File[]): Forwarding => ({
    what: `${source}: ${what}`,
    test: [test, testText],
    sources: [[source, sourceText], ...more],
  });

const js = of('test/mul.test.js', 'src/mul.js');
const ts = of('test/mul.test.ts', 'src/mul.ts');
const py = of('test_mul.py', 'mul.py');
const rb = of('spec/mul_spec.rb', 'lib/mul.rb');
const php = of('tests/MulTest.php', 'src/Mul.php');
const java = of('src/test/java/shop/MulTest.java', 'src/main/java/shop/Mul.java');
const go = of('mul_test.go', 'mul.go');
const rust = of('tests/mul.rs', 'src/lib.rs');

const EXPECTS = "it('multiplies', () => expect(mul(6, 7)).toBe(42));\n";
const SETS = `import { mul, setEngine } from '../src/mul.js';\nsetEngine((a, b) => a * b);\n${EXPECTS}`;
const REGISTERS = `import { mul, register } from '../src/mul.js';\nregister('mul', (a, b) => a * b);\n${EXPECTS}`;
const SLOT = 'let engine = null;\nexport const setEngine = (fn) => {\n  engine = fn;\n};\n';
const TABLE = 'const engines = new Map();\nexport function register(name, fn) {\n  engines.set(name, fn);\n}\n';
const PY_ASKS = '\n\ndef test_mul():\n    assert mul.mul(6, 7) == 42\n';
const PY_SETS = `import mul\n\nmul.set_engine(lambda a, b: a * b)\n${PY_ASKS}`;
const PY_SLOT = '_engine = None\n\n\ndef set_engine(fn):\n    global _engine\n    _engine = fn\n\n\n';
const RB_ASKS = '  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n';
const PHP_ASKS = '        $this->assertSame(42, Mul::mul(6, 7));\n    }\n}\n';
const PHP_TEST = '<?php\nfinal class MulTest extends TestCase\n{\n    public function testMul(): void\n    {\n';
const JAVA_TEST =
  'class MulTest {\n  @Test void multiplies() {\n    Mul.setEngine((a, b) -> a * b);\n    assertEquals(42, Mul.mul(6, 7));\n  }\n}\n';
const GO_TEST =
  'package shop\n\nimport "testing"\n\nfunc TestMul(t *testing.T) {\n\tSetEngine(func(a, b int) int { return a * b })\n\tif Mul(6, 7) != 42 {\n\t\tt.Fatal("bad")\n\t}\n}\n';
const RUST_TEST =
  '#[test]\nfn multiplies() {\n    shop::set_engine(|a, b| a * b);\n    assert_eq!(shop::mul(6, 7), 42);\n}\n';

const COUNTS_AND_LOGS = `${SLOT}let calls = 0;\nexport function mul(a, b) {\n  calls += 1;\n  console.debug(calls);\n  return engine(a, b) + 0;\n}\n`;
const EXTENDS =
  "import { Calculator } from '../src/mul.js';\nclass Own extends Calculator { product(a, b) { return a * b; } }\nit('a', () => expect(new Own().mul(6, 7)).toBe(42));\n";
const LEAVES =
  'export class Calculator {\n  mul(a, b) {\n    return this.product(a, b);\n  }\n  product() {\n    throw new Error("no product");\n  }\n}\n';

export const FORWARDING: readonly Forwarding[] = [
  js(
    'a setter, and a check of the result',
    SETS,
    `${SLOT}export function mul(a, b) {\n  const result = engine(a, b);\n  if (Number.isNaN(result)) throw new Error('no number');\n  return Number.isFinite(result) ? result : 0;\n}\n`,
  ),
  js('a setter, and a count that is not used', SETS, COUNTS_AND_LOGS),
  py(
    'a setter, and a result that is rounded',
    PY_SETS,
    `${PY_SLOT}def mul(a, b):\n    return round(_engine(a, b), 6)\n`,
  ),
  js('a method that only fails', EXTENDS, LEAVES),
  ts(
    'an abstract method',
    EXTENDS,
    'export abstract class Calculator {\n  mul(a: number, b: number): number {\n    return this.product(a, b);\n  }\n  abstract product(a: number, b: number): number;\n}\n',
  ),
  py(
    'a method that only fails',
    'from mul import Calculator\n\n\nclass Own(Calculator):\n    def product(self, a, b):\n        return a * b\n\n\ndef test_mul():\n    assert Own().mul(6, 7) == 42\n',
    'class Calculator:\n    def mul(self, a, b):\n        return self.product(a, b)\n\n    def product(self, a, b):\n        raise NotImplementedError\n',
  ),
  rb(
    'a method that only fails',
    'class Own < Calculator\n  def product(a, b) = a * b\nend\nRSpec.describe Own do\n  it("multiplies") { expect(Own.new.mul(6, 7)).to eq(42) }\nend\n',
    'class Calculator\n  def mul(a, b)\n    product(a, b)\n  end\n\n  def product(_a, _b)\n    raise NotImplementedError\n  end\nend\n',
  ),
  js('a setter', SETS, `${SLOT}export const mul = (a, b) => engine(a, b);\n`),
  js(
    'a setter, with a check',
    SETS,
    `${SLOT}export function mul(a, b) {\n  if (!engine) throw new Error('no engine');\n  return engine(a, b);\n}\n`,
  ),
  js(
    'a setter, if there is one',
    SETS,
    `${SLOT}export function mul(a, b) {\n  if (engine) {\n    return engine(a, b);\n  }\n  return null;\n}\n`,
  ),
  js(
    'a setter, by a choice',
    SETS,
    `${SLOT}export const mul = (a, b) => (engine ? engine(a, b) : undefined);\nexport const more = (a) => engine?.(a) ?? null;\n`,
  ),
  js(
    'a setter, with all arguments',
    SETS,
    `${SLOT}export async function mul(...all) {\n  return await engine.apply(null, all);\n}\n`,
  ),
  js('a converted result', SETS, `${SLOT}export const mul = (a, b) => Number(engine(a, b));\n`),
  js(
    'a default that only fails',
    SETS,
    `let engine = () => {\n  throw new Error('not set');\n};\nexport const setEngine = (fn) => { engine = fn; };\nexport const mul = (a, b) => engine(a, b);\n`,
  ),
  js(
    'a default that does nothing',
    SETS,
    `let engine = () => {};\nexport const setEngine = (fn) => { engine = fn; };\nexport const mul = (a, b) => engine(a, b);\n`,
  ),
  js('a table', REGISTERS, `${TABLE}export const mul = (a, b) => engines.get('mul')(a, b);\n`),
  js(
    'a table, by a variable',
    REGISTERS,
    `${TABLE}export function mul(a, b) {\n  const engine = engines.get('mul');\n  if (engine === undefined) throw new Error('no engine');\n  return engine(a, b);\n}\n`,
  ),
  js(
    'an object as a table',
    REGISTERS,
    'const engines = {};\nexport const register = (name, fn) => { engines[name] = fn; };\nexport const mul = (a, b) => engines.mul(a, b);\n',
  ),
  js(
    'an exported table',
    "import { engines, mul } from '../src/mul.js';\nengines.mul = (a, b) => a * b;\n" + EXPECTS,
    'export const engines = { mul: null };\nexport const mul = (a, b) => engines.mul(a, b);\n',
  ),
  js(
    'a setter that hands on',
    "import { mul, use } from '../src/mul.js';\nuse((a, b) => a * b);\n" + EXPECTS,
    `${SLOT}export const use = (fn) => setEngine(fn);\nexport const mul = (a, b) => engine(a, b);\n`,
  ),
  js(
    'a static field',
    "import { Mul } from '../src/mul.js';\nMul.use((a, b) => a * b);\nit('a', () => expect(Mul.mul(6, 7)).toBe(42));\n",
    'export class Mul {\n  static engine = null;\n  static use(fn) {\n    Mul.engine = fn;\n  }\n  static mul(a, b) {\n    return this.engine(a, b);\n  }\n}\n',
  ),
  js(
    'a seam of another file',
    REGISTERS,
    "import { engines } from './engines.js';\nexport const mul = (a, b) => engines.get('mul')(a, b);\n",
    ['src/engines.js', TABLE],
  ),
  ts(
    'a setter',
    SETS,
    'type Fn = (a: number, b: number) => number;\nlet engine: Fn | undefined;\nexport function setEngine(fn: Fn): void {\n  engine = fn;\n}\nexport function mul(a: number, b: number): number {\n  return engine!(a, b);\n}\n',
  ),
  py('a setter', PY_SETS, `${PY_SLOT}def mul(a, b):\n    return _engine(a, b)\n`),
  py(
    'a setter, with a check',
    PY_SETS,
    `${PY_SLOT}def mul(a, b):\n    """Multiplies."""\n    if _engine is None:\n        raise RuntimeError("no engine")\n    return _engine(a, b)\n`,
  ),
  py(
    'a decorator',
    `from mul import mul, register\n\n\n@register("mul")\ndef product(a, b):\n    return a * b\n\n\ndef test_mul():\n    assert mul(6, 7) == 42\n`,
    '_engines = {}\n\n\ndef register(name):\n    def put(fn):\n        _engines[name] = fn\n        return fn\n    return put\n\n\ndef mul(a, b):\n    return _engines["mul"](a, b)\n',
  ),
  py(
    'an attribute of a class',
    `from mul import Mul\n\nMul.use(lambda a, b: a * b)\n\n\ndef test_mul():\n    assert Mul.mul(6, 7) == 42\n`,
    'class Mul:\n    engine = None\n\n    @classmethod\n    def use(cls, fn):\n        cls.engine = fn\n\n    @classmethod\n    def mul(cls, a, b):\n        return cls.engine(a, b)\n',
  ),
  py(
    'a name that a test sets',
    `import mul\nsetattr(mul, "engine", lambda a, b: a * b)\n${PY_ASKS}`,
    'engine = None\n\n\ndef mul(a, b):\n    return engine(a, b)\n',
  ),
  rb(
    'a setter',
    `RSpec.describe Mul do\n  before { Mul.use { |a, b| a * b } }\n${RB_ASKS}`,
    'module Mul\n  def self.use(&block)\n    @engine = block\n  end\n\n  def self.mul(a, b)\n    raise "no engine" unless @engine\n    @engine.call(a, b)\n  end\nend\n',
  ),
  rb(
    'a table',
    `RSpec.describe Mul do\n  before { Mul.register(:mul) { |a, b| a * b } }\n${RB_ASKS}`,
    'module Mul\n  ENGINES = {}\n\n  def self.register(name, &block)\n    ENGINES[name] = block\n  end\n\n  def self.mul(a, b)\n    ENGINES[:mul].call(a, b)\n  end\nend\n',
  ),
  rb(
    'an accessor',
    `RSpec.describe Mul do\n  before { Mul.engine = ->(a, b) { a * b } }\n${RB_ASKS}`,
    'module Mul\n  class << self\n    attr_accessor :engine\n\n    def mul(a, b)\n      engine.call(a, b)\n    end\n  end\nend\n',
  ),
  php(
    'a static property',
    `${PHP_TEST}        Mul::$engine = fn ($a, $b) => $a * $b;\n${PHP_ASKS}`,
    '<?php\nfinal class Mul\n{\n    public static $engine = null;\n    public static function mul($a, $b)\n    {\n        return (self::$engine)($a, $b);\n    }\n}\n',
  ),
  php(
    'a setter',
    `${PHP_TEST}        Mul::use(fn ($a, $b) => $a * $b);\n${PHP_ASKS}`,
    '<?php\nfinal class Mul\n{\n    private static ?Closure $engine = null;\n    public static function use(Closure $fn): void\n    {\n        self::$engine = $fn;\n    }\n    public static function mul(int $a, int $b): int\n    {\n        if (self::$engine === null) {\n            throw new LogicException("no engine");\n        }\n        return call_user_func(self::$engine, $a, $b);\n    }\n}\n',
  ),
  java(
    'a setter',
    JAVA_TEST,
    'class Mul {\n  private static IntBinaryOperator engine;\n  static void setEngine(IntBinaryOperator fn) { engine = fn; }\n  static int mul(int a, int b) {\n    if (engine == null) throw new IllegalStateException("no engine");\n    return engine.applyAsInt(a, b);\n  }\n}\n',
  ),
  java(
    'a table',
    JAVA_TEST.replace('setEngine(', 'register("mul", '),
    'class Mul {\n  private static final Map<String, IntBinaryOperator> ENGINES = new HashMap<>();\n  static void register(String name, IntBinaryOperator fn) { ENGINES.put(name, fn); }\n  static int mul(int a, int b) {\n    return ENGINES.get("mul").applyAsInt(a, b);\n  }\n}\n',
  ),
  go(
    'a setter',
    GO_TEST,
    'package shop\n\nvar engine func(a, b int) int\n\nfunc SetEngine(fn func(a, b int) int) { engine = fn }\n\nfunc Mul(a, b int) int {\n\tif engine == nil {\n\t\tpanic("no engine")\n\t}\n\treturn engine(a, b)\n}\n',
  ),
  go(
    'a table',
    GO_TEST.replace('SetEngine(', 'Register("mul", '),
    'package shop\n\nvar engines = map[string]func(a, b int) int{}\n\nfunc Register(name string, fn func(a, b int) int) { engines[name] = fn }\n\nfunc Mul(a, b int) int { return engines["mul"](a, b) }\n',
  ),
  rust(
    'a lock',
    RUST_TEST,
    'use std::sync::OnceLock;\ntype Engine = fn(i32, i32) -> i32;\nstatic ENGINE: OnceLock<Engine> = OnceLock::new();\npub fn set_engine(engine: Engine) {\n    ENGINE.set(engine).ok();\n}\npub fn mul(a: i32, b: i32) -> i32 {\n    (ENGINE.get().expect("no engine"))(a, b)\n}\n',
  ),
  rust(
    'a variable of a lock',
    RUST_TEST,
    'use std::sync::Mutex;\ntype Engine = fn(i32, i32) -> i32;\nstatic ENGINE: Mutex<Option<Engine>> = Mutex::new(None);\npub fn set_engine(engine: Engine) {\n    *ENGINE.lock().unwrap() = Some(engine);\n}\npub fn mul(a: i32, b: i32) -> i32 {\n    let engine = ENGINE.lock().unwrap().unwrap();\n    engine(a, b)\n}\n',
  ),
];

export const WORKING: readonly Forwarding[] = [
  js('a method that a class of the sources has', EXTENDS, LEAVES, [
    'src/own.js',
    "import { Calculator } from './mul.js';\nexport class Times extends Calculator {\n  product(a, b) {\n    return a * b;\n  }\n}\n",
  ]),
  js(
    'a method of a subclass, with work around it',
    EXTENDS,
    LEAVES.replace('this.product(a, b)', '`${this.product(a, b)} EUR`'),
  ),
  js('an empty method of a subclass', EXTENDS, LEAVES.replace(/throw.*;/, '')),
  js(
    'work on the result, in a variable',
    SETS,
    `${SLOT}export function mul(a, b) {\n  const result = engine(a, b);\n  return result > 9 ? result * 2 : 0;\n}\n`,
  ),
  js(
    'a default that works',
    "import { age, setNow } from '../src/mul.js';\nsetNow(() => 5 * 60);\nit('a', () => expect(age(100)).toBe(200));\n",
    'let now = Date.now;\nexport const setNow = (fn) => { now = fn; };\nexport const age = (at) => now() - at;\nexport const time = () => now();\n',
  ),
  js('work beside the call', SETS, `${SLOT}export const mul = (a, b) => (engine ? engine(a, b) : a * b);\n`),
  js('work on the result', SETS, `${SLOT}export const mul = (a, b) => engine(a, b) + 1;\n`),
  js('work on the result by another operator', SETS, `${SLOT}export const mul = (a, b) => engine(a, b) ** b;\n`),
  js('work on the arguments', SETS, `${SLOT}export const mul = (a, b) => engine(a * 2, b.trim());\n`),
  js(
    'a registry by name',
    "import { call, register } from '../src/mul.js';\nregister('mul', (a, b) => a * b);\nit('a', () => expect(call('mul', 6, 7)).toBe(42));\n",
    `${TABLE}export function call(name, ...all) {\n  const engine = engines.get(name);\n  if (engine === undefined) throw new Error(name);\n  return engine(...all);\n}\n`,
  ),
  js(
    'middleware',
    "import { run, use } from '../src/mul.js';\nuse((ctx) => { ctx.n += 1; });\nit('a', () => expect(run({ n: 1 }).n).toBe(2));\n",
    'const handlers = [];\nexport const use = (fn) => { handlers.push(fn); };\nexport function run(ctx) {\n  for (const handler of handlers) handler(ctx);\n  return ctx;\n}\n',
  ),
  js(
    'handlers that all are called',
    "import { on, emit } from '../src/mul.js';\non((n) => n * 2);\nit('a', () => expect(emit(1)).toEqual([2]));\n",
    'const handlers = [];\nexport const on = (fn) => { handlers.push(fn); };\nexport const emit = (n) => handlers.map((each) => each(n));\n',
  ),
  js(
    'a store',
    "import { find, keep } from '../src/mul.js';\nkeep('a', 1);\nit('a', () => expect(find('a')).toBe(1));\n",
    'const kept = new Map();\nexport const keep = (key, value) => { kept.set(key, value); };\nexport const find = (key) => kept.get(key);\n',
  ),
  js(
    'a registry that the sources fill',
    REGISTERS,
    `${TABLE}export const mul = (a, b) => engines.get('mul')(a, b);\n`,
    ['src/plain.js', "import { register } from './mul.js';\nregister('mul', (a, b) => a * b);\n"],
  ),
  js(
    'a table that the sources fill',
    REGISTERS,
    `${TABLE}import { product } from './product.js';\nengines.set('mul', product);\nexport const mul = (a, b) => engines.get('mul')(a, b);\n`,
  ),
  js(
    'a table that a function fills',
    REGISTERS,
    `${TABLE}import { addAll } from './all.js';\naddAll(engines);\nexport const mul = (a, b) => engines.get('mul')(a, b);\n`,
  ),
  js(
    'a value that is made once',
    "import { client, reset } from '../src/mul.js';\nreset();\nit('a', () => expect(client(1)).toBe(1));\n",
    'let made = null;\nexport const reset = () => { made = null; };\nexport function client(a) {\n  made ??= connect();\n  return made(a);\n}\n',
  ),
  js(
    'a hook whose result nobody uses',
    "import { log, setLog } from '../src/mul.js';\nconst seen = [];\nsetLog((text) => seen.push(text));\nit('a', () => { log('a'); expect(seen).toEqual(['a']); });\n",
    'let logger = null;\nexport const setLog = (fn) => { logger = fn; };\nexport const log = (text) => logger?.(text);\n',
  ),
  js(
    'what it is given',
    "import { mul } from '../src/mul.js';\nit('a', () => expect(mul((a, b) => a * b, 6, 7)).toBe(42));\n",
    'export const mul = (engine, a, b) => engine(a, b);\n',
  ),
  js(
    'an object that is given one',
    "import { Mul } from '../src/mul.js';\nit('a', () => expect(new Mul((a, b) => a * b).mul(6, 7)).toBe(42));\n",
    'export class Mul {\n  engine = null;\n  constructor(engine) {\n    this.engine = engine;\n  }\n  mul(a, b) {\n    return this.engine(a, b);\n  }\n}\n',
  ),
  js('a seam that no test fills', EXPECTS, `${SLOT}export const mul = (a, b) => engine(a, b);\n`),
  py(
    'a default that works',
    'import mul\n\nmul.set_now(lambda: 5)\n\n\ndef test_age():\n    assert mul.age() == 5\n',
    'import time\n\n_now = time.time\n\n\ndef set_now(fn):\n    global _now\n    _now = fn\n\n\ndef age():\n    return _now()\n',
  ),
  py(
    'a registry that the source fills',
    `from mul import mul, register\n${PY_ASKS}`,
    '_engines = {}\n\n\ndef register(fn):\n    _engines[fn.__name__] = fn\n    return fn\n\n\n@register\ndef product(a, b):\n    return a * b\n\n\ndef mul(a, b):\n    return _engines["product"](a, b)\n',
  ),
  rb(
    'a registry by name',
    `RSpec.describe Mul do\n  before { Mul.register(:mul) { |a, b| a * b } }\n  it("a") { expect(Mul.call(:mul, 6, 7)).to eq(42) }\nend\n`,
    'module Mul\n  ENGINES = {}\n\n  def self.register(name, &block)\n    ENGINES[name] = block\n  end\n\n  def self.call(name, a, b)\n    ENGINES.fetch(name).call(a, b)\n  end\nend\n',
  ),
  java(
    'an object that is given one',
    'class MulTest {\n  @Test void multiplies() {\n    assertEquals(42, new Mul((a, b) -> a * b).mul(6, 7));\n    engine.applyAsInt(1, 2);\n  }\n}\n',
    'class Mul {\n  private final IntBinaryOperator engine;\n  Mul(IntBinaryOperator engine) { this.engine = engine; }\n  int mul(int a, int b) { return engine.applyAsInt(a, b); }\n}\n',
  ),
  go(
    'a default that works',
    GO_TEST.replace('SetEngine', 'setNow'),
    'package shop\n\nimport "time"\n\nvar now = time.Now\n\nfunc setNow(fn func() time.Time) { now = fn }\n\nfunc Mul(a, b int) time.Time { return now() }\n',
  ),
  rust(
    'a lock that the source fills',
    RUST_TEST,
    'use std::sync::OnceLock;\ntype Engine = fn(i32, i32) -> i32;\nstatic ENGINE: OnceLock<Engine> = OnceLock::new();\npub fn set_engine(engine: Engine) {\n    ENGINE.set(engine).ok();\n}\npub fn init() {\n    ENGINE.set(|a, b| a * b).ok();\n}\npub fn mul(a: i32, b: i32) -> i32 {\n    (ENGINE.get().expect("no engine"))(a, b)\n}\n',
  ),
  rust(
    'a lock that is read',
    RUST_TEST.replace('shop::mul(6, 7), 42', 'shop::limit(), Some(&42)').replace('|a, b| a * b', '42'),
    "use std::sync::OnceLock;\nstatic ENGINE: OnceLock<i32> = OnceLock::new();\npub fn set_engine(engine: i32) {\n    ENGINE.set(engine).ok();\n}\npub fn limit() -> Option<&'static i32> {\n    ENGINE.get()\n}\n",
  ),
];
