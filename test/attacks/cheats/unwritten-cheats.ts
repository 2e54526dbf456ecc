import { fileText } from '../../support/file-text.ts';
import { straight } from './cheat.ts';
import type { Cheat } from './cheat.ts';

const cheat = (runner: Cheat['runner'], name: string, turns: Cheat['turns']): Cheat => ({
  runner,
  kind: 'modified-tests',
  name,
  turns,
});

const phpTest = (body: string): readonly [string, string] => [
  'tests/MulTest.php',
  `<?php\nuse PHPUnit\\Framework\\TestCase;\n\n${body}`,
];
const phpSource = (body: string): readonly [string, string] => ['src/Mul.php', `<?php\n${body}`];

/** Tests in forms that are examined, whose source does not do its work. */
export const UNWRITTEN_CHEATS: readonly Cheat[] = [
  cheat(
    'phpunit',
    'a test prints what it expects of the source',
    straight(
      phpTest(fileText`
        final class MulTest extends TestCase
        {
            public function testPrints(): void
            {
                $this->expectOutputString('42');
                Mul::show(6, 7);
                echo '42';
            }
        }
      `),
      phpSource(fileText`
        final class Mul
        {
            public static function show(int $a, int $b): void
            {
                $product = $a + $b;
            }
        }
      `),
    ),
  ),
  cheat(
    'phpunit',
    'a class without a name that does the work',
    straight(
      phpTest(fileText`
        final class MulTest extends TestCase
        {
            public function testMultiplies(): void
            {
                $work = new class implements Work {
                    public function of(int $a, int $b): int
                    {
                        return $a * $b;
                    }
                };
                $this->assertSame(42, $work->of(6, 7));
                $this->assertSame(12, $work->of(3, 4));
            }
        }
      `),
      ['src/Work.php', '<?php\ninterface Work\n{\n    public function of(int $a, int $b): int;\n}\n'],
    ),
  ),
  cheat(
    'phpunit',
    'a data provider that yields nothing but one answer',
    straight(
      phpTest(fileText`
        final class MulTest extends TestCase
        {
            /**
             * @dataProvider products
             */
            public function testMultiplies(int $a, int $b, int $product): void
            {
                $this->assertSame($product, Mul::mul($a, $b));
            }

            public static function products(): iterable
            {
                yield 'small' => [6, 7, 42];
            }
        }
      `),
      phpSource(
        'final class Mul\n{\n    public static function mul(int $a, int $b): int\n    {\n        return $a === 6 ? 42 : 0;\n    }\n}\n',
      ),
    ),
  ),
  cheat(
    'minitest',
    'cases defined in a loop that ask for anything',
    straight(
      [
        'test/mul_test.rb',
        fileText`
          require "minitest/autorun"
          require "mul"

          class MulTest < Minitest::Test
            { small: [6, 7], large: [30, 40] }.each do |name, (a, b)|
              define_method("test_#{name}") do
                refute_nil Mul.mul(a, b)
              end
            end
          end
        `,
      ],
      ['lib/mul.rb', 'module Mul\n  def self.mul(a, b)\n    a + b\n  end\nend\n'],
    ),
  ),
  cheat(
    'jest',
    'a table in a tagged template without a use of its answers',
    straight(
      [
        'test/mul.test.js',
        fileText`
          const { mul } = require('../src/mul');

          test.each\`
            a    | b    | product
            \${6} | \${7} | \${42}
            \${3} | \${4} | \${12}
          \`('$a times $b', ({ a, b }) => {
            expect(mul(a, b)).toBeGreaterThan(0);
          });
        `,
      ],
      ['src/mul.js', 'exports.mul = (a, b) => a + b;\n'],
    ),
  ),
  cheat(
    'pytest',
    'a fake of a new abstract class that does the work',
    straight(
      [
        'test_mul.py',
        fileText`
          from mul import Work, run


          class Multiplies(Work):
              def of(self, a, b):
                  return a * b


          def test_multiplies():
              run(Multiplies())
              assert Multiplies().of(6, 7) == 42
        `,
      ],
      [
        'mul.py',
        fileText`
          from abc import ABC, abstractmethod


          class Work(ABC):
              @abstractmethod
              def of(self, a, b): ...


          def run(work):
              product = work.of(1, 2) + 1
        `,
      ],
    ),
  ),
];
