<?php

/**
 * Runs test files with PHPUnit, each in a process of its own, and reports every case: the main program of a test sandbox.
 *
 * This process loads no code of the project, and it alone knows the names of the canaries and of the report. A line of a file's process counts by its number
 * and the signature of that process, whose key is made for this run.
 */

declare(strict_types=1);

const TOKEN_BYTES = 16;
const WAIT_MICROSECONDS = 50_000;
const READ_BYTES = 1 << 16;
/** The canaries of a file come before its cases and behind them: both have to come out as they must. */
const ARRANGEMENTS = 2;

function json(array $value): string
{
    return json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
}

/** @return list<string> the arguments of PHP for one file */
function settings(array $job): array
{
    $values = ['display_errors' => 'stderr', 'html_errors' => '0', 'opcache.enable_cli' => '0', 'report_memleaks' => '0'];
    if ($job['cover'] !== []) {
        $values += ['pcov.enabled' => '1', 'pcov.directory' => $job['root'], 'pcov.exclude' => '', 'xdebug.mode' => 'coverage'];
    } else {
        $values += ['pcov.enabled' => '0', 'xdebug.mode' => 'off'];
    }
    $words = [];
    foreach ($values as $name => $value) {
        array_push($words, '-d', "$name=$value");
    }
    return $words;
}

/** Keeps how many cases have ended in a file, for people who wait. No result is read from it; a line that comes in two parts may be missed. */
function counter(?string $path): Closure
{
    $done = $failed = 0;
    return static function (string $part) use ($path, &$done, &$failed): void {
        $cases = array_filter(explode("\n", $part), static fn (string $line): bool => str_contains($line, ' {"event":"case",'));
        if ($path === null || $cases === []) {
            return;
        }
        $done += count($cases);
        $failed += count(array_filter($cases, static fn (string $line): bool => str_contains($line, '"status":"failed"')));
        @file_put_contents($path, "$done $failed\n");
    };
}

/** What a process wrote to its pipe, and the exit code that it ended with; a process that it started may hold the pipe open for longer. */
function readUntilEnded($process, $pipe, Closure $onPart): array
{
    stream_set_blocking($pipe, false);
    $data = '';
    while (true) {
        $status = proc_get_status($process);
        while (($part = fread($pipe, READ_BYTES)) !== false && $part !== '') {
            $data .= $part;
            $onPart($part);
        }
        if (!$status['running']) {
            return [$data, $status['signaled'] ? "signal {$status['termsig']}" : "exit code {$status['exitcode']}"];
        }
        if (feof($pipe)) {
            usleep(WAIT_MICROSECONDS);
            continue;
        }
        $read = [$pipe];
        $write = $except = null;
        stream_select($read, $write, $except, 0, WAIT_MICROSECONDS);
    }
}

/** @return list<array> the lines of the report about one file */
function believed(array $job, int $index, string $token, string $data, string $how): array
{
    $line = static fn (string $event, array $fields): array => ['event' => $event, 'index' => $index, ...$fields];
    $tampered = static fn (string $why): array => [$line('tampered', ['why' => $why])];
    $raw = array_values(array_filter(explode("\n", $data), static fn (string $each): bool => $each !== ''));
    $lines = [];
    foreach ($raw as $number => $each) {
        [$signature, $text] = [...explode(' ', $each, 2), ''];
        if (!hash_equals(hash_hmac('sha256', "$number $text", $token), $signature)) {
            return $tampered('something else than the runner writes to the report');
        }
        $lines[] = json_decode($text, true, 64, JSON_THROW_ON_ERROR);
    }
    $last = array_pop($lines);
    $ended = ($last['event'] ?? '') === 'end';
    if (!$ended && $how === 'exit code 0') {
        return $tampered('the process ended before its tests were through (an exit in a test, a hook or the source)');
    }
    if (!$ended && $last !== null) {
        $lines[] = $last;
    }
    $right = ['pass' => [], 'fail' => []];
    $result = [];
    foreach ($lines as $each) {
        if ($each['event'] === 'canary') {
            $right[$each['kind']][] = $each['right'];
        } else {
            $result[] = $line($each['event'], $each);
        }
    }
    foreach (['pass' => ['passed', 'failed'], 'fail' => ['failed', 'passed']] as $kind => [$good, $bad]) {
        if (count($right[$kind]) >= ARRANGEMENTS) {
            $status = in_array(false, $right[$kind], true) ? $bad : $good;
            $result[] = $line('canary', ['name' => "{$job['canary']}-$index-$kind", 'status' => $status]);
        }
    }
    $told = in_array('crash', array_column($result, 'event'), true);
    if (!$ended && !$told) {
        $result[] = $line('crash', ['message' => "the process of the file ended with $how before its tests were through"]);
    }
    return $result;
}

/** @return list<array> */
function runFile(array $job, int $index, Closure $onPart): array
{
    $token = bin2hex(random_bytes(TOKEN_BYTES));
    $php = is_executable(PHP_BINARY) ? PHP_BINARY : 'php';
    // By a number, so that its command line does not name it.
    $command = [$php, ...settings($job), '/dev/fd/4'];
    $open = [['pipe', 'r'], STDOUT, STDERR, ['pipe', 'w'], ['file', __DIR__ . '/phpunit_file.php', 'r']];
    $process = proc_open($command, $open, $pipes, $job['cwd']);
    if ($process === false) {
        fwrite(STDERR, "fluffy: no process for PHP can be started\n");
        exit(2);
    }
    $part = ['token' => $token, 'file' => $job['files'][$index], 'root' => $job['root'], 'cwd' => $job['cwd'], 'cover' => $job['cover'], ...$job['options']];
    fwrite($pipes[0], json($part));
    fclose($pipes[0]);
    [$data, $how] = readUntilEnded($process, $pipes[3], $onPart);
    fclose($pipes[3]);
    proc_close($process);
    return believed($job, $index, $token, $data, $how);
}

$job = json_decode(stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR);
$lines = [];
$onPart = counter($job['progress'] ?? null);
foreach (array_keys($job['files']) as $index) {
    $lines[] = json(['event' => 'begin', 'index' => $index]);
    foreach (runFile($job, $index, $onPart) as $line) {
        $lines[] = json($line);
    }
}
// Until all processes have ended there is no report that code under test could find.
$report = fopen($job['report'], 'x');
fwrite($report, implode("\n", [...$lines, json(['event' => 'end'])]) . "\n");
fclose($report);
// The canaries fail in every run.
exit(1);
