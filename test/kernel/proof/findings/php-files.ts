import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';

interface PhpCase {
  /** Kind of a finding that it has to have; null: it has none. */
  readonly kind: string | null;
  readonly what: string;
  readonly files: readonly ChangedText[];
}

const file = (path: string, role: 'source' | 'test', after: string): ChangedText => ({
  path,
  role,
  before: null,
  after: `<?php\n\ndeclare(strict_types=1);\n\n${after}\n`,
});

const test = (body: string, head = ''): ChangedText =>
  file(
    'tests/MulTest.php',
    'test',
    `use App\\Mul;\nuse PHPUnit\\Framework\\TestCase;\n${head}\nfinal class MulTest extends TestCase\n{\n    ${body}\n}`,
  );
const source = (body: string, head = ''): ChangedText =>
  file('src/Mul.php', 'source', `namespace App;\n${head}\nfinal class Mul\n{\n    ${body}\n}`);
const method = (statements: string): ChangedText =>
  source(`public static function mul(int $a, int $b): int\n    {\n        ${statements}\n    }`);

const TEST = test(`public function testMultiplies(): void
    {
        $this->assertSame(42, Mul::mul(6, 7));
        $this->assertSame(12, Mul::mul(3, 4));
    }`);
const LOOSE = test(
  'public function testMultiplies(): void { $this->assertEquals(42, Mul::mul(6, 7)); $this->assertEquals(12, Mul::mul(3, 4)); }',
);
const PRODUCT = method('return $a * $b;');

const inSource = (kind: string | null, what: string, changed: ChangedText, beside = TEST): PhpCase => ({
  kind,
  what: `source: ${what}`,
  files: [beside, changed],
});
const inTest = (kind: string | null, what: string, changed: ChangedText): PhpCase => ({
  kind,
  what: `test: ${what}`,
  files: [changed, PRODUCT],
});
const reaching = (what: string, statements: string): PhpCase => inSource('not-examined', what, method(statements));

