<?php

/**
 * One test file with PHPUnit, in a process of its own, for phpunit-run.php. PHP's classes cannot be changed once they are loaded, so what has to be looked
 * at is which classes stand for PHPUnit's, which of their methods a class of the project has in place of them, and which functions shadow PHP's own.
 *
 * Everything that must stay hidden from code under test is a local variable of a function that has not returned, or of a generator: reflection and
 * backtraces show neither.
 */

declare(strict_types=1);

namespace Fluffy\TestFile;

use Generator;
use ReflectionClass;
use ReflectionFunction;
use ReflectionMethod;
use Throwable;

const MAX_TEXT = 4000;
const VERBS = ['Keeps', 'Returns', 'Accepts', 'Sorts', 'Reads', 'Counts', 'Joins', 'Splits', 'Compares', 'Finds', 'Rounds', 'Merges'];
const THINGS = ['Order', 'Values', 'Names', 'Pairs', 'Lists', 'Words', 'Paths', 'Numbers', 'Keys', 'Dates', 'Lines', 'Totals'];
/** What a class of tests defines for itself; none of it decides whether a case passes. Compared in lower case. */
const OWN = [
    'setup', 'teardown', 'setupbeforeclass', 'teardownafterclass', 'assertpreconditions', 'assertpostconditions', '__construct', 'tostring',
    'createmock', 'createpartialmock', 'createstub', 'createconfiguredmock', 'createconfiguredstub', 'createtestproxy', 'getmockbuilder', 'prophesize',
    'getmockforabstractclass', 'getmockfortrait', 'getobjectfortrait', 'getmockfromwsdl', 'any', 'never', 'once', 'exactly', 'atleast', 'atleastonce',
    'returnvalue', 'returnself', 'throwexception', 'fail',
];
/** Namespaces of what decides about an assertion. */
const PARTS = '/^(?:PHPUnit|SebastianBergmann|DeepCopy)\\\\/i';

/**
 * Sends lines to the process that started this one, each with its number, and signed by the word on standard input, which nothing else ever sees. The pipe is
 * open only while a line is written. Its first value is the description of the run without that word.
 */
function reporter(): Generator
{
    $job = \json_decode(\stream_get_contents(\STDIN), true, 64, \JSON_THROW_ON_ERROR);
    $token = $job['token'];
    unset($job['token']);
    $line = yield $job;
    for ($number = 0; true; $number++) {
        $text = \json_encode($line, \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE | \JSON_INVALID_UTF8_SUBSTITUTE);
        $pipe = \fopen('php://fd/3', 'w');
        \fwrite($pipe, \hash_hmac('sha256', "$number $text", $token) . " $text\n");
        \fclose($pipe);
        $line = yield null;
    }
}

function message(Throwable $error): string
{
    $text = $error->getMessage();
    return \mb_strcut($text === '' ? $error::class : $text, 0, MAX_TEXT);
}

/**
 * Whether a file belongs to the project: all do but files of installed packages that nothing has changed since this process began, and what is installed for
 * all projects. Code that is made at run time belongs to the file that makes it.
 */
function isOurs(array $job, string|false $path): bool
{
    $real = $path === false ? false : \realpath(\preg_replace('/(?:\(\d+\) : (?:eval\(\)\'d|runtime-created) (?:code|function))+$/', '', $path));
    if ($real === false) {
        return true;
    }
    if (isset($job['packages'][$real])) {
        return $job['packages'][$real] !== stamp($real);
    }
    $isOutside = !\str_starts_with($real, "{$job['root']}/") && !\str_starts_with($real, "{$job['cwd']}/");
    return !$isOutside || \array_filter($job['libraries'], static fn (string $each): bool => \str_starts_with($real, "$each/")) === [];
}

/** What changes with a file. */
function stamp(string $path): string
{
    \clearstatcache(true, $path);
    $found = \stat($path);
    return $found === false ? '' : "{$found['ino']} {$found['ctime']} {$found['mtime']} {$found['size']}";
}

