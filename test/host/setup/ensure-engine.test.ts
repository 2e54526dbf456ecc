import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { Consent } from '../../../src/host/setup/consent.ts';
import { ensureEngine } from '../../../src/host/setup/ensure-engine.ts';
import type { StartedEngine } from '../../../src/host/setup/start-engine.ts';
import { type FakeMachine, type FakeMachineOptions, fakeEngine, fakeMachine } from './fake-machine.ts';

let directory = '';
let socket = '';
let servers: Server[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-engine-'));
  socket = join(directory, 'engine.sock');
  servers = [];
});
afterEach(async () => {
  for (const server of servers) server.close();
  await rm(directory, { recursive: true, force: true });
});

const startsOn =
  (pattern: RegExp) =>
  async (command: string): Promise<number> => {
    if (pattern.test(command)) servers.push(await fakeEngine(socket));
    return 0;
  };

const given: Consent = { kind: 'given' };
const refused: Consent = { kind: 'refused' };

async function prepare(options: FakeMachineOptions & { consent: Consent; path?: string }) {
  const machine: FakeMachine = fakeMachine(options);
  const started: StartedEngine[] = [];
  const progress: string[] = [];
  const result = await ensureEngine({
    env: { DOCKER_HOST: `unix://${socket}`, PATH: options.path ?? directory },
    machine,
    stateHome: join(directory, 'state'),
    consent: options.consent,
    onProgress: (line) => progress.push(line),
    onEngineStarted: (engine) => void started.push(engine),
  }).then(
    (engine) => ({ ready: engine.socketPath }),
    ({ code, why, fix, exitCode }: FluffyError) => ({ code, why, fix, exitCode }),
  );
  return { result, ran: machine.ran, started, progress };
}

test('an engine that answers is left alone, whatever the consent', async () => {
  servers.push(await fakeEngine(socket));
  expect(await prepare({ consent: given })).toEqual({ result: { ready: socket }, ran: [], started: [], progress: [] });
});

describe('without consent nothing is run, and the error names what to run', () => {
  test('a missing engine', async () => {
    const { result, ran } = await prepare({ consent: refused, programs: ['apt-get'] });
    expect(result).toMatchObject({
      code: 'engine_missing',
      exitCode: 3,
      fix: expect.stringContaining('apt-get install') as string,
    });
    expect(ran).toEqual([]);
  });

  test('a stopped engine', async () => {
    await writeFile(socket, '');
    const { result, ran } = await prepare({ consent: refused });
    expect(result).toMatchObject({
      code: 'engine_not_running',
      exitCode: 3,
      fix: expect.stringContaining('systemctl start') as string,
    });
    expect(ran).toEqual([]);
  });

  test('a person who says no', async () => {
    const questions: string[] = [];
    const ask = (question: string): Promise<boolean> => {
      questions.push(question);
      return Promise.resolve(false);
    };
    const { result, ran } = await prepare({ consent: { kind: 'ask', ask }, programs: ['apt-get'] });
    expect(result).toMatchObject({ code: 'engine_missing' });
    expect({ ran, asked: questions.length }).toEqual({ ran: [], asked: 1 });
  });
});

