/**
 * Entry of a test sandbox: becomes the test runner. The process is replaced (execve), so the container's main process is the
 * runner itself, and no process of fluffy runs beside it that the tests could reach: its exit is the runner's exit.
 * It imports node: modules only, since every test run waits for its start.
 */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestJobDescription } from '../../../src/contracts/sandbox/test-job.ts';

const JOB_PATH = process.argv[2] ?? '/var/local/job.json';
const INPUT_FILE = 'input.json';
const STDIN = 0;
/** The exit codes of a shell for a program that cannot be found or run; the message is on stderr. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

launch(JOB_PATH);

function launch(jobPath: string): void {
  const job = readJob(jobPath);
  handOver(join(dirname(jobPath), INPUT_FILE));
  const program = findProgram(job);
  if (program === null)
    return fail(NOT_FOUND, `${job.argv[0] ?? ''} was not found in ${job.env['PATH'] ?? 'an empty PATH'}`);
  // An execve that fails aborts Node, so what can be checked before is checked before.
  if (!isProgram(program)) return fail(NOT_EXECUTABLE, `${program} is not an executable file`);
  if (process.execve === undefined) return fail(NOT_EXECUTABLE, `Node ${process.version} cannot replace itself`);
  try {
    process.chdir(job.cwd);
    // Node would print that execve is experimental, on the stderr that belongs to the runner.
    process.removeAllListeners('warning');
    // Node ignores these two, and execve keeps ignored signals ignored; it resets handlers to the default.
    for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) process.on(signal, () => undefined);
    process.execve(program, job.argv, job.env);
  } catch (error) {
    fail(NOT_EXECUTABLE, `${program}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Makes a file the standard input, which is the one descriptor besides output that outlives execve, and takes its name away: what it says reaches the
 * runner and can be found by nobody else.
 */
function handOver(inputPath: string): void {
  if (!existsSync(inputPath)) return;
  closeSync(STDIN);
  const opened = openSync(inputPath, 'r');
  if (opened !== STDIN) throw new Error(`${inputPath} was opened as ${opened}, not as standard input`);
  unlinkSync(inputPath);
}

/** Reads and removes it. It is checked although the kernel wrote it, since a wrong shape would crash execve without a message. */
function readJob(path: string): TestJobDescription {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  unlinkSync(path);
  if (isJob(value)) return value;
  throw new Error(`${path} is not a description of a test job`);
}

function isJob(value: unknown): value is TestJobDescription {
  if (typeof value !== 'object' || value === null) return false;
  const { argv, env, cwd } = value as Record<string, unknown>;
  return (
    Array.isArray(argv) &&
    argv.length > 0 &&
    argv.every((part) => typeof part === 'string') &&
    typeof env === 'object' &&
    env !== null &&
    Object.values(env).every((part) => typeof part === 'string') &&
    typeof cwd === 'string'
  );
}

/** execve does not search; this does, as a shell would, in the PATH of the runner's environment. */
function findProgram({ argv, env, cwd }: TestJobDescription): string | null {
  const name = argv[0] ?? '';
  if (name.includes('/')) return join(name.startsWith('/') ? '/' : cwd, name);
  for (const directory of (env['PATH'] ?? '').split(':')) {
    const candidate = join(directory === '' ? cwd : directory, name);
    if (isProgram(candidate)) return candidate;
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function fail(code: number, why: string): void {
  process.stderr.write(`fluffy: the tests could not be started: ${why}\n`);
  process.exitCode = code;
}
