import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../../tool-plugins/sdk/index.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'run-command-'));
});
afterAll(() => rm(dir, { recursive: true }));

const node = (script: string, ...args: string[]): string[] => [process.execPath, '-e', script, ...args];

/** True while a process of that id can be signalled and is no zombie. */
async function alive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return status !== null && !/\) [ZX] /.test(status);
}

async function gone(pid: number): Promise<void> {
  await expect.poll(() => alive(pid), { interval: 10 }).toBe(false);
}

describe('running a program', () => {
  test('with exactly its arguments, read by no shell', async () => {
    const hostile = ['$(touch x)', '`id`', 'a b', '*', '', "'", '\n', '; exit 1'];
    const result = await runCommand(node('console.log(JSON.stringify(process.argv.slice(1)))', ...hostile));
    expect(JSON.parse(result.stdout)).toEqual(hostile);
    expect(result.exit).toEqual({ kind: 'exited', code: 0 });
  });

  test('with exactly the environment and directory it is given', async () => {
    const result = await runCommand(node('console.log(JSON.stringify([process.env, process.cwd()]))'), {
      env: { A: '1' },
      cwd: dir,
    });
    expect(JSON.parse(result.stdout)).toEqual([{ A: '1' }, dir]);
  });

  test('without input, unless there is some', async () => {
    const echo = node('process.stdin.pipe(process.stdout)');
    expect((await runCommand(echo)).stdout).toBe('');
    expect((await runCommand(echo, { stdin: 'hello' })).stdout).toBe('hello');
  });

  test('that does not read its input', async () => {
    const result = await runCommand(node('process.exit(3)'), { stdin: 'x'.repeat(1_000_000) });
    expect(result.exit).toEqual({ kind: 'exited', code: 3 });
  });

  test('that is killed by a signal', async () => {
    const result = await runCommand(node('process.kill(process.pid, "SIGTERM")'));
    expect(result.exit).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  test.each([
    ['that does not exist', ['/none/such']],
    ['that is a directory', ['/tmp']],
    ['with a NUL byte', ['a\0b']],
    ['that is no program at all', []],
    ['that is empty', ['']],
  ])('%s', async (_name, command) => {
    expect((await runCommand(command)).exit.kind).toBe('not-started');
  });

  test('that never stops talking: head and tail are kept', async () => {
    const script =
      'process.stdout.write("first\\n"); for (let i = 0; i < 200; i++) process.stdout.write("x".repeat(10000)); process.stdout.write("\\nlast")';
    const result = await runCommand(node(script), { maxOutputBytes: 1000 });
    expect(result.truncated).toBe(true);
    expect(result.stdout.length).toBeLessThan(1100);
    expect(result.stdout.startsWith('first\n')).toBe(true);
    expect(result.stdout.endsWith('\nlast')).toBe(true);
  });

  test('that does not end, and what it started, are killed at the deadline', async () => {
    const script =
      'const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {stdio: "inherit"}); console.log(c.pid); setInterval(() => {}, 1000)';
    const result = await runCommand(node(script), { timeoutMs: 1500 });
    expect(result.exit).toEqual({ kind: 'timed-out', afterMs: 1500 });
    await gone(Number(result.stdout));
  });

  test('whose children hold its output open: they are killed as soon as it ends', async () => {
    const script =
      'const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {stdio: "inherit"}); console.log(c.pid); c.unref(); process.exit(0)';
    const result = await runCommand(node(script), { timeoutMs: 10_000 });
    expect(result.exit).toEqual({ kind: 'exited', code: 0 });
    await gone(Number(result.stdout));
  });

  test('that left a daemon of its own session: the answer does not wait for it', async () => {
    const script =
      'const c = require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 5000)"], {stdio: "inherit", detached: true}); console.log(c.pid); c.unref(); process.exit(0)';
    const result = await runCommand(node(script), { timeoutMs: 10_000 });
    expect(result.durationMs).toBeLessThan(4000);
    process.kill(Number(result.stdout), 'SIGKILL');
  });

  test('that is cancelled, before or while it runs', async () => {
    const controller = new AbortController();
    const running = runCommand(node('console.log(1); setInterval(() => {}, 1000)'), { signal: controller.signal });
    controller.abort();
    expect((await running).exit).toEqual({ kind: 'cancelled' });
    expect((await runCommand(node(''), { signal: controller.signal })).exit).toEqual({ kind: 'cancelled' });
  });
});
