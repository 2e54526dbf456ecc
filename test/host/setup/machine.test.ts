import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realMachine } from '../../../src/host/setup/machine.ts';
import { stopEngine } from '../../../src/host/setup/start-engine.ts';

const system = { platform: 'linux', distribution: 'debian', systemd: false };
let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-machine-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(directory, name), 0o755);
}

const machine = (): ReturnType<typeof realMachine> => realMachine(system, `${directory}:/usr/bin:/bin`);

test('a daemon has a session of its own, writes its log, and is gone once it is stopped', async () => {
  await program('daemon', 'echo "started $1"; exec sleep 100');
  const daemon = machine().startDaemon(['daemon', 'here'], join(directory, 'logs/daemon.log'));
  const pid = daemon.pid ?? 0;
  expect(execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).toBe(String(pid));
  await stopEngine({ kind: 'process', pid }, machine());
  await daemon.ended;
  expect(await readFile(join(directory, 'logs/daemon.log'), 'utf8')).toBe('started here\n');
});

test('a daemon that is not there has ended', async () => {
  const daemon = machine().startDaemon(['no-such-daemon'], join(directory, 'log'));
  await daemon.ended;
  expect(daemon.pid).toBeUndefined();
});

test.each([
  ['exit 0', 0],
  ['exit 7', 7],
  ['kill -9 $$', 128],
])('a command that does `%s` tells %i', async (script, code) => {
  await program('command', script);
  expect(await machine().run(['command'])).toBe(code);
});

test('a command that is not there tells 127', async () => {
  expect(await machine().run(['no-such-command'])).toBe(127);
});

test('stopping what is gone already is nothing', async () => {
  const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  await stopEngine({ kind: 'process', pid }, machine());
});
