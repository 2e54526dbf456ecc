import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHostSystem } from '../../../src/host/setup/host-system.ts';
import { realMachine } from '../../../src/host/setup/machine.ts';
import { stopEngine } from '../../../src/host/setup/start-engine.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-machine-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(directory, name), 0o755);
}

const on = (path: string, root = '/') => realMachine(readHostSystem(path, root), path);
const machine = (): ReturnType<typeof realMachine> => on(`${directory}:/usr/bin:/bin`);

test('a daemon has a session of its own, writes its log, and is gone once it is stopped', async () => {
  await program('daemon', 'echo "started $1"; exec sleep 100');
  const daemon = machine().startDaemon(['daemon', 'here'], join(directory, 'logs/daemon.log'));
  const pid = daemon.pid ?? 0;
  expect(execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).toBe(String(pid));
  await stopEngine({ kind: 'process', pid }, machine());
  await daemon.ended;
  expect(await readFile(join(directory, 'logs/daemon.log'), 'utf8')).toBe('started here\n');
});

test('a daemon that is not there has ended with the reason why it could not be started', async () => {
  const daemon = machine().startDaemon(['no-such-daemon'], join(directory, 'log'));
  expect(await daemon.ended).toEqual({ kind: 'not-started', why: 'spawn no-such-daemon ENOENT' });
  expect(daemon.pid).toBeUndefined();
});

test.each([
  ['exit 3', { kind: 'exited', code: 3 }],
  ['kill -9 $$', { kind: 'killed', signal: 'SIGKILL' }],
])('a daemon that does `%s` reports it', async (script, end) => {
  await program('daemon', script);
  expect(await machine().startDaemon(['daemon'], join(directory, 'log')).ended).toEqual(end);
});

test('programs of the system are found below its root, whatever PATH says', async () => {
  await mkdir(join(directory, 'usr/sbin'), { recursive: true });
  await program('usr/sbin/dockerd', '');
  await writeFile(join(directory, 'usr/sbin/unusable'), '');
  await mkdir(join(directory, 'usr/sbin/folder'));
  const { has } = on('/nowhere', directory);
  expect(['dockerd', 'unusable', 'folder', 'sh'].map(has)).toEqual([true, false, false, false]);
});

test.each([
  ['exit 0', 0],
  ['exit 7', 7],
  ['kill -9 $$', 128],
])('a command that does `%s` ends with %i', async (script, code) => {
  await program('command', script);
  expect(await machine().run(['command'])).toBe(code);
});

test('a command that is not there ends with 127', async () => {
  expect(await machine().run(['no-such-command'])).toBe(127);
});

test('stopping what is gone already is nothing', async () => {
  const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  await stopEngine({ kind: 'process', pid }, machine());
});