describe('with consent', () => {
  test('a missing engine is installed from the system, told as it goes', async () => {
    const { result, ran, started, progress } = await prepare({
      consent: given,
      programs: ['apt-get'],
      onRun: startsOn(/install/),
    });
    expect(result).toEqual({ ready: socket });
    expect(ran).toEqual(['apt-get update -q', 'apt-get install -y -q --no-install-recommends docker.io']);
    expect(started).toEqual([{ kind: 'service', stop: ['systemctl', 'stop', 'docker.socket', 'docker.service'] }]);
    expect(progress.join()).toContain('docker.io');
  });

  test('a user who is not root becomes so by sudo', async () => {
    const { ran } = await prepare({
      consent: given,
      isRoot: false,
      programs: ['apt-get', 'sudo'],
      onRun: startsOn(/install/),
    });
    expect(ran.every((command) => command.startsWith('sudo apt-get '))).toBe(true);
  });

  test.each([
    ['a system without apt', { programs: [] }],
    ['a user who can become nobody else', { programs: ['apt-get'], isRoot: false }],
    [
      'an installation that fails',
      { programs: ['apt-get'], onRun: (command: string) => (command.includes('install') ? 100 : 0) },
    ],
  ])('%s: exit 3 with the command to run by hand', async (_name, options) => {
    const { result } = await prepare({ consent: given, ...options });
    expect(result).toMatchObject({
      code: 'engine_not_installed',
      exitCode: 3,
      fix: expect.stringContaining('apt-get') as string,
    });
  });

  test('a package index that cannot be fetched does not stop the installation', async () => {
    const onRun = async (command: string): Promise<number> =>
      command.includes('update') ? 100 : startsOn(/install/)(command);
    const { result } = await prepare({ consent: given, programs: ['apt-get'], onRun });
    expect(result).toEqual({ ready: socket });
  });

  test('a stopped engine is started by systemd where that runs the machine', async () => {
    await writeFile(socket, '');
    const onRun = async (command: string): Promise<number> => {
      await rm(socket, { force: true });
      return startsOn(/start docker/)(command);
    };
    const { result, ran, started } = await prepare({ consent: given, onRun });
    expect({ result, ran }).toEqual({ result: { ready: socket }, ran: ['systemctl start docker'] });
    expect(started).toEqual([{ kind: 'service', stop: ['systemctl', 'stop', 'docker.socket', 'docker.service'] }]);
  });

  test('a service that refuses to start is exit 3', async () => {
    await writeFile(socket, '');
    const { result, started } = await prepare({ consent: given, onRun: () => 1 });
    expect(result).toMatchObject({ code: 'engine_not_started', exitCode: 3 });
    expect(started).toEqual([]);
  });
});

describe('where no service manager runs the machine', () => {
  const answers = async (): Promise<{ log: string; goesOn: boolean }> => {
    await rm(socket, { force: true });
    servers.push(await fakeEngine(socket));
    return { log: '', goesOn: true };
  };
  beforeEach(() => writeFile(socket, ''));

  test('the engine is started as a process, and its id is told so that it can be stopped', async () => {
    const { result, ran, started } = await prepare({ consent: given, systemd: false, onDaemon: answers });
    expect({ result, ran, started }).toEqual({
      result: { ready: socket },
      ran: ['dockerd'],
      started: [{ kind: 'process', pid: 4242 }],
    });
  });

  test('control groups are mounted first, where there is a program for it', async () => {
    const { ran } = await prepare({ consent: given, systemd: false, programs: ['cgroupfs-mount'], onDaemon: answers });
    expect(ran).toEqual(['cgroupfs-mount', 'dockerd']);
  });

  test('an engine that cannot make networks is started without', async () => {
    const onDaemon = (command: string): Promise<{ log: string; goesOn: boolean }> =>
      command === 'dockerd'
        ? Promise.resolve({ log: 'failed to register "bridge" driver: iptables: No chain\n', goesOn: false })
        : answers();
    const { result, ran } = await prepare({ consent: given, systemd: false, onDaemon });
    expect({ result, ran }).toEqual({
      result: { ready: socket },
      ran: ['dockerd', 'dockerd --iptables=false --ip6tables=false --bridge=none'],
    });
  });

  test('an engine that ends at once is exit 3 with its last words', async () => {
    const onDaemon = (): Promise<{ log: string; goesOn: boolean }> =>
      Promise.resolve({ log: 'first\nno space left on device\n', goesOn: false });
    const { result, ran, started } = await prepare({ consent: given, systemd: false, onDaemon });
    expect(result).toMatchObject({ code: 'engine_not_started', why: 'no space left on device', exitCode: 3 });
    expect({ ran, started }).toEqual({ ran: ['dockerd'], started: [] });
  });

  test('a user who is not root is told how', async () => {
    const { result, ran } = await prepare({ consent: given, systemd: false, isRoot: false });
    expect(result).toMatchObject({
      code: 'engine_not_started',
      fix: expect.stringContaining('service docker start') as string,
    });
    expect(ran).toEqual([]);
  });
});

test('of two at once, one installs', async () => {
  const onRun = startsOn(/install/);
  const options = { consent: given, programs: ['apt-get'], onRun };
  const [first, second] = await Promise.all([prepare(options), prepare(options)]);
  expect([first.result, second.result]).toEqual([{ ready: socket }, { ready: socket }]);
  expect([...first.ran, ...second.ran].filter((command) => command.includes('install'))).toHaveLength(1);
  expect(await readFile(join(directory, 'state/engine.lock'), 'utf8')).toBe('');
});
