import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BootstrapError } from '../../src/bootstrap/bootstrap-error.ts';
import { detectRuntime } from '../../src/bootstrap/detect-runtime.ts';
import { repairCommands } from '../../src/bootstrap/repair-commands.ts';
import { type FixtureMachine, type MachineState, makeFixtureMachine } from '../support/machine-states.ts';

const SOCKET = 'var/run/docker.sock';
const INSTALL = 'run: sudo apt-get install -y docker.io';
const START = 'run: sudo systemctl start docker';
const PERMIT = 'run: sudo usermod -aG docker "$USER", then log in again';

let machine: FixtureMachine | undefined;
afterEach(async () => {
  await machine?.remove();
  machine = undefined;
});

interface Row {
  readonly name: string;
  readonly state: MachineState;
  /** Socket below the root that DOCKER_HOST names. */
  readonly named?: string;
  /** `ROOT` stands for the machine's root. */
  readonly found: { readonly socketPath: string } | Readonly<Record<'code' | 'why' | 'fix', string>>;
}

/** What a user without rights finds on a machine whose PATH leaves out `usr/sbin`, as most users' does. */
const rows: readonly Row[] = [
  {
    name: 'nothing',
    state: {},
    found: { code: 'engine_missing', why: 'dockerd was not found; nor was Podman', fix: INSTALL },
  },
  {
    name: 'client only',
    state: { programs: ['usr/local/bin/docker'] },
    found: {
      code: 'engine_missing',
      why: 'dockerd was not found; ROOT/usr/local/bin/docker is only a client',
      fix: INSTALL,
    },
  },
  {
    name: 'client and a socket that an engine left behind',
    state: { programs: ['usr/bin/docker'], deadSockets: [SOCKET] },
    found: {
      code: 'engine_missing',
      why: 'dockerd was not found; ROOT/usr/bin/docker is only a client',
      fix: INSTALL,
    },
  },
  {
    name: 'engine stopped',
    state: { programs: ['usr/bin/docker', 'usr/sbin/dockerd'] },
    found: {
      code: 'engine_not_running',
      why: 'ROOT/usr/sbin/dockerd is installed, but there is no socket of it',
      fix: START,
    },
  },
  {
    name: 'engine stopped, its socket left behind',
    state: { programs: ['usr/sbin/dockerd'], deadSockets: [SOCKET] },
    found: {
      code: 'engine_not_running',
      why: `ROOT/usr/sbin/dockerd is installed, but no engine answers on ROOT/${SOCKET}`,
      fix: START,
    },
  },
  {
    name: 'something else on the socket',
    state: { programs: ['usr/sbin/dockerd'], engines: { [SOCKET]: null } },
    found: {
      code: 'engine_not_running',
      why: `ROOT/usr/sbin/dockerd is installed, but no engine answers on ROOT/${SOCKET}`,
      fix: START,
    },
  },
  {
    name: 'engine running',
    state: { programs: ['usr/sbin/dockerd'], engines: { [SOCKET]: '1.44' } },
    found: { socketPath: SOCKET },
  },
  {
    name: 'engine running that was not installed as a package',
    state: { engines: { [SOCKET]: '1.44' } },
    found: { socketPath: SOCKET },
  },
  {
    name: 'engine too old',
    state: { engines: { [SOCKET]: '1.40' } },
    found: { code: 'engine_too_old', why: `ROOT/${SOCKET} speaks no API 1.41`, fix: INSTALL },
  },
  {
    name: 'no permission',
    state: { programs: ['usr/sbin/dockerd'], engines: { [SOCKET]: '1.44' }, closed: [SOCKET] },
    found: { code: 'engine_no_permission', why: `no permission on its socket ROOT/${SOCKET}`, fix: PERMIT },
  },
  {
    name: 'rootless',
    state: { programs: ['home/bin/dockerd'], engines: { 'run/user/docker.sock': '1.44' } },
    found: { socketPath: 'run/user/docker.sock' },
  },
  {
    name: 'rootless beside an engine that only root may use',
    state: { engines: { [SOCKET]: '1.44', 'run/user/docker.sock': '1.44' }, closed: [SOCKET] },
    found: { socketPath: 'run/user/docker.sock' },
  },
  {
    name: 'Podman only',
    state: { programs: ['usr/bin/podman'] },
    found: {
      code: 'engine_missing',
      why: 'dockerd was not found; ROOT/usr/bin/podman is installed, but no service of it listens',
      fix: INSTALL,
    },
  },
  {
    name: 'Podman with its docker alias',
    state: { programs: ['usr/bin/podman', 'usr/bin/docker'] },
    found: {
      code: 'engine_missing',
      why: 'dockerd was not found; ROOT/usr/bin/podman is installed, but no service of it listens',
      fix: INSTALL,
    },
  },
  {
    name: 'Podman with its service running',
    state: { programs: ['usr/bin/podman'], engines: { 'run/podman/podman.sock': '1.41' } },
    found: { socketPath: 'run/podman/podman.sock' },
  },
  {
    name: 'DOCKER_HOST to no socket, another engine stopped',
    state: { programs: ['usr/sbin/dockerd'] },
    named: 'none.sock',
    found: {
      code: 'engine_address_unreachable',
      why: 'DOCKER_HOST is unix://ROOT/none.sock, and there is no such socket',
      fix: 'start the engine that it names, or unset DOCKER_HOST to use the usual sockets of this machine',
    },
  },
  {
    name: 'DOCKER_HOST to a dead socket, another engine running',
    state: { programs: ['usr/sbin/dockerd'], engines: { [SOCKET]: '1.44' }, deadSockets: ['dead.sock'] },
    named: 'dead.sock',
    found: {
      code: 'engine_address_unreachable',
      why: 'DOCKER_HOST is unix://ROOT/dead.sock, and no engine answers on it',
      fix: 'start the engine that it names, or unset DOCKER_HOST to use the usual sockets of this machine',
    },
  },
  {
    name: 'DOCKER_HOST to an engine of its own',
    state: { engines: { [SOCKET]: '1.44', 'own.sock': '1.44' } },
    named: 'own.sock',
    found: { socketPath: 'own.sock' },
  },
  {
    name: 'DOCKER_HOST to a socket that only root may use',
    state: { engines: { [SOCKET]: '1.44', 'own.sock': '1.44' }, closed: ['own.sock'] },
    named: 'own.sock',
    found: { code: 'engine_no_permission', why: 'no permission on its socket ROOT/own.sock', fix: PERMIT },
  },
];

