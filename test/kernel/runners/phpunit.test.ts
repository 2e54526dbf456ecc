import { afterAll, describe, expect, it } from 'vitest';
import { phpunit } from '../../../src/kernel/runners/phpunit/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { countsLines, phpToolchain } from '../../support/php-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const toolchain = await phpToolchain();
/** Left out where the machine has no PHP. */
const describeHere = describe.skipIf(toolchain === null);
const host = new RunnerOnHost(phpunit, {
  env: { ...toolchain?.forTests.env, PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: 30_000,
});
const start = host.run.bind(host);
afterAll(() => {
  host.close();
});

/** A test file with one class; `body` is its methods. */
const tests = (body: string, head = '', name = 'OwnTest'): string =>
  `<?php\nuse PHPUnit\\Framework\\TestCase;\n${head}\nclass ${name} extends TestCase\n{\n${body}\n}\n`;
const BAD = 'public function testBad() { $this->assertSame(1, 2); }';
const GOOD = 'public function testGood() { $this->assertTrue(true); }';
const MUL = {
  'src/Mul.php':
    '<?php\nnamespace App;\n\nclass Mul\n{\n    public static function mul($a, $b)\n    {\n        return $a * $b;\n    }\n\n    public static function other()\n    {\n        return 1;\n    }\n}\n',
};
const REQUIRED = 'require_once __DIR__ . "/../src/Mul.php";\nuse App\\Mul;';

describeHere('a run of PHPUnit', () => {
  it('lists every case with its file, its full name, its status and how it failed', async () => {
    const run = await start({
      ...MUL,
      'phpunit.xml':
        '<?xml version="1.0"?>\n<phpunit bootstrap="tests/setup.php"><php><env name="WORD" value="set"/></php></phpunit>\n',
      'tests/setup.php': '<?php require_once __DIR__ . "/../src/Mul.php";\n',
      'tests/MulTest.php': tests(
        `public static function setUpBeforeClass(): void { echo "begun\\n"; }
public function testLast() { $this->assertSame(42, Mul::mul(6, 7)); return 42; }
/** @depends testLast */
public function testAfter(int $last) { $this->assertSame(42, $last); }
/** @dataProvider numbers */
public function testOf(int $a, int $b) { $this->assertSame($b, Mul::mul($a, 2)); }
public function numbers(): array { return ['one' => [1, 2], [2, 5]]; }
public function testWrong() { $this->assertSame(['a'], ['b'], 'sum'); }
public function testThrowing() { throw new LogicException('no'); }
public function testWarning() { return [][0]; }
public function testLater() { $this->markTestSkipped('later'); }
public function testUnfinished() { $this->markTestIncomplete(); }
public function testNothing() { }
public function testEnvironment() { $this->assertSame('set', getenv('WORD')); $this->expectException(LogicException::class); throw new LogicException(); }`,
        'use App\\Mul;',
        'MulTest',
      ),
      'tests/Deep/OtherTest.php': tests(GOOD, 'namespace Deep;', 'OtherTest').replace(
        /^<\?php\n(.*)\n(.*)\n/,
        '<?php\n$2\n$1\n',
      ),
    });
    expect(run.outcome, JSON.stringify(run)).toBe('failed');
    expect(statuses(run)).toEqual({
      'tests/MulTest.php MulTest > testLast': 'passed',
      'tests/MulTest.php MulTest > testAfter': 'passed',
      'tests/MulTest.php MulTest > testOf with data set "one"': 'passed',
      'tests/MulTest.php MulTest > testOf with data set #0': 'failed',
      'tests/MulTest.php MulTest > testWrong': 'failed',
      'tests/MulTest.php MulTest > testThrowing': 'failed',
      'tests/MulTest.php MulTest > testWarning': 'failed',
      'tests/MulTest.php MulTest > testLater': 'skipped',
      'tests/MulTest.php MulTest > testUnfinished': 'skipped',
      'tests/MulTest.php MulTest > testNothing': 'skipped',
      'tests/MulTest.php MulTest > testEnvironment': 'passed',
      'tests/Deep/OtherTest.php OtherTest > testGood': 'passed',
    });
    const failure = (name: string) => run.cases.find((each) => each.name.endsWith(name))?.failure;
    expect(failure('testWrong')).toEqual({
      kind: 'assertion',
      message: expect.stringMatching(/^sum\nFailed asserting[^]*-\s+0 => 'a'\n\+\s+0 => 'b'/) as unknown,
    });
    expect(failure('testThrowing')).toEqual({ kind: 'error', message: 'LogicException: no' });
    expect(run.output).toContain('begun');
  });

  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const run = await start({ 'OwnTest.php': tests(GOOD) });
    expect(run).toMatchObject({ outcome: 'passed', files: ['OwnTest.php'] });
    expect(run.cases.map(({ name }) => name)).toEqual(['OwnTest > testGood']);
  });

  it('lets a package that the lockfile names have assertions of its own', async () => {
    const run = await start({
      'composer.lock': '{ "packages-dev": [{ "name": "a/base" }] }',
      'vendor/a/base/Base.php':
        '<?php class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void { parent::assertSame($a, $b, $m); } }',
      'OwnTest.php': `<?php require "vendor/a/base/Base.php"; class OwnTest extends Base { ${GOOD} }`,
    });
    expect(run).toMatchObject({ outcome: 'passed' });
  });

  it('has no command line that names the judge', async () => {
    const run = await start({
      'OwnTest.php': tests(
        'public function testX() { foreach ([getmypid(), posix_getppid()] as $pid) $seen[] = file_get_contents("/proc/$pid/cmdline"); $this->fail(implode(" ", $seen)); }',
      ),
    });
    expect(run.cases[0]?.failure?.message).toContain('/dev/fd/4');
    expect(run.cases[0]?.failure?.message).not.toMatch(/phpunit_file|phpunit-run/);
  });

  it('loads the packages of the project, and what they are to be loaded by', async () => {
    const run = await start({
      ...MUL,
      'vendor/autoload.php':
        '<?php spl_autoload_register(function ($name) { if ($name === "App\\\\Mul") require __DIR__ . "/../src/Mul.php"; });\n',
      'tests/MulTest.php': tests(
        'public function testX() { $this->assertSame(6, Mul::mul(2, 3)); }',
        'use App\\Mul;',
        'MulTest',
      ),
    });
    expect(run).toMatchObject({ outcome: 'passed', cases: [{ name: 'MulTest > testX' }] });
  });

  it.each([
    ['a file', 'require_once __DIR__ . "/../src/None.php";', '/src/None.php', undefined, true],
    ['a class', 'class Base extends App\\Base {}', '/(package)', 'App\\Base', true],
    ['a function', 'nothing();', '/(package)', 'nothing', true],
    ['a file of a package', 'require_once __DIR__ . "/../vendor/autoload.php";', undefined, undefined, false],
    ['a part of PHPUnit', 'new PHPUnit\\Nothing();', undefined, undefined, false],
  ])('says of %s that is missing whether the task may create it', async (_, line, path, name, inside) => {
    const run = await start({ 'tests/OwnTest.php': tests(GOOD, line) });
    expect(run.cases, JSON.stringify(run)).toHaveLength(1);
    expect(run.cases[0]?.failure?.kind).toBe('load');
    const missing = run.cases[0]?.failure?.missing;
    expect(missing?.specifier.endsWith(path ?? '')).toBe(path === undefined ? undefined : true);
    expect(missing?.export).toBe(name);
    const root = missing?.specifier.replace(`/tests/..${path ?? ''}`, '').replace(path ?? '', '') ?? '/project';
    expect(resolvesInside(root, 'tests/OwnTest.php', missing?.specifier ?? '')).toBe(inside);
  });

  it('reports what PHPUnit requires for a file without a class of its name', async () => {
    const run = await start({ 'OwnTest.php': '<?php\n' });
    expect(run.cases).toMatchObject([
      { status: 'failed', failure: { kind: 'load', message: expect.stringContaining('no class OwnTest') as unknown } },
    ]);
  });

  it('reports that a file does not load if its data provider fails: the names of its cases are unknown', async () => {
    const body = `/** @dataProvider pairs */
public function testOf($a) { $this->assertNotNull($a); }
public static function pairs(): array { return [[new Missing()]]; }`;
    const run = await start({ 'OwnTest.php': tests(`${GOOD}\n${body}`) });
    const load = run.cases.find(({ name }) => name === '(load)');
    expect(load, JSON.stringify(run)).toMatchObject({ status: 'failed', failure: { kind: 'load' } });
    expect(load?.failure?.missing).toBeUndefined();
    expect(run.cases.map(({ name }) => name)).not.toContain('OwnTest > Error');
  });

  it('reports what PHP itself ends a process for as a crash', async () => {
    const run = await start({ 'OwnTest.php': tests(GOOD, 'class A { use Missing; }') });
    expect(run.cases).toMatchObject([
      { name: '(file)', failure: { kind: 'crash', message: 'Trait "Missing" not found' } },
    ]);
  });

  it.skipIf(!countsLines(toolchain))('counts the lines that run', async () => {
    const { run, lines } = await host.counted(
      {
        ...MUL,
        'tests/OwnTest.php': tests('public function testX() { $this->assertSame(6, Mul::mul(2, 3)); }', REQUIRED),
      },
      ['src/Mul.php'],
    );
    expect(run.outcome).toBe('passed');
    expect(lines).toEqual({ 'src/Mul.php': [8] });
  });

  it('lets tests have hooks, helpers, constraints and assertions of their own', async () => {
    const run = await start({
      'tests/Base.php':
        '<?php\nabstract class Base extends PHPUnit\\Framework\\TestCase\n{\n protected $one;\n protected function setUp(): void { parent::setUp(); $this->one = 1; }\n public static function assertOne($value): void { self::assertSame(1, $value); }\n}\n',
      'tests/OwnTest.php':
        '<?php\nrequire_once __DIR__ . "/Base.php";\nclass OwnTest extends Base\n{\n public function testX() { self::assertOne($this->one); $m = $this->createMock(Countable::class); $m->expects($this->once())->method("count")->willReturn(3); $this->assertCount(3, $m); }\n}\n',
    });
    expect(run).toMatchObject({ outcome: 'passed', cases: [{ name: 'OwnTest > testX' }] });
  });
});

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [string, Files])[] = [
  ['exit(0) in a test', { 'OwnTest.php': tests(`public function testA() { exit(0); }\n${BAD}`) }],
  ['exit(0) while loading', { 'OwnTest.php': tests(BAD, 'exit(0);') }],
  ['exit(0) in the source', { 'src/a.php': '<?php exit(0);', 'OwnTest.php': tests(BAD, 'require "src/a.php";') }],
  ['exit(0) in a hook', { 'OwnTest.php': tests(`protected function tearDown(): void { exit(0); }\n${BAD}`) }],
  [
    'exit(0) as the process ends',
    { 'OwnTest.php': tests(BAD, 'register_shutdown_function(function () { exit(0); });') },
  ],
  [
    'a signal that ends the process',
    { 'OwnTest.php': tests(`public function testA() { posix_kill(getmypid(), 9); }\n${BAD}`) },
  ],
  [
    'an assertion of the class itself',
    { 'OwnTest.php': tests(`public static function assertSame($a, $b, $m = ""): void {}\n${BAD}`) },
  ],
  [
    'an assertion of its base class',
    {
      'Base.php':
        '<?php class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void {} }',
      'OwnTest.php': `<?php require "Base.php"; class OwnTest extends Base { ${BAD} }`,
    },
  ],
  [
    'an assertion of a trait',
    {
      'OwnTest.php': tests(
        `use Quiet;\n${BAD}`,
        'trait Quiet { public static function assertThat($v, $c, $m = ""): void {} }',
      ),
    },
  ],
  [
    'an assertion of a class that is made at run time',
    {
      'OwnTest.php': `<?php eval('class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void {} }'); class OwnTest extends Base { ${BAD} }`,
    },
  ],
  [
    'a failure that is thrown away',
    { 'OwnTest.php': tests(`protected function onNotSuccessfulTest(Throwable $t): void {}\n${BAD}`) },
  ],
  [
    'an assertion of a class in a directory that is called like that of packages',
    {
      'src/vendor/Base.php':
        '<?php class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void {} }',
      'OwnTest.php': `<?php require "src/vendor/Base.php"; class OwnTest extends Base { ${BAD} }`,
    },
  ],
  ['a case that is run in another way', { 'OwnTest.php': tests(`protected function runTest() {}\n${BAD}`) }],
  ['a case that is run by itself', { 'OwnTest.php': tests(`public function runBare(): void {}\n${BAD}`) }],
  [
    "a class in place of PHPUnit's",
    {
      'phpunit.xml': '<phpunit bootstrap="a.php"/>',
      'a.php':
        '<?php namespace PHPUnit\\Framework\\Constraint; final class IsIdentical extends Constraint { public function __construct($v) {} public function evaluate($o, string $d = "", bool $r = false): ?bool { return true; } public function toString(): string { return ""; } }',
      'OwnTest.php': tests(BAD),
    },
  ],
  [
    "a class in place of PHPUnit's, by an autoloader before its own",
    {
      'vendor/autoload.php': '<?php require __DIR__ . "/../a.php";',
      'a.php':
        '<?php spl_autoload_register(function ($name) { if ($name === "PHPUnit\\\\Framework\\\\Assert") eval("namespace PHPUnit\\\\Framework; abstract class Assert { public static function __callStatic(\\$n, \\$a) {} public static function resetCount() {} public static function getCount() { return 1; } }"); }, true, true);',
      'OwnTest.php': tests(BAD),
    },
  ],
  [
    'a comparator that takes anything for equal',
    {
      'OwnTest.php': tests(
        'protected function setUp(): void { $this->registerComparator(new Any); }\npublic function testBad() { $this->assertEquals(1, 2); }',
        'class Any extends SebastianBergmann\\Comparator\\Comparator { public function accepts($e, $a) { return true; } public function assertEquals($e, $a, $d = 0.0, $c = false, $i = false) {} }',
      ),
    },
  ],
  [
    'a function that shadows one of PHP for PHPUnit',
    {
      'a.php':
        '<?php namespace PHPUnit\\Framework\\Constraint; function is_float($v) { throw new \\PHPUnit\\Framework\\SkippedTestError(); }',
      'OwnTest.php': tests(BAD, 'require "a.php";'),
    },
  ],
  [
    'an assertion of a file that the source writes to the directory of temporary files',
    {
      'src/Base.php': `<?php $path = tempnam(sys_get_temp_dir(), 'own');
file_put_contents($path, '<?php class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void {} }');
require $path;`,
      'OwnTest.php': `<?php require "src/Base.php"; class OwnTest extends Base { ${BAD} }`,
    },
  ],
  [
    'an assertion of a file in vendor that no package has',
    {
      'vendor/own/Base.php':
        '<?php class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void {} }',
      'OwnTest.php': `<?php require "vendor/own/Base.php"; class OwnTest extends Base { ${BAD} }`,
    },
  ],
  [
    'an assertion of a package that the source rewrites',
    {
      'composer.lock': '{ "packages": [{ "name": "a/base" }] }',
      'vendor/a/base/Base.php': '<?php class Base extends PHPUnit\\Framework\\TestCase {}',
      'OwnTest.php': `<?php file_put_contents("vendor/a/base/Base.php", '<?php class Base extends PHPUnit\\Framework\\TestCase { public static function assertSame($a, $b, $m = ""): void {} }'); require "vendor/a/base/Base.php"; class OwnTest extends Base { ${BAD} }`,
    },
  ],
  [
    'a filter on all open files',
    {
      'OwnTest.php': tests(
        `public function testA() { stream_filter_register('tidy', Tidy::class); foreach ([...get_resources('stream'), fopen('php://fd/3', 'w')] as $each) @stream_filter_append($each, 'tidy', STREAM_FILTER_WRITE); $this->assertTrue(true); }\n${BAD}`,
        'class Tidy extends php_user_filter { public function filter($in, $out, &$consumed, bool $closing): int { while ($b = stream_bucket_make_writeable($in)) { $b->data = preg_replace("/failed.*/", "passed\"}", $b->data); stream_bucket_append($out, $b); } return PSFS_PASS_ON; } }',
      ),
    },
  ],
  [
    "another stream in place of PHP's own",
    {
      'OwnTest.php': tests(
        `public function testA() { stream_wrapper_unregister('php'); stream_wrapper_register('php', Own::class); $this->assertTrue(true); }\n${BAD}`,
        `class Own { public $context; private $to; function stream_open($p, $m, $o, &$q) { $this->to = fopen('/proc/self/fd/3', 'w'); return true; } function stream_write($d) { if (!str_contains($d, 'failed')) fwrite($this->to, $d); return strlen($d); } }`,
      ),
    },
  ],
  [
    'a line for the report, by its number',
    {
      'OwnTest.php': tests(
        `public function testA() { file_put_contents("php://fd/3", "{\\"event\\":\\"end\\"}\\n"); exit(0); }\n${BAD}`,
      ),
    },
  ],
  [
    'a line for the report, by all open files',
    {
      'OwnTest.php': tests(
        `public function testA() { foreach (get_resources('stream') as $each) { try { @fwrite($each, "{\\"event\\":\\"end\\"}\\n"); } catch (Throwable $e) {} } $this->assertTrue(true); }\n${BAD}`,
      ),
    },
  ],
  [
    'the word that signs the report, by what is on the stack',
    {
      'OwnTest.php': tests(
        `public function testA() { $found = []; array_walk_recursive($GLOBALS, function ($v) use (&$found) { $found[] = $v; }); foreach ([...$found, ...array_merge(...array_column(debug_backtrace(), "args"))] as $v) if (is_string($v) && preg_match("/^[0-9a-f]{32}$/", $v)) { file_put_contents("php://fd/3", $v . ' {"event":"end"}' . "\\n"); exit(0); } $this->assertTrue(true); }\n${BAD}`,
      ),
    },
  ],
  [
    'a function of the runner itself',
    {
      'OwnTest.php': tests(
        BAD,
        'eval("namespace Fluffy\\\\TestFile; function outcome() { return [\'passed\', null]; }");',
      ),
    },
  ],
  [
    'output that swallows the report',
    {
      'OwnTest.php': tests(`public function testA() { ob_start(fn () => exit(0)); $this->assertTrue(true); }\n${BAD}`),
    },
  ],
];