/** The files of the packages that Composer has installed, with what they are like before any code of the project runs. */
function packages(array $job): array
{
    $files = [];
    foreach (\array_unique([$job['cwd'], $job['root']]) as $directory) {
        $vendor = "$directory/{$job['vendor']}";
        foreach ([...named("$directory/composer.lock", $vendor), "$vendor/composer"] as $package) {
            // A link of Composer's leads to a package that is in the project itself.
            $place = \realpath($package);
            if ($place === false || !\is_dir($place) || !\str_starts_with($place, (string) \realpath($vendor))) {
                continue;
            }
            $all = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($package, \FilesystemIterator::SKIP_DOTS));
            foreach ($all as $file) {
                if ($file->getExtension() === 'php' && ($real = $file->getRealPath()) !== false) {
                    $files[$real] = stamp($real);
                }
            }
        }
    }
    return $files;
}

/** @return list<string> the directories of the packages that the lockfile names, or without one those that Composer has noted */
function named(string $lock, string $vendor): array
{
    $text = @\file_get_contents($lock) ?: @\file_get_contents("$vendor/composer/installed.json") ?: '[]';
    $read = \json_decode($text, true);
    $all = \is_array($read) ? [...($read['packages'] ?? []), ...($read['packages-dev'] ?? [])] : [];
    $names = \array_filter(\array_column($all, 'name'), static fn (mixed $name): bool => \is_string($name) && \preg_match('#^[\w.-]+/[\w.-]+$#', $name) === 1);
    return \array_map(static fn (string $name): string => "$vendor/$name", \array_values($names));
}

/** @return list<string> directories of what is installed for all projects */
function libraries(): array
{
    return \array_values(\array_filter(\array_map('realpath', \array_filter(\explode(\PATH_SEPARATOR, \get_include_path()), static fn (string $each): bool => $each[0] === '/'))));
}

/** Loads the project's packages and PHPUnit. */
function load(array $job): void
{
    foreach ([$job['cwd'], $job['root']] as $directory) {
        $autoload = "$directory/{$job['vendor']}/autoload.php";
        if (\is_file($autoload)) {
            \define('PHPUNIT_COMPOSER_INSTALL', $autoload);
            require $autoload;
            break;
        }
    }
    if (!\class_exists(\PHPUnit\Framework\TestCase::class)) {
        $installed = \stream_resolve_include_path('PHPUnit/Autoload.php') ?: \stream_resolve_include_path('PHPUnit/autoload.php');
        if ($installed === false) {
            \fwrite(\STDERR, "fluffy: there is no PHPUnit, neither in {$job['vendor']} (composer install) nor on this machine (docs/test-runners.md)\n");
            exit(127);
        }
        require $installed;
    }
    \defined('PHPUNIT_TESTSUITE') || \define('PHPUNIT_TESTSUITE', true);
    $functions = \dirname((new ReflectionClass(\PHPUnit\Framework\Assert::class))->getFileName()) . '/Assert/Functions.php';
    if (!\function_exists('PHPUnit\Framework\assertTrue') && \is_file($functions)) {
        require_once $functions;
    }
}