test.each(rows)('$name', async ({ state, named, found }) => {
  const fixture = (machine = await makeFixtureMachine(state));
  const { root } = fixture;
  const env = {
    HOME: `${root}/home`,
    XDG_RUNTIME_DIR: `${root}/run/user`,
    DOCKER_HOST: named === undefined ? undefined : `unix://${root}/${named}`,
  };
  const result = await asNobody(() => detect(env, fixture));
  if ('socketPath' in found) {
    expect(result).toEqual({ socketPath: join(root, found.socketPath), apiVersion: expect.any(String) as string });
    return;
  }
  const { code, why, fix, exitCode } = result as BootstrapError;
  expect({ code, fix, exitCode }).toEqual({ code: found.code, fix: found.fix, exitCode: 3 });
  expect(why.replaceAll(root, 'ROOT')).toBe(found.why);
});

function detect(env: Parameters<typeof detectRuntime>[0], { root, system }: FixtureMachine) {
  const path = `${root}/usr/local/bin:${root}/usr/bin`;
  return detectRuntime(env, system(path, true)).catch((error: unknown) => {
    if (error instanceof BootstrapError) return error;
    throw error;
  });
}

/** Root may open everything, so for a moment we are not root. */
async function asNobody<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}

test.each([
  ['1.41', '1.41'],
  ['1.44', '1.44'],
  ['1.52', '1.44'],
])('an engine with API %s is spoken to in %s', async (version, spoken) => {
  machine = await makeFixtureMachine({ engines: { [SOCKET]: version } });
  const socketPath = join(machine.root, SOCKET);
  expect(await detect({}, machine)).toEqual({ socketPath, apiVersion: spoken });
});

test.each(['tcp://127.0.0.1:2375', 'ssh://host', 'unix://relative.sock', '/path'])(
  'an address that is no local socket: %s',
  async (address) => {
    machine = await makeFixtureMachine({ engines: { [SOCKET]: '1.44' } });
    const found = await detect({ DOCKER_HOST: address }, machine);
    expect(found).toMatchObject({ code: 'engine_address_unsupported', exitCode: 2 });
  },
);

describe('the repair commands fit the machine', () => {
  test.each([
    [{ platform: 'linux', distribution: 'ubuntu debian', systemd: true }, 'apt-get install', 'systemctl start docker'],
    [{ platform: 'linux', distribution: 'debian', systemd: false }, 'apt-get install', 'service docker start'],
    [{ platform: 'linux', distribution: 'fedora', systemd: true }, 'dnf install -y podman', 'systemctl'],
    [{ platform: 'linux', distribution: 'arch', systemd: true }, 'pacman', 'systemctl'],
    [{ platform: 'linux', distribution: '', systemd: true }, 'package manager', 'systemctl'],
    [{ platform: 'darwin', distribution: '', systemd: false }, 'brew install --cask docker', 'open -a Docker'],
    [{ platform: 'win32', distribution: '', systemd: false }, 'WSL2', 'WSL2'],
  ])('%o', (system, install, start) => {
    const commands = repairCommands(system);
    expect(commands.install).toContain(install);
    expect(commands.start).toContain(start);
    expect(commands.permit).not.toBe('');
  });
});