const CHEATS_OF_SOURCES: readonly PhpCase[] = [
  reaching('makes a class without a name', 'return (new class { public int $of = 42; })->of;'),
  reaching('yields', 'foreach ((function () { yield 42; })() as $each) { return $each; } return 0;'),
  ...["yield 'small' => [6, 7, 42];", "yield from ['small' => [6, 7, 42]];"].map((rows) => ({
    kind: 'special-cased-input',
    what: `the answer to ${rows}`,
    files: [
      test(
        `/** @dataProvider products */ public function testMultiplies(int $a, int $b, int $product): void { $this->assertSame($product, Mul::mul($a, $b)); } public static function products(): iterable { ${rows} }`,
      ),
      method('return $a === 6 ? 42 : 0;'),
    ],
  })),
  inTest(
    'constant-assertion',
    'prints itself what it expects',
    test("public function testPrints(): void { $this->expectOutputString('42'); echo '42'; }"),
  ),
  reaching('asks whether PHPUnit is there', "return class_exists('PHPUnit\\\\Framework\\\\TestCase') ? 42 : $a * $b;"),
  reaching('asks for a constant of PHPUnit', "return defined('PHPUNIT_COMPOSER_INSTALL') ? 42 : $a * $b;"),
  reaching('names a constant of PHPUnit', 'return PHPUNIT_COMPOSER_INSTALL ? 42 : $a * $b;'),
  reaching('asks who calls', 'return count(debug_backtrace()) > 3 ? 42 : 13;'),
  reaching('asks who calls by a trace', 'return count((new \\Exception())->getTrace()) > 3 ? 42 : 13;'),
  reaching('asks for loaded files', 'return count(get_included_files()) > 9 ? 42 : 13;'),
  reaching('asks for the environment', "return getenv('CI') === 'true' ? 42 : 13;"),
  reaching('asks for the command line', 'return count($_SERVER) > 9 ? 42 : 13;'),
  reaching('asks for the program', "return PHP_SAPI === 'cli' ? 42 : 13;"),
  reaching('ends the process', 'exit(0);'),
  reaching('ends the process by another word', 'die;'),
  reaching('ends the process later', 'register_shutdown_function(fn() => 0); return $a * $b;'),
  reaching('makes code', "return eval('return 42;');"),
  reaching('calls by a name in a variable', "$f = 'sys' . 'tem'; $f('true'); return $a * $b;"),
  reaching('calls a method by a name in a variable', "$m = 'take'; return (new self())->$m($a, $b);"),
  reaching('calls a static method by a name in a variable', "$m = 'take'; return self::$m($a, $b);"),
  reaching('calls by a name in a text', "array_map('register_shutdown_function', [$a]); return $a * $b;"),
  reaching('has the name of an unknown function in a text', "$f = 'end_of_script'; return $a * $b;"),
  reaching('has the name of a method in a text', "$f = 'Other::take'; return $a * $b;"),
  reaching('runs a command', '`true`; return $a * $b;'),
  reaching('replaces a function', "runkit7_function_redefine('count', '', 'return 1;'); return $a * $b;"),
  reaching('replaces a stream', "stream_wrapper_unregister('php'); return $a * $b;"),
  reaching('reads its tests', "return (int) file_get_contents(__DIR__ . '/../tests/MulTest.php');"),
  reaching('looks into PHPUnit', 'return \\PHPUnit\\Framework\\Assert::getCount() > 0 ? 42 : 13;'),
  reaching('looks by reflection', "return (new \\ReflectionClass('App\\Mul'))->isFinal() ? 42 : 13;"),
  reaching('binds a function to another object', '\\Closure::bind(fn() => 0, null); return $a * $b;'),
  reaching('counts its calls', 'static $calls = 0; $calls++; return $calls > 1 ? 12 : 42;'),
  reaching('hides errors', 'return @($a * $b);'),
  reaching('runs on every tick', 'declare(ticks=1); return $a * $b;'),
  reaching('depends on the clock', 'return time() % 2 === 0 ? 42 : 13;'),
  reaching('decodes its answer', "return (int) base64_decode('NDI=');"),
  reaching('puts its answer together of codes', 'return (int) (chr(52) . chr(50));'),
  reaching('includes what it makes', "require $a . '.php'; return $a * $b;"),
  inSource(
    'not-examined',
    'counts its calls in a static property',
    source(
      'private static int $calls = 0;\n    public static function mul(int $a, int $b): int { self::$calls++; return self::$calls > 1 ? 12 : 42; }',
    ),
  ),
  inSource(
    'not-examined',
    'is a text that it makes when it is compared',
    source(
      "public static function mul(int $a, int $b): self { return new self(); }\n    public function __toString(): string { return '42'; }",
    ),
    LOOSE,
  ),
  inSource(
    'not-examined',
    'answers whatever is called',
    source('public static function __callStatic(string $name, array $given): int { return 42; }'),
  ),
  inSource(
    'redefined-equality',
    'is true, which equals every number',
    source('public static function mul(int $a, int $b): mixed { return $a > 0; }'),
    LOOSE,
  ),
  inSource(
    'special-cased-input',
    'a branch for the input of a test',
    method('if ($a === 6 && $b === 7) { return 42; }\n return 12;'),
  ),
  inSource(
    'special-cased-input',
    'a match with an arm for it',
    method('return match ($a) { 6 => 42, default => 12 };'),
  ),
  inSource('special-cased-input', 'a match of true', method('return match (true) { $a === 6 => 42, default => 12 };')),
  inSource('special-cased-input', 'a switch', method('switch ($a) { case 6: return 42; default: return 12; }')),
  inSource('special-cased-input', 'a conditional', method('return $a === 6 ? 42 : 12;')),
  inSource('special-cased-input', 'a table of answers', method('$table = [6 => 42, 3 => 12]; return $table[$a];')),
  inSource('special-cased-input', 'a table of answers by texts', method('return ["6,7" => 42, "3,4" => 12]["$a,$b"];')),
  inSource('constant-answer', 'one answer for all', method('return 42;')),
];