describeHere('a run that something meddles with is no green', () => {
  it.each(TRICKS)('%s', async (_, files) => {
    const run = await start(files);
    const green = run.outcome === 'passed' && run.cases.length > 0;
    expect(green, JSON.stringify(run)).toBe(false);
    const bad = run.cases.filter(({ name, status }) => name.endsWith('testBad') && status === 'passed');
    expect(run.outcome === 'tampered' || bad.length === 0, JSON.stringify(run)).toBe(true);
  });
});

describeHere('a run is tampered, whatever its cases say, where the project has', () => {
  it.each<[string, string, string]>([
    ['a function', 'function count($v) { return 1; }', 'the function phpunit\\framework\\count of the project'],
    ['a class', 'class Own {}', 'PHPUnit\\Framework\\Own is a class of the project'],
  ])("%s in PHPUnit's namespaces", async (_, written, why) => {
    const run = await start({
      'a.php': `<?php namespace PHPUnit\\Framework; ${written}`,
      'OwnTest.php': tests(GOOD, 'require "a.php";'),
    });
    expect(run).toMatchObject({ outcome: 'tampered', why: expect.stringContaining(why) as unknown });
  });
});

describeHere('a case that does not ask is no pass', () => {
  it.each([
    ['skipped', 'public function testX() { $this->markTestSkipped(); }'],
    [
      'skipped in setUp',
      'protected function setUp(): void { $this->markTestSkipped(); }\npublic function testX() { $this->assertTrue(true); }',
    ],
    [
      'skipped before the class',
      'public static function setUpBeforeClass(): void { self::markTestSkipped(); }\npublic function testX() { $this->assertTrue(true); }',
    ],
    ['incomplete', 'public function testX() { $this->markTestIncomplete(); }'],
    ['without assertions', 'public function testX() { $a = 1; }'],
    [
      'with a requirement that is not met',
      '/** @requires PHP 99 */\npublic function testX() { $this->assertTrue(true); }',
    ],
    ['skipped after an assertion', 'public function testX() { $this->assertTrue(true); $this->markTestSkipped(); }'],
  ])('%s', async (_, body) => {
    const run = await start({ 'OwnTest.php': tests(body) });
    expect(run.cases.map(({ status }) => status)).toEqual(['skipped']);
  });

  it('that depends on a case that fails is skipped', async () => {
    const run = await start({
      'OwnTest.php': tests(`/** @depends testBad */\npublic function testX() { $this->assertTrue(true); }\n${BAD}`),
    });
    expect(statuses(run)).toEqual({
      'OwnTest.php OwnTest > testBad': 'failed',
      'OwnTest.php OwnTest > testX': 'skipped',
    });
  });
});
