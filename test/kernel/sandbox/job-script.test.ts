import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INPUT_FILE, JOB_FILE } from '../../../src/contracts/sandbox/test-job.ts';
import type { TestJobDescription } from '../../../src/contracts/sandbox/test-job.ts';
import { SANDBOX_PROGRAMS } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import { jobScript } from '../../../src/kernel/sandbox/job-script.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "it's a job-"));
});
afterAll(() => rm(dir, { recursive: true }));

interface Launched {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function launch(job: TestJobDescription, input?: string): Promise<Launched> {
  const path = join(dir, JOB_FILE);
  await writeFile(path, jobScript(job, input !== undefined, dir));
  if (input !== undefined) await writeFile(join(dir, INPUT_FILE), input);
  const { promise, resolve } = Promise.withResolvers<Launched>();
  const child = execFile('/bin/sh', [path], { env: { LEAK: 'no' } }, (error, stdout, stderr) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
    resolve({ pid: child.pid ?? -1, code, signal: error?.signal ?? null, stdout, stderr });
  });
  return promise;
}

const job = (argv: TestJobDescription['argv'], more: Partial<TestJobDescription> = {}): TestJobDescription => ({
  argv,
  env: { PATH: dirname(process.execPath), A: 'b' },
  cwd: dir,
  ...more,
});

const AWKWARD = [
  '',
  ' ',
  "it's",
  '"',
  '$x',
  '`id`',
  '$(id)',
  '\\',
  '\n',
  '-n',
  '*',
  ';',
  '&',
  '#',
  'ä',
  '!',
  '~',
  'a=b',
];

describe('the script of a test sandbox', () => {
  test('becomes the runner: same process, its directory, its environment and nothing else', async () => {
    const script =
      'console.log(JSON.stringify([process.pid, process.cwd(), Object.keys(process.env).sort(), process.env.A]))';
    const result = await launch(job(['node', '-e', script]));
    expect(JSON.parse(result.stdout)).toEqual([result.pid, dir, ['A', 'PATH'], 'b']);
    expect(result.stderr).toBe('');
  });

  test('hands over words and variables whatever they hold', async () => {
    const script = 'console.log(JSON.stringify([process.argv.slice(1), process.env.AWKWARD]))';
    const env = { PATH: dirname(process.execPath), AWKWARD: AWKWARD.join('') };
    const { stdout } = await launch(job(['node', '-e', script, '--', ...AWKWARD], { env }));
    expect(JSON.parse(stdout)).toEqual([AWKWARD, AWKWARD.join('')]);
  });

  test('hands what there is for the runner to its standard input, and leaves no file of either', async () => {
    const script = `process.stdout.write(require('fs').readFileSync(0, 'utf8') + require('fs').readdirSync('.').join())`;
    expect((await launch(job(['node', '-e', script]), 'a secret,')).stdout).toBe('a secret,');
    expect(await readdir(dir)).toEqual([]);
  });

  test('its exit is the runner’s exit', async () => {
    expect((await launch(job(['node', '-e', 'process.exit(7)']))).code).toBe(7);
    expect((await launch(job(['node', '-e', 'process.kill(process.pid, "SIGTERM")']))).signal).toBe('SIGTERM');
  });

  test('runs a program whose path has an equals sign', async () => {
    await writeFile(join(dir, 'a=b'), '#!/bin/sh\necho "$1"\n', { mode: 0o755 });
    expect((await launch(job([join(dir, 'a=b'), 'ran']))).stdout).toBe('ran\n');
    await rm(join(dir, 'a=b'));
  });

  test.each<[string, TestJobDescription['argv'], Partial<TestJobDescription>, number, RegExp]>([
    ['a program that is not there', ['none-such'], {}, 127, /none-such was not found in \//],
    ['a program in no PATH', ['node'], { env: {} }, 127, /node was not found in an empty PATH/],
    ['a path that is no program', ['./none'], {}, 126, /\.\/none is not an executable file/],
    ['a directory', ['/tmp'], {}, 126, /\/tmp is not an executable file/],
    ['a directory that is not there', ['node'], { cwd: '/none/such' }, 126, /none\/such/],
  ])('says what is wrong: %s', async (_name, argv, more, code, words) => {
    const result = await launch(job(argv, more));
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(words);
  });

  test.each<[string, TestJobDescription]>([
    ['a NUL in a word', job(['node', 'a\0b'])],
    ['a variable without a name', job(['node'], { env: { '': 'x' } })],
    ['a variable that would be another one', job(['node'], { env: { 'A=B': 'x' } })],
  ])('there is none for %s', (_name, description) => {
    expect(() => jobScript(description, false)).toThrow();
  });

  test('is what the sandbox runs', () => {
    expect(SANDBOX_PROGRAMS.test.command).toEqual(['/bin/sh', `/var/local/${JOB_FILE}`]);
    expect(jobScript(job(['node']), true)).toContain(`/bin/rm -f '/var/local/${JOB_FILE}' '/var/local/${INPUT_FILE}'`);
  });
});