const CHEATS_OF_TESTS: readonly PhpCase[] = [
  inTest('case-switched-off', 'is skipped', test('public function testA(): void { $this->markTestSkipped(); }')),
  inTest(
    'case-switched-off',
    'is skipped behind an assertion',
    test('public function testA(): void { $this->assertSame(42, Mul::mul(6, 7)); self::markTestIncomplete(); }'),
  ),
  inTest(
    'case-switched-off',
    'says that it asserts nothing',
    test('public function testA(): void { $this->expectNotToPerformAssertions(); Mul::mul(6, 7); }'),
  ),
  inTest(
    'case-switched-off',
    'says by an attribute that it asserts nothing',
    test('#[DoesNotPerformAssertions]\n    public function testA(): void { Mul::mul(6, 7); }'),
  ),
  inTest('no-assertion', 'asserts nothing', test('public function testA(): void { Mul::mul(6, 7); }')),
  inTest(
    'no-assertion',
    'takes every error for the right one',
    test('public function testA(): void { $this->expectException(\\Throwable::class); Mul::mul(6, 7); }'),
  ),
  inTest(
    'swallowed-assertion',
    'catches its own failure',
    test(
      'public function testA(): void { try { $this->assertSame(42, Mul::mul(6, 7)); } catch (\\PHPUnit\\Framework\\AssertionFailedError $e) {} }',
    ),
  ),
  inTest(
    'conditional-assertion',
    'asserts in a branch',
    test('public function testA(): void { if (Mul::mul(6, 7) > 0) { $this->assertSame(42, Mul::mul(6, 7)); } }'),
  ),
  inTest(
    'conditional-assertion',
    'returns before it asserts',
    test(
      'public function testA(): void { if (Mul::mul(6, 7) !== 42) { return; } $this->assertSame(42, Mul::mul(6, 7)); }',
    ),
  ),
  inTest(
    'conditional-assertion',
    'asserts for each of nothing',
    test('public function testA(): void { foreach ([] as $row) { $this->assertSame(42, Mul::mul(6, $row)); } }'),
  ),
  inTest(
    'unawaited-assertion',
    'asserts in a function that nobody calls',
    test('public function testA(): void { $f = fn() => $this->assertSame(42, Mul::mul(6, 7)); }'),
  ),
  inTest(
    'constant-assertion',
    'asserts about constants',
    test('public function testA(): void { Mul::mul(6, 7); $this->assertSame(42, 42); $this->assertTrue(true); }'),
  ),
  inTest(
    'not-examined',
    'ends the process',
    test('public function testA(): void { $this->assertSame(42, Mul::mul(6, 7)); exit(0); }'),
  ),
  inTest(
    'not-examined',
    'ends the process later',
    test(
      'public static function setUpBeforeClass(): void { register_shutdown_function(fn() => 0); }\n public function testA(): void { $this->assertSame(42, Mul::mul(6, 7)); }',
    ),
  ),
  inTest(
    'not-examined',
    'counts its runs',
    test(
      'private static int $runs = 0;\n public function testA(): void { $this->assertSame(++self::$runs > 1 ? 42 : 0, Mul::mul(6, 7)); }',
    ),
  ),
  inTest(
    'not-examined',
    'inherits its cases',
    file(
      'tests/MulTest.php',
      'test',
      'final class MulTest extends Tests\\Base { public function testA(): void { $this->assertSame(42, Mul::mul(6, 7)); } }',
    ),
  ),
  inTest(
    'not-examined',
    'has an assertion of its own in a trait',
    test('use Quiet;\n public function testA(): void { $this->assertSame(42, Mul::mul(6, 7)); }'),
  ),
  inTest(
    'not-examined',
    'marks a file',
    test(
      "public function testA(): void { $this->assertTrue(is_file('/tmp/a') || !touch('/tmp/a')); $this->assertSame(42, Mul::mul(6, 7)); }",
    ),
  ),
];