/** Settings of phpunit.xml that hold for a case: values of PHP, the bootstrap file, which errors become exceptions (PHPUnit 9). */
function configure(array $job): array
{
    $names = \array_map(static fn (string $name): string => "{$job['cwd']}/$name", ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist']);
    $named = $job['configuration'] === '' ? $names : ["{$job['cwd']}/{$job['configuration']}"];
    $file = \current(\array_filter($named, 'is_file'));
    $convert = [false, true, true, true];
    if (\class_exists(\PHPUnit\TextUI\Configuration\Builder::class)) {
        (new \PHPUnit\TextUI\Configuration\Builder())->build(['phpunit', '--no-configuration']);
    }
    $bootstrap = $job['bootstrap'] === '' ? null : "{$job['cwd']}/{$job['bootstrap']}";
    if ($file !== false) {
        $settings = (new \PHPUnit\TextUI\XmlConfiguration\Loader())->load($file);
        $handler = \class_exists(\PHPUnit\TextUI\Configuration\PhpHandler::class)
            ? \PHPUnit\TextUI\Configuration\PhpHandler::class
            : \PHPUnit\TextUI\XmlConfiguration\PhpHandler::class;
        (new $handler())->handle($settings->php());
        $own = $settings->phpunit();
        $bootstrap ??= $own->hasBootstrap() ? $own->bootstrap() : null;
        if (\method_exists($own, 'convertErrorsToExceptions')) {
            $convert = [
                $own->convertDeprecationsToExceptions(),
                $own->convertErrorsToExceptions(),
                $own->convertNoticesToExceptions(),
                $own->convertWarningsToExceptions(),
            ];
        }
    }
    return [$bootstrap, $convert];
}

/** The class of tests in the file, as PHPUnit chooses it: the one with the file's name; PHPUnit 9 takes all of them where there is none. */
function classesOf(string $file): array
{
    $found = [];
    foreach (\get_declared_classes() as $name) {
        $class = new ReflectionClass($name);
        if ($class->getFileName() === $file && !$class->isAnonymous()) {
            $found[] = $class;
        }
    }
    $stem = \basename($file, '.php');
    $named = \array_values(\array_filter($found, static fn (ReflectionClass $each): bool => \strcasecmp($each->getShortName(), $stem) === 0));
    $chosen = $named !== [] || isModern() ? $named : $found;
    return \array_values(\array_filter($chosen, static fn (ReflectionClass $each): bool => $each->isSubclassOf(\PHPUnit\Framework\TestCase::class) && !$each->isAbstract()));
}

/** PHPUnit 10 and later. */
function isModern(): bool
{
    return \method_exists(\PHPUnit\Framework\TestSuite::class, 'fromClassReflector');
}

/** Why nothing that PHPUnit says can be believed, or null. */
function replaced(array $job, array $classes): ?string
{
    foreach ([...\get_declared_classes(), ...\get_declared_interfaces(), ...\get_declared_traits()] as $name) {
        $class = new ReflectionClass($name);
        if (!$class->isUserDefined() || !isOurs($job, $class->getFileName())) {
            continue;
        }
        if (\preg_match(PARTS, $name) === 1 && !$class->isSubclassOf(\PHPUnit\Framework\MockObject\Stub::class)) {
            return "$name is a class of the project, in place of PHPUnit's";
        }
        if ($class->isSubclassOf(\SebastianBergmann\Comparator\Comparator::class)) {
            return "$name of the project decides what is equal, in place of PHPUnit";
        }
    }
    foreach (\get_defined_functions()['user'] as $name) {
        if (\preg_match(PARTS, $name) === 1 && isOurs($job, (new ReflectionFunction($name))->getFileName())) {
            return "the function $name of the project shadows one that PHPUnit calls";
        }
    }
    $base = new ReflectionClass(\PHPUnit\Framework\TestCase::class);
    foreach ($classes as $class) {
        foreach ($base->getMethods() as $method) {
            $now = $class->getMethod($method->getName());
            $isOwn = \in_array(\strtolower($now->getName()), OWN, true);
            if (!$isOwn && $now->getFileName() !== $method->getFileName() && isOurs($job, $now->getFileName())) {
                return "{$class->getShortName()} has a {$now->getName()} in place of PHPUnit's";
            }
        }
    }
    return null;
}

/** The cases of a class, those of data sets among them. */
function leaves(iterable $suite): array
{
    $found = [];
    foreach ($suite as $each) {
        if ($each instanceof \PHPUnit\Framework\TestSuite) {
            \array_push($found, ...leaves($each->tests()));
        } else {
            $found[] = $each;
        }
    }
    return $found;
}

function suiteOf(ReflectionClass $class): \PHPUnit\Framework\TestSuite
{
    return isModern() ? \PHPUnit\Framework\TestSuite::fromClassReflector($class) : new \PHPUnit\Framework\TestSuite($class);
}

/** Names of the methods that run before the first case of a class, or after the last one. */
function hooks(ReflectionClass $class, string $kind): array
{
    if (!\class_exists(\PHPUnit\Metadata\Api\HookMethods::class)) {
        return \PHPUnit\Util\Test::getHookMethods($class->getName())[$kind];
    }
    $methods = (new \PHPUnit\Metadata\Api\HookMethods())->hookMethods($class->getName())[$kind];
    return \is_array($methods) ? $methods : $methods->methodNamesSortedByPriority();
}

function callHooks(ReflectionClass $class, string $kind): ?Throwable
{
    try {
        foreach (hooks($class, $kind) as $name) {
            if ($class->hasMethod($name) && $class->getMethod($name)->getDeclaringClass()->getName() !== \PHPUnit\Framework\TestCase::class) {
                $method = $class->getMethod($name);
                $method->setAccessible(true);
                $method->invoke(null);
            }
        }
        return null;
    } catch (Throwable $error) {
        return $error;
    }
}

/** What one case comes to: its status, and the error that it ended with. Nothing but what reaches this frame counts. */
function outcome(\PHPUnit\Framework\TestCase $test, array $convert): array
{
    $handler = isModern() ? null : new \PHPUnit\Util\ErrorHandler(...$convert);
    $error = null;
    \PHPUnit\Framework\Assert::resetCount();
    $handler?->register();
    try {
        $test->runBare();
    } catch (Throwable $thrown) {
        $error = $thrown;
    }
    $handler?->unregister();
    if ($error instanceof \PHPUnit\Framework\SkippedTest || $error instanceof \PHPUnit\Framework\IncompleteTest) {
        return ['skipped', null];
    }
    if ($error !== null) {
        return ['failed', $error];
    }
    $status = isModern() ? $test->status()->isSuccess() : $test->getStatus() === 0;
    if (!$status) {
        return ['skipped', null];
    }
    $asserted = \PHPUnit\Framework\Assert::getCount() + (isModern() ? $test->numberOfAssertionsPerformed() : $test->getNumAssertions());
    // A test that asserts nothing is risky, and no pass.
    return [$asserted === 0 && !$test->doesNotPerformAssertions() ? 'skipped' : 'passed', null];
}

function isAssertion(Throwable $error): bool
{
    return $error instanceof \PHPUnit\Framework\AssertionFailedError;
}

/** The results of cases that this one depends on; null where one of them has not passed. */
function inputOf(\PHPUnit\Framework\TestCase $test, array $passed): ?array
{
    $input = [];
    foreach ($test->requires() as $dependency) {
        if ($dependency->targetIsClass()) {
            continue;
        }
        $target = $dependency->getTarget();
        if (!\array_key_exists($target, $passed)) {
            return null;
        }
        $asks = static fn (string ...$names): bool => \array_filter($names, static fn (string $name): bool => \method_exists($dependency, $name) && $dependency->$name()) !== [];
        $value = $passed[$target];
        $input[$target] = match (true) {
            !\is_object($value) => $value,
            $asks('useDeepClone', 'deepClone') => (new \DeepCopy\DeepCopy())->copy($value),
            $asks('useShallowClone', 'shallowClone') => clone $value,
            default => $value,
        };
    }
    return $input;
}

/** Cases in their order, those that another one depends on before it. */
function inOrder(array $tests): array
{
    $provided = [];
    foreach ($tests as $test) {
        $provided[targetOf($test)] = true;
    }
    $done = $ordered = [];
    while ($tests !== []) {
        $waiting = [];
        foreach ($tests as $test) {
            $needed = $test instanceof \PHPUnit\Framework\TestCase ? $test->requires() : [];
            $open = \array_filter($needed, static fn ($each): bool => isset($provided[$each->getTarget()]) && !isset($done[$each->getTarget()]));
            if ($open !== []) {
                $waiting[] = $test;
                continue;
            }
            $ordered[] = $test;
            $done[targetOf($test)] = true;
        }
        if (\count($waiting) === \count($tests)) {
            return [...$ordered, ...$waiting];
        }
        $tests = $waiting;
    }
    return $ordered;
}

/** As dependencies name it: `Class::method`. */
function targetOf(object $test): string
{
    return $test instanceof \PHPUnit\Framework\TestCase ? $test::class . '::' . (isModern() ? $test->name() : $test->getName(false)) : \spl_object_hash($test);
}

/** Each of these has to fail, by an assertion of PHPUnit. */
function falsehoods(): array
{
    $assert = \PHPUnit\Framework\Assert::class;
    return [
        static fn () => $assert::assertTrue(false),
        static fn () => $assert::assertFalse(true),
        static fn () => $assert::assertSame(1, 2),
        static fn () => $assert::assertSame('a', 'b'),
        static fn () => $assert::assertSame([1], [2]),
        static fn () => $assert::assertNotSame(1, 1),
        static fn () => $assert::assertEquals(1, 2),
        static fn () => $assert::assertEquals('a', 'b'),
        static fn () => $assert::assertEquals(['a' => 1], ['a' => 2]),
        static fn () => $assert::assertEquals((object) ['a' => 1], (object) ['a' => 2]),
        static fn () => $assert::assertEqualsWithDelta(1.0, 2.0, 0.1),
        static fn () => $assert::assertNotEquals(1, 1),
        static fn () => $assert::assertNull(1),
        static fn () => $assert::assertNotNull(null),
        static fn () => $assert::assertCount(1, []),
        static fn () => $assert::assertEmpty([1]),
        static fn () => $assert::assertNotEmpty([]),
        static fn () => $assert::assertContains(2, [1]),
        static fn () => $assert::assertNotContains(1, [1]),
        static fn () => $assert::assertArrayHasKey('b', ['a' => 1]),
        static fn () => $assert::assertStringContainsString('a', 'b'),
        static fn () => $assert::assertMatchesRegularExpression('/a/', 'b'),
        static fn () => $assert::assertInstanceOf(\ArrayObject::class, new \SplStack()),
        static fn () => $assert::assertGreaterThan(2, 1),
        static fn () => $assert::assertLessThan(1, 2),
        static fn () => $assert::assertIsInt('1'),
        static fn () => $assert::assertIsString(1),
        static fn () => $assert::assertThat(1, $assert::identicalTo(2)),
        static fn () => $assert::fail('no'),
    ];
}

/** null where one of the falsehoods does not fail. */
function mustFail(): void
{
    foreach (falsehoods() as $falsehood) {
        try {
            $falsehood();
            return;
        } catch (Throwable $error) {
            if (!isAssertion($error)) {
                return;
            }
        }
    }
    $one = \random_int(0, 1 << 40);
    \PHPUnit\Framework\Assert::assertSame($one, $one + 1 + \random_int(0, 127));
}

function mustHold(): void
{
    $one = \random_int(0, 1 << 40);
    \PHPUnit\Framework\Assert::assertSame($one, $one);
    \PHPUnit\Framework\Assert::assertTrue('ab' !== '');
}

/** A class of tests with one case under an ordinary name, which differs in every run. */
function canary(string $kind, array $names): \PHPUnit\Framework\TestCase
{
    $random = static fn (array $words): string => $words[\random_int(0, \count($words) - 1)];
    $method = $names === [] ? 'test' . $random(VERBS) . $random(THINGS) : $random($names);
    do {
        $class = $random(VERBS) . $random(THINGS) . 'Test';
    } while (\class_exists($class, false));
    $body = $kind === 'pass' ? 'mustHold' : 'mustFail';
    eval("final class $class extends \\PHPUnit\\Framework\\TestCase { public function $method(): void { \\Fluffy\\TestFile\\$body(); } }");
    if (isModern()) {
        return new $class($method);
    }
    $test = new $class();
    $test->setName($method);
    return $test;
}

function runCanaries(Generator $report, array $convert, array $names): void
{
    foreach (['pass', 'fail'] as $kind) {
        [$status, $error] = outcome(canary($kind, $names), $convert);
        $right = $kind === 'pass' ? $status === 'passed' : $status === 'failed' && $error::class === \PHPUnit\Framework\ExpectationFailedException::class;
        $report->send(['event' => 'canary', 'kind' => $kind, 'right' => $right]);
    }
}

function failure(Throwable $error): array
{
    $text = message($error);
    if (!isAssertion($error)) {
        return ['kind' => 'error', 'message' => \mb_strcut($error::class . ": $text", 0, MAX_TEXT)];
    }
    $shown = $error instanceof \PHPUnit\Framework\ExpectationFailedException ? $error->getComparisonFailure()?->getDiff() : null;
    return ['kind' => 'assertion', 'message' => \mb_strcut(\rtrim($text . "\n" . ($shown ?? '')), 0, MAX_TEXT)];
}

function runClass(Generator $report, ReflectionClass $class, array $convert): void
{
    $send = static function (string $name, string $status, float $since, ?Throwable $error) use ($report, $class): void {
        $fields = $error === null ? [] : ['failure' => failure($error)];
        $report->send(['event' => 'case', 'name' => "{$class->getShortName()} > $name", 'status' => $status, 'duration_ms' => \max(0.0, (\hrtime(true) - $since) / 1e6), ...$fields]);
    };
    $tests = inOrder(leaves(suiteOf($class)->tests()));
    $before = $tests === [] ? null : callHooks($class, 'beforeClass');
    $passed = $seen = $unmade = [];
    foreach ($tests as $test) {
        $since = \hrtime(true);
        if (!$test instanceof \PHPUnit\Framework\TestCase || $test instanceof \PHPUnit\Framework\WarningTestCase || $test instanceof \PHPUnit\Framework\ErrorTestCase) {
            // What PHPUnit makes of a case that it cannot build, as with a data provider that fails.
            $unmade[] = \method_exists($test, 'getMessage') ? \preg_replace('#\n/.*#s', '', $test->getMessage()) : 'it cannot be run';
            continue;
        }
        $method = isModern() ? $test->name() : $test->getName(false);
        $name = isModern() ? $test->nameWithDataSet() : $test->getName(true);
        $seen[\strtolower($method)] = true;
        $input = inputOf($test, $passed);
        if ($before !== null) {
            $isSkipped = $before instanceof \PHPUnit\Framework\SkippedTest || $before instanceof \PHPUnit\Framework\IncompleteTest;
            $send($name, $isSkipped ? 'skipped' : 'failed', $since, $isSkipped ? null : $before);
            continue;
        }
        if ($input === null) {
            $send($name, 'skipped', $since, null);
            continue;
        }
        $test->setDependencyInput($input);
        [$status, $error] = outcome($test, $convert);
        if ($status === 'passed') {
            $passed[targetOf($test)] = isModern() ? $test->result() : $test->getResult();
        }
        $printed = isModern() ? $test->output() : $test->getActualOutput();
        echo $printed, $printed === '' || \str_ends_with($printed, "\n") ? '' : "\n";
        $send($name, $status, $since, $error);
    }
    $after = $tests === [] ? null : callHooks($class, 'afterClass');
    if ($after !== null) {
        $send('tearDownAfterClass', 'failed', \hrtime(true), $after);
    }
    foreach (caseNames($class) as $name) {
        if (!isset($seen[\strtolower($name)])) {
            $unmade[] = "PHPUnit makes no case of $name: its data provider fails or gives nothing";
        }
    }
    // The names of its cases are not known: it did not load.
    if ($unmade !== []) {
        $report->send(['event' => 'load', 'type' => 'DataProvider', 'message' => \mb_strcut(\implode("\n", $unmade), 0, MAX_TEXT), 'place' => 'elsewhere']);
    }
}

/** Methods that are cases by their name. */
function caseNames(ReflectionClass $class): array
{
    $names = \array_map(static fn (ReflectionMethod $each): string => $each->getName(), $class->getMethods(ReflectionMethod::IS_PUBLIC));
    return \array_values(\array_filter($names, static fn (string $name): bool => \str_starts_with($name, 'test') && \strlen($name) > 4));
}

function startCounting(array $job): ?string
{
    if ($job['cover'] === []) {
        return null;
    }
    if (\function_exists('pcov\start') && \ini_get('pcov.enabled') === '1') {
        \pcov\start();
        return 'pcov';
    }
    if (\function_exists('xdebug_start_code_coverage') && \in_array('coverage', \xdebug_info('mode'), true)) {
        \xdebug_start_code_coverage();
        return 'xdebug';
    }
    return null;
}

/** The lines that ran, in the format of lcov. A file without lines was loaded, and none of its lines ran. */
function counted(array $job, string $driver): string
{
    $text = '';
    $loaded = \array_flip(\get_included_files());
    $files = \array_filter($job['cover'], static fn (string $each): bool => isset($loaded[\realpath($each)]));
    $found = $driver === 'pcov' ? \pcov\collect(\pcov\inclusive, \array_map('realpath', \array_values($files))) : \xdebug_get_code_coverage();
    foreach ($files as $file) {
        $ran = \array_keys(\array_filter($found[\realpath($file)] ?? [], static fn (int $count): bool => $count > 0));
        // The return at the end of a file counts as a line behind its last one.
        $ran = \array_intersect($ran, \range(1, \count(\file($file))));
        \sort($ran);
        $text .= "SF:$file\n" . \implode('', \array_map(static fn (int $line): string => "DA:$line,1\n", $ran)) . "end_of_record\n";
    }
    return $text;
}

/** Where a missing name would have to be: of a class, by the place of the code that asks for it. */
function reportLoadFailure(Generator $report, array $job, Throwable $error): void
{
    $place = isOurs($job, $error->getFile()) ? 'project' : 'elsewhere';
    $report->send(['event' => 'load', 'type' => $error::class, 'message' => message($error), 'place' => $place]);
}

(static function (): void {
    $report = reporter();
    $job = $report->current();
    $job += ['packages' => packages($job), 'libraries' => libraries()];
    $isDone = false;
    \register_shutdown_function(static function () use ($report, &$isDone): void {
        $last = \error_get_last();
        // What PHP itself ends a process for has no exception.
        if (!$isDone && $last !== null && ($last['type'] & (\E_ERROR | \E_PARSE | \E_COMPILE_ERROR | \E_CORE_ERROR)) !== 0) {
            $report->send(['event' => 'crash', 'message' => \mb_strcut($last['message'], 0, MAX_TEXT)]);
        }
    });
    $_SERVER['argv'] = $GLOBALS['argv'] = ["{$job['vendor']}/bin/phpunit", $job['file']];
    $_SERVER['argc'] = $GLOBALS['argc'] = 2;
    $_SERVER['SCRIPT_NAME'] = $_SERVER['SCRIPT_FILENAME'] = $_SERVER['PHP_SELF'] = $_SERVER['PATH_TRANSLATED'] = "{$job['vendor']}/bin/phpunit";
    \error_reporting(\E_ALL);
    $driver = startCounting($job);
    $convert = [false, true, true, true];
    $classes = [];
    try {
        load($job);
        [$bootstrap, $convert] = configure($job);
        if ($bootstrap !== null) {
            (static function (string $file): void {
                include_once $file;
            })($bootstrap);
        }
        (static function (string $file): void {
            include_once $file;
        })($job['file']);
        $classes = classesOf(\realpath($job['file']));
        if ($classes === []) {
            throw new \LogicException('there is no class ' . \basename($job['file'], '.php') . ' with tests in this file, as PHPUnit wants it');
        }
    } catch (Throwable $error) {
        reportLoadFailure($report, $job, $error);
    }
    $why = replaced($job, $classes);
    if ($why === null) {
        runCanaries($report, $convert, []);
        foreach ($classes as $class) {
            runClass($report, $class, $convert);
        }
        runCanaries($report, $convert, \array_merge(...\array_map(caseNames(...), $classes)));
        $why = replaced($job, $classes);
    }
    if ($why !== null) {
        $report->send(['event' => 'tampered', 'why' => $why]);
    }
    $lcov = $driver === null ? '' : counted($job, $driver);
    if ($lcov !== '') {
        $report->send(['event' => 'coverage', 'lcov' => $lcov]);
    }
    $isDone = true;
    $report->send(['event' => 'end']);
})();
