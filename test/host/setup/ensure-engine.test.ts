import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { Consent } from '../../../src/host/setup/consent.ts';
import { ensureEngine } from '../../../src/host/setup/ensure-engine.ts';
import { type StartedEngine, startEngine } from '../../../src/host/setup/start-engine.ts';
import { type FixtureMachine, type MachineState, makeFixtureMachine } from '../../support/machine-states.ts';
import { type FakeDaemon, type FakeMachine, type FakeMachineOptions, fakeMachine } from './fake-machine.ts';

const SOCKET = 'var/run/docker.sock';
const RUNNING: MachineState = { engines: { [SOCKET]: '1.43' } };
const STOPPED: MachineState = { programs: ['usr/sbin/dockerd'] };

let fixture: FixtureMachine;
let ready = { ready: '' };
beforeEach(async () => {
  fixture = await makeFixtureMachine();
  ready = { ready: join(fixture.root, SOCKET) };
});
afterEach(() => fixture.remove());

const startsOn =
  (pattern: RegExp) =>
  async (command: string): Promise<number> => {
    if (pattern.test(command)) await fixture.add(RUNNING);
    return 0;
  };

const given: Consent = { kind: 'given' };
const refused: Consent = { kind: 'refused' };

async function prepare(options: Omit<FakeMachineOptions, 'fixture'> & { consent: Consent; dockerHost?: string }) {
  const machine: FakeMachine = fakeMachine({ ...options, fixture });
  const started: StartedEngine[] = [];
  const progress: string[] = [];
  const result = await ensureEngine({
    env: { DOCKER_HOST: options.dockerHost },
    machine,
    stateHome: join(fixture.root, 'state'),
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
  await fixture.add(RUNNING);
  expect(await prepare({ consent: given })).toEqual({ result: ready, ran: [], started: [], progress: [] });
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
    await fixture.add(STOPPED);
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
  test('a missing engine is installed from the system, with progress', async () => {
    const { result, ran, started, progress } = await prepare({
      consent: given,
      programs: ['apt-get'],
      onRun: startsOn(/install/),
    });
    expect(result).toEqual(ready);
    expect(ran).toEqual(['apt-get update -q', 'apt-get install -y -q --no-install-recommends --no-remove docker.io']);
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
    expect(result).toEqual(ready);
  });

  test('a stopped engine is started by systemd where that runs the machine', async () => {
    await fixture.add(STOPPED);
    const { result, ran, started } = await prepare({ consent: given, onRun: startsOn(/start docker/) });
    expect({ result, ran }).toEqual({ result: ready, ran: ['systemctl start docker'] });
    expect(started).toEqual([{ kind: 'service', stop: ['systemctl', 'stop', 'docker.socket', 'docker.service'] }]);
  });

  test('a service that refuses to start is exit 3', async () => {
    await fixture.add(STOPPED);
    const { result, started } = await prepare({ consent: given, onRun: () => 1 });
    expect(result).toMatchObject({ code: 'engine_not_started', exitCode: 3 });
    expect(started).toEqual([]);
  });
});

describe.each<[string, MachineState]>([
  ['nothing', {}],
  ['a client without its daemon', { programs: ['usr/bin/docker'] }],
  ['a client and a dead socket', { programs: ['usr/bin/docker'], deadSockets: [SOCKET] }],
  ['Podman and its docker alias', { programs: ['usr/bin/docker', 'usr/bin/podman'] }],
])('a machine with %s', (_name, state) => {
  beforeEach(() => fixture.add(state));

  test('gets the engine installed and started, with consent', async () => {
    const { result, ran } = await prepare({
      consent: given,
      systemd: false,
      programs: ['apt-get'],
      onRun: async (command) => {
        if (command.includes('install')) await fixture.add(STOPPED);
        return 0;
      },
      onDaemon: async () => {
        await rm(join(fixture.root, SOCKET), { force: true });
        await fixture.add(RUNNING);
        return { log: '', goesOn: true };
      },
    });
    expect(result).toEqual(ready);
    expect(ran).toEqual([
      'apt-get update -q',
      'apt-get install -y -q --no-install-recommends --no-remove docker.io cgroupfs-mount',
      'dockerd',
    ]);
  });

  test('is left alone without consent', async () => {
    const { result, ran } = await prepare({ consent: refused, programs: ['apt-get'] });
    expect(result).toMatchObject({ code: 'engine_missing', exitCode: 3 });
    expect(ran).toEqual([]);
  });
});

test.each<[string, MachineState]>([
  ['stopped', STOPPED],
  ['missing', {}],
])(
  'an engine that DOCKER_HOST names and that is dead is not replaced by the usual one, which is %s',
  async (_name, state) => {
    await fixture.add(state);
    const dockerHost = `unix://${fixture.root}/dead.sock`;
    const { result, ran } = await prepare({ consent: given, dockerHost, programs: ['apt-get'] });
    expect(result).toMatchObject({
      code: 'engine_address_unreachable',
      why: `DOCKER_HOST is ${dockerHost}, and there is no such socket`,
      exitCode: 3,
    });
    expect(ran).toEqual([]);
  },
);

describe('where no service manager runs the machine', () => {
  const answers = async (): Promise<FakeDaemon> => {
    await fixture.add(RUNNING);
    return { log: '', goesOn: true };
  };
  beforeEach(() => fixture.add(STOPPED));

  test('the engine is started as a process, and its id is reported so that it can be stopped', async () => {
    const { result, ran, started } = await prepare({ consent: given, systemd: false, onDaemon: answers });
    expect({ result, ran, started }).toEqual({
      result: ready,
      ran: ['dockerd'],
      started: [{ kind: 'process', pid: 4242 }],
    });
  });

  test('control groups are mounted first, where there is a program for it', async () => {
    const { ran } = await prepare({ consent: given, systemd: false, programs: ['cgroupfs-mount'], onDaemon: answers });
    expect(ran).toEqual(['cgroupfs-mount', 'dockerd']);
  });

  test('an engine that cannot make networks is started without', async () => {
    const onDaemon = (command: string): Promise<FakeDaemon> =>
      command === 'dockerd'
        ? Promise.resolve({ log: 'failed to register "bridge" driver: iptables: No chain\n', goesOn: false })
        : answers();
    const { result, ran } = await prepare({ consent: given, systemd: false, onDaemon });
    expect({ result, ran }).toEqual({
      result: ready,
      ran: ['dockerd', 'dockerd --iptables=false --ip6tables=false --bridge=none'],
    });
  });

  test.each<[string, FakeDaemon, string]>([
    [
      'with the last line of its log',
      { log: 'first\nno space left on device\n', goesOn: false },
      'dockerd ended with exit code 1: no space left on device',
    ],
    [
      'even if it wrote nothing',
      { log: '', goesOn: false },
      'dockerd ended with exit code 1 and wrote nothing to ROOT/state/engine.log',
    ],
    [
      'ended from outside',
      { log: 'loading\n', goesOn: false, end: { kind: 'killed', signal: 'SIGKILL' } },
      'dockerd was ended by SIGKILL: loading',
    ],
    [
      'that could not be started at all',
      { log: '', goesOn: false, end: { kind: 'not-started', why: 'spawn dockerd EACCES' } },
      'dockerd could not be started: spawn dockerd EACCES',
    ],
  ])('an engine that ends at once is exit 3 %s', async (_name, daemon, why) => {
    const { result, ran, started } = await prepare({
      consent: given,
      systemd: false,
      onDaemon: () => Promise.resolve(daemon),
    });
    expect(result).toMatchObject({
      code: 'engine_not_started',
      why: why.replace('ROOT', fixture.root),
      fix: 'run: sudo service docker start',
      exitCode: 3,
    });
    expect({ ran, started }).toEqual({ ran: ['dockerd'], started: [] });
  });

  test('an engine that never answers is stopped', async () => {
    const machine = fakeMachine({
      fixture,
      systemd: false,
      onDaemon: () => Promise.resolve({ log: 'waiting for containerd\n', goesOn: true }),
    });
    const starting = startEngine({
      machine,
      logPath: join(fixture.root, 'engine.log'),
      isReady: () => Promise.resolve(false),
      progress: () => undefined,
      readyWithinMs: 1,
    });
    await expect(starting).rejects.toMatchObject({ why: 'dockerd did not answer in time: waiting for containerd' });
  });

  test('a user who is not root gets the command', async () => {
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
  expect([first.result, second.result]).toEqual([ready, ready]);
  expect([...first.ran, ...second.ran].filter((command) => command.includes('install'))).toHaveLength(1);
  expect(await readFile(join(fixture.root, 'state/engine.lock'), 'utf8')).toBe('');
});
