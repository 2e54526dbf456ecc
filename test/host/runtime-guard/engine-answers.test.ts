import { describe, expect, test } from 'vitest';
import { engineMessage, filterInspect, withoutPaths } from '../../../src/host/runtime-guard/engine-answers.ts';
import type { GuardContext } from '../../../src/host/runtime-guard/guard-context.ts';
import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';

const context: GuardContext = {
  projectId: '0123456789abcdef',
  instance: 'aabbccdd',
  projectRoot: '/p',
  uid: 1,
  gid: 1,
  images: {},
  seccomp: { strict: 'S', standard: 'T', 'standard-net': 'N' },
  caps: templateLimits(),
  borrowedObjects: null,
  dependencyMounts: [],
  hostsFile: '/opt/hosts',
  packageMounts: () => Promise.resolve([]),
};

describe('an inspect answer', () => {
  const raw = {
    Id: 'a'.repeat(64),
    Image: 'sha256:x',
    Path: '/usr/local/bin/node',
    LogPath: '/var/lib/docker/containers/log',
    ResolvConfPath: '/var/lib/docker/resolv.conf',
    GraphDriver: { Data: { UpperDir: '/var/lib/docker/overlay2/x/diff' } },
    State: { Status: 'running', Running: true, Pid: 4711, OOMKilled: false, ExitCode: 0, Error: 'mount /home/me' },
    Config: {
      User: '1:1',
      Cmd: ['x'],
      Labels: { 'fluffy.sandbox': 'x_1', 'fluffy.instance': 'aabbccdd', 'com.example': 'secret' },
    },
    HostConfig: {
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      Mounts: [{ Source: '/proc/1/fd/7' }],
      Binds: ['/etc:/etc'],
      SecurityOpt: ['no-new-privileges', 'seccomp=T', 'seccomp=other', 'apparmor=x'],
    },
    Mounts: [{ Type: 'volume', Source: '/var/lib/docker/volumes/x', Destination: '/p', RW: true, Propagation: '' }],
    NetworkSettings: { SandboxKey: '/var/run/docker/netns/x', Networks: { none: { MacAddress: '00' } } },
  };

  test('shows settings and state, but no path and no process of the host', () => {
    expect(filterInspect(raw, context)).toEqual({
      Id: 'a'.repeat(64),
      Image: 'sha256:x',
      State: { Status: 'running', Running: true, OOMKilled: false, ExitCode: 0 },
      Config: { User: '1:1', Cmd: ['x'], Labels: { 'fluffy.sandbox': 'x_1' } },
      HostConfig: {
        NetworkMode: 'none',
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges', 'seccomp=standard', 'seccomp=foreign', 'apparmor=x'],
      },
      Mounts: [{ Type: 'volume', Destination: '/p', RW: true, Propagation: '' }],
      NetworkSettings: { Networks: ['none'] },
    });
  });
});

test.each([
  ['error mounting "/proc/12/fd/3" to rootfs at "/run/fluffy"', 'error mounting "<path>" to rootfs at "<path>"'],
  ['open /var/lib/docker/x: no space left', 'open <path>: no space left'],
  ['and/or', 'and/or'],
  ['', ''],
  [`x${'y'.repeat(400)}`, `x${'y'.repeat(299)}`],
])('what the engine says is told without paths: %s', (message, told) => {
  expect(withoutPaths(message)).toBe(told);
});

test.each([
  [{ message: 'no' }, 'no'],
  [null, 'the engine gave no reason'],
  [{ message: 7 }, 'the engine gave no reason'],
])('an answer without a message: %o', (body, message) => {
  expect(engineMessage(body)).toBe(message);
});
