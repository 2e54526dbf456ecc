import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const half = (statements: string): readonly [string, string] => [
  'src/Half.php',
  `<?php\n\nfinal class Half\n{\n    public static function of(int $n): int\n    {\n${statements}    }\n}\n`,
];
const GUARD =
  "        if ($n % 2 !== 0) {\n            throw new InvalidArgumentException('it is odd');\n        }\n\n";

export const PHPUNIT_WAYS: RunnerWays = {
  runner: 'phpunit',
  project: {
    'composer.json': '{ "name": "own/half", "require-dev": { "phpunit/phpunit": "*" } }\n',
    'phpunit.xml':
      '<phpunit bootstrap="bootstrap.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
    'bootstrap.php':
      "<?php\nspl_autoload_register(function ($name) {\n    $file = __DIR__ . '/src/' . basename(str_replace('\\\\', '/', $name)) . '.php';\n    if (is_file($file)) {\n        require_once $file;\n    }\n});\n",
    'src/Add.php':
      '<?php\n\nfinal class Add\n{\n    public static function add(int $a, int $b): int\n    {\n        return $a + $b;\n    }\n}\n',
    'tests/AddTest.php':
      '<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class AddTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, Add::add(1, 2));\n    }\n}\n',
  },
  ways: [
    {
      name: 'a case that a base class has',
      files: {
        'tests/ShapeCase.php':
          '<?php\nuse PHPUnit\\Framework\\TestCase;\n\nabstract class ShapeCase extends TestCase\n{\n    abstract protected function shape(): object;\n\n    abstract protected function area(): int;\n\n    public function testArea(): void\n    {\n        $this->assertSame($this->area(), $this->shape()->area());\n    }\n}\n',
      },
      steps: testFirst(
        [
          'tests/BoxTest.php',
          "<?php\nrequire_once __DIR__ . '/ShapeCase.php';\n\nfinal class BoxTest extends ShapeCase\n{\n    protected function shape(): object\n    {\n        return new Box(3, 4);\n    }\n\n    protected function area(): int\n    {\n        return 12;\n    }\n\n    public function testWide(): void\n    {\n        $this->assertSame(30, (new Box(5, 6))->area());\n    }\n}\n",
        ],
        [
          'src/Box.php',
          '<?php\nfinal class Box\n{\n    public function __construct(private int $width, private int $height)\n    {\n    }\n\n    public function area(): int\n    {\n        return $this->width * $this->height;\n    }\n}\n',
        ],
      ),
    },
    {
      name: 'a class with a data provider and an exception',
      steps: testFirst(
        [
          'tests/HalfTest.php',
          `<?php
use PHPUnit\\Framework\\TestCase;

final class HalfTest extends TestCase
{
    /**
     * @dataProvider halves
     */
    public function testHalves(int $whole, int $half): void
    {
        $this->assertSame($half, Half::of($whole));
    }

    public static function halves(): array
    {
        return ['even' => [18, 9], 'less than nothing' => [-26, -13]];
    }

    public function testRefuses(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('it is odd');
        Half::of(3);
    }
}
`,
        ],
        half(`${GUARD}        return intdiv($n, 2);\n`),
      ),
    },
    {
      name: 'a fix',
      kind: 'fix',
      files: { 'src/Half.php': half('        return (int) round($n / 2);\n')[1] },
      steps: testFirst(
        [
          'tests/HalfTest.php',
          '<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class HalfTest extends TestCase\n{\n    public function testRoundsDown(): void\n    {\n        $this->assertSame(8, Half::of(17));\n        $this->assertSame(-6, Half::of(-11));\n    }\n}\n',
        ],
        half('        return (int) floor($n / 2);\n'),
      ),
    },
    {
      name: 'a source that the tests require by its path',
      steps: testFirst(
        [
          'tests/TwiceTest.php',
          "<?php\nuse PHPUnit\\Framework\\TestCase;\n\nrequire_once __DIR__ . '/../src/twice.php';\n\nfinal class TwiceTest extends TestCase\n{\n    public function testDoubles(): void\n    {\n        $this->assertSame(14, Twice::of(7));\n        $this->assertSame(-18, Twice::of(-9));\n    }\n}\n",
        ],
        [
          'src/twice.php',
          '<?php\n\nfinal class Twice\n{\n    public static function of(int $n): int\n    {\n        return $n * 2;\n    }\n}\n',
        ],
      ),
    },
  ],
};
