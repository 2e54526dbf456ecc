import { fileText } from '../../support/file-text.ts';
import { testFirst } from '../way.ts';
import type { RunnerWays, Step } from '../way.ts';

const test = (name: string, body: string): readonly [string, string] => [
  `tests/${name}.php`,
  `<?php\n\nuse PHPUnit\\Framework\\TestCase;\n\n${body}`,
];
const source = (name: string, body: string): readonly [string, string] => [`src/${name}.php`, `<?php\n\n${body}`];

const MAILER = source(
  'Mailer',
  fileText`
    interface Mailer
    {
        public function send(string $to, string $text): void;
    }
  `,
);
const WELCOME = source(
  'Welcome',
  fileText`
    final class Welcome
    {
        public function __construct(private Mailer $mailer)
        {
        }

        public function to(string $address, string $name): void
        {
            $this->mailer->send($address, 'Welcome, ' . $name);
        }
    }
  `,
);
const WELCOME_TEST = fileText`
    public function testWelcomesByName(): void
    {
        $mailer = FAKE;
        (new Welcome($mailer))->to('ada@example.org', 'Ada');
        (new Welcome($mailer))->to('bea@example.org', 'Bea');
        $this->assertSame(['ada@example.org: Welcome, Ada', 'bea@example.org: Welcome, Bea'], $mailer->sent);
    }
`;
const FAKE_BODY = fileText`
  {
      public array $sent = [];

      public function send(string $to, string $text): void
      {
          $this->sent[] = $to . ': ' . $text;
      }
  }
`;

const inCase = (body: string): string => body.replaceAll(/^(?=.)/gm, '    ');

const STACK = source(
  'Stack',
  fileText`
    final class Stack implements Bag
    {
        private array $items = [];

        public function add(int $item): void
        {
            $this->items[] = $item;
        }

        public function take(): int
        {
            return array_pop($this->items);
        }

        public function size(): int
        {
            return count($this->items);
        }
    }
  `,
);
const BAG = source(
  'Bag',
  fileText`
    interface Bag
    {
        public function add(int $item): void;

        public function take(): int;

        public function size(): int;
    }
  `,
);
const BAG_CASES = fileText`
  abstract class BagCases extends TestCase
  {
      abstract protected function bag(): Bag;

      public function testCountsItems(): void
      {
          $bag = $this->bag();
          $bag->add(7);
          $bag->add(9);
          $this->assertSame(2, $bag->size());
      }

      public function testTakesTheLast(): void
      {
          $bag = $this->bag();
          $bag->add(7);
          $bag->add(9);
          $this->assertSame(9, $bag->take());
          $this->assertSame(1, $bag->size());
      }
  }
`;
const inherited: readonly Step[] = [
  test('BagCases', BAG_CASES),
  [
    'tests/StackTest.php',
    fileText`
      <?php

      require_once __DIR__ . '/BagCases.php';

      final class StackTest extends BagCases
      {
          protected function bag(): Bag
          {
              return new Stack();
          }
      }
    `,
  ],
  'run',
  BAG,
  STACK,
  'run',
];

/** Tests of PHP whose code uses what does not exist yet. */
export const UNWRITTEN_PHP: RunnerWays = {
  runner: 'phpunit',
  project: {
    'composer.json': '{ "name": "own/shop", "require-dev": { "phpunit/phpunit": "*" } }\n',
    'phpunit.xml':
      '<phpunit bootstrap="bootstrap.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
    'bootstrap.php':
      "<?php\nspl_autoload_register(function ($name) {\n    $file = __DIR__ . '/src/' . basename(str_replace('\\\\', '/', $name)) . '.php';\n    if (is_file($file)) {\n        require_once $file;\n    }\n});\n",
    'src/Add.php':
      '<?php\n\nfinal class Add\n{\n    public static function add(int $a, int $b): int\n    {\n        return $a + $b;\n    }\n}\n',
    'tests/AddTest.php': test(
      'AddTest',
      'final class AddTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, Add::add(1, 2));\n    }\n}\n',
    )[1],
  },
  ways: [
    {
      name: 'a class without a name for a new interface',
      steps: [
        test(
          'WelcomeTest',
          `final class WelcomeTest extends TestCase\n{\n${WELCOME_TEST.replace('FAKE', `new class implements Mailer\n${inCase(inCase(FAKE_BODY)).trimEnd()}`)}}\n`,
        ),
        'run',
        MAILER,
        WELCOME,
        'run',
      ],
    },
    {
      name: 'a fake class for a new interface',
      steps: [
        test(
          'WelcomeTest',
          `final class FakeMailer implements Mailer\n${FAKE_BODY}\nfinal class WelcomeTest extends TestCase\n{\n${WELCOME_TEST.replace('FAKE', 'new FakeMailer()')}}\n`,
        ),
        'run',
        MAILER,
        WELCOME,
        'run',
      ],
    },
    {
      name: 'a data provider that yields',
      steps: testFirst(
        test(
          'HalfTest',
          fileText`
            final class HalfTest extends TestCase
            {
                /**
                 * @dataProvider halves
                 */
                public function testHalves(int $whole, int $half): void
                {
                    $this->assertSame($half, Half::of($whole));
                }

                public static function halves(): iterable
                {
                    yield 'even' => [18, 9];
                    yield 'less than nothing' => [-26, -13];
                }
            }
          `,
        ),
        source(
          'Half',
          fileText`
            final class Half
            {
                public static function of(int $n): int
                {
                    return intdiv($n, 2);
                }
            }
          `,
        ),
      ),
    },
    {
      name: 'what is printed',
      steps: testFirst(
        test(
          'BannerTest',
          fileText`
            final class BannerTest extends TestCase
            {
                public function testPrintsTheName(): void
                {
                    $this->expectOutputString("== Tea ==\n");
                    Banner::show('Tea');
                }

                public function testPrintsNothingWithoutAName(): void
                {
                    $this->expectOutputString('');
                    Banner::show('');
                }
            }
          `,
        ),
        source(
          'Banner',
          fileText`
            final class Banner
            {
                public static function show(string $name): void
                {
                    if ($name !== '') {
                        echo '== ' . $name . " ==\n";
                    }
                }
            }
          `,
        ),
      ),
    },
    {
      name: 'cases that a class inherits',
      steps: inherited,
      reasons: [/Variants of the new tests: not possible/],
    },
  ],
};
