import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IN_L2 } from '../../../../src/contracts/sandbox/container-paths.ts';
import { INPUT_FILE, JOB_FILE, testJobDescriptionSchema } from '../../../../src/contracts/sandbox/test-job.ts';

const launcher = join(import.meta.dirname, '../../../../tool-plugins/test-tool/runtime/launch.ts');
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'launch-'));
});
afterAll(() => rm(dir, { recursive: true }));

interface Launched {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function launch(job: unknown, input?: string): Promise<Launched> {
  const path = join(dir, 'job.json');
  await writeFile(path, JSON.stringify(job));
  if (input !== undefined) await writeFile(join(dir, INPUT_FILE), input);
  const { promise, resolve } = Promise.withResolvers<Launched>();
  const child = execFile(process.execPath, [launcher, path], { env: { LEAK: 'no' } }, (error, stdout, stderr) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
    resolve({ pid: child.pid ?? -1, code, signal: error?.signal ?? null, stdout, stderr });
  });
  return promise;
}

const job = (argv: readonly string[], more: object = {}) =>
  testJobDescriptionSchema.parse({
    argv,
    env: { PATH: dirname(process.execPath), A: 'b' },
    cwd: dir,
    ...more,
  });

describe('the launcher of a test sandbox', () => {
  test('becomes the runner: same process, its directory, its environment and nothing else', async () => {
    const script =
      'console.log(JSON.stringify([process.pid, process.cwd(), process.env.A, process.env.LEAK, process.argv.slice(1)]))';
    const result = await launch(job(['node', '-e', script, 'a b', '$x']));
    expect(JSON.parse(result.stdout)).toEqual([result.pid, dir, 'b', null, ['a b', '$x']]);
    expect(result.stderr).toBe('');
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

  test('hands on no ignored signal', async () => {
    const result = await launch(job(['/bin/cat', '/proc/self/status']));
    expect(/SigIgn:\t(\w+)/.exec(result.stdout)?.[1]).toBe('0000000000000000');
  });

  test.each([
    ['a program that is not there', ['none-such'], {}, 127],
    ['a program in no PATH', ['node'], { env: {} }, 127],
    ['a path that is no program', ['./job.json'], {}, 126],
    ['a directory that is not there', ['node'], { cwd: '/none/such' }, 126],
  ])('says what is wrong: %s', async (_name, argv, more, code) => {
    const result = await launch(job(argv, more));
    expect(result.code).toBe(code);
    expect(result.stderr).not.toBe('');
  });

  test.each([
    ['no command', { argv: [], env: {}, cwd: '/' }],
    ['an environment that is none', { argv: ['node'], env: { A: 1 }, cwd: '/' }],
    ['nothing', null],
  ])('refuses a description with %s', async (_name, description) => {
    const result = await launch(description);
    expect(result.code).toBe(1);
    expect(result.stderr).not.toBe('');
  });

  test('looks for its job where the kernel mounts it', async () => {
    const source = await import('node:fs/promises').then((fs) => fs.readFile(launcher, 'utf8'));
    expect(source).toContain(`'${IN_L2.out}/${JOB_FILE}'`);
  });
});
