/**
 * Entry of a test sandbox: becomes the test runner. The process is replaced (execve), so the container's main process is the
 * runner itself and nothing of ours is beside it that the tests could reach: its exit is the runner's exit.
 * Uses node: modules only; its start is part of every test run.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestJobDescription } from '../../../src/contracts/test-job.ts';

const JOB_PATH = process.argv[2] ?? '/fluffy/job/job.json';
/** What a shell answers when a program cannot be found or run; the message is on stderr. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

launch(JOB_PATH);

function launch(jobPath: string): void {
  const job = readJob(jobPath);
  const program = findProgram(job);
  if (program === null)
    return fail(NOT_FOUND, `${job.argv[0] ?? ''} was not found in ${job.env['PATH'] ?? 'an empty PATH'}`);
  // An execve that fails ends Node by abort, so what can be known before is checked before.
  if (!isProgram(program)) return fail(NOT_EXECUTABLE, `${program} is no program that may be run`);
  if (process.execve === undefined) return fail(NOT_EXECUTABLE, `Node ${process.version} cannot replace itself`);
  try {
    process.chdir(job.cwd);
    // The replacement announces itself as experimental, on the stderr that belongs to the runner.
    process.removeAllListeners('warning');
    // Node ignores these two, and what is ignored stays so across execve; a handler is reset to the default.
    for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) process.on(signal, () => undefined);
    process.execve(program, job.argv, job.env);
  } catch (error) {
    fail(NOT_EXECUTABLE, `${program}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Written by the kernel and mounted read-only; checked all the same, since a wrong shape would crash execve without a word. */
function readJob(path: string): TestJobDescription {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (isJob(value)) return value;
  throw new Error(`${path} is no description of a test job`);
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

/** execve does not search: as a shell would, in the PATH of the environment the runner gets. */
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