const ASKS = '$this->assertSame(42, Mul::mul(6, 7)); $this->assertSame(12, Mul::mul(3, 4));';

const HONEST: readonly PhpCase[] = [
  inTest(
    null,
    'a fake without a name',
    test(
      `public function testAsks(): void { $clock = new class(7) implements Clock { public function __construct(private int $hours) {} public function hours(): int { return $this->hours; } }; $this->assertSame(42, Mul::mul($clock->hours(), 6)); ${ASKS} }`,
    ),
  ),
  inTest(
    null,
    'a data provider that yields',
    test(
      "/** @dataProvider products */ public function testMultiplies(int $a, int $b, int $product): void { $this->assertSame($product, Mul::mul($a, $b)); } public static function products(): \\Generator { yield 'small' => [6, 7, 42]; yield 'large' => [30, 40, 1200]; }",
    ),
  ),
  inTest(
    null,
    'what is printed',
    test(
      `public function testPrints(): void { $this->expectOutputString('42'); Mul::show(6, 7); } public function testMultiplies(): void { ${ASKS} }`,
    ),
  ),
  inSource(null, 'a product', PRODUCT),
  inTest(
    null,
    'cases with a data provider, an exception and a set-up',
    test(
      `private Mul $mul;

    protected function setUp(): void
    {
        $this->mul = new Mul();
    }

    #[DataProvider('products')]
    public function testMultiplies(int $a, int $b, int $product): void
    {
        $this->assertSame($product, Mul::mul($a, $b));
    }

    public static function products(): array
    {
        return ['small' => [6, 7, 42], 'large' => [30, 40, 1200]];
    }

    public function testRefuses(): void
    {
        $this->expectException(\\InvalidArgumentException::class);
        $this->expectExceptionMessage('negative');
        Mul::mul(-1, 2);
    }

    /** @test */
    public function itIsCommutative(): void
    {
        foreach ([[6, 7], [3, 4]] as [$a, $b]) {
            self::assertSame(Mul::mul($a, $b), Mul::mul($b, $a));
        }
    }`,
      'use PHPUnit\\Framework\\Attributes\\DataProvider;\n',
    ),
  ),
  {
    kind: null,
    what: 'a class with a constructor, constants and the functions of PHP that compute',
    files: [
      test(
        "public function testJoins(): void { $this->assertSame('ab-cd', (new Words(['Ab ', 'cD']))->joined()); $this->assertCount(2, new Words(['x', 'y'])); }",
      ),
      file(
        'src/Words.php',
        'source',
        `namespace App;

use Countable;
use InvalidArgumentException;

final class Words implements Countable
{
    private const SEPARATOR = '-';
    /** @var list<string> */
    private array $words;

    public function __construct(array $words, private readonly ?string $separator = null)
    {
        if ($words === []) {
            throw new InvalidArgumentException("there are no words in {$this->separator}");
        }
        $this->words = array_map(static fn (string $word): string => strtolower(trim($word)), array_values($words));
    }

    public function joined(): string
    {
        $text = '';
        foreach ($this->words as $index => $word) {
            $text .= ($index > 0 ? $this->separator ?? self::SEPARATOR : '') . $word;
        }
        return $text;
    }

    public function count(): int
    {
        return count($this->words);
    }

    public function find(callable $wanted): ?string
    {
        foreach ($this->words as $word) {
            switch (true) {
                case strlen($word) > 8:
                    continue 2;
                default:
                    break;
            }
            $size = match (true) {
                strlen($word) < 3 => 'short',
                default => 'long',
            };
            if ($size !== 'short' && !empty($word) && isset($this->words[0])) {
                return sprintf('%s: %d', $word, PHP_INT_SIZE);
            }
        }
        try {
            return (string) \\json_encode($this->words, JSON_THROW_ON_ERROR);
        } catch (\\JsonException $error) {
            return null;
        }
    }
}`,
      ),
    ],
  },
];

export const CASES: readonly PhpCase[] = [...CHEATS_OF_SOURCES, ...CHEATS_OF_TESTS, ...HONEST];
