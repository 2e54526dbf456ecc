import { describe, expect, test } from 'vitest';
import { checkProtections } from '../../../src/cli/doctor/check-protections.ts';
import type { Probe } from '../../../src/cli/doctor/probe-script.ts';

const sound: Probe = {
  uid: 1000,
  seccomp: '2',
  noNewPrivileges: '1',
  capabilities: '0000000000000000',
  apparmor: 'docker-default (enforce)',
  uidMap: '         0          0 4294967295',
  cgroup: '12:pids:/\n0::/',
  interfaces: ['lo'],
  rootWritable: false,
  internetSocket: 'EPERM',
  namespace: 'refused',
  processes: 20,
};

const notOk = (probe: Probe): string[] =>
  checkProtections(probe)
    .filter(({ level }) => level !== 'ok')
    .map(({ id, level }) => `${level} ${id}`);

test('a sound sandbox has nothing to report', () => {
  expect(notOk(sound)).toEqual([]);
});

describe('each protection that is missing is reported, and only that one', () => {
  test.each<[Partial<Probe>, string]>([
    [{ seccomp: '0' }, 'error protection.seccomp'],
    [{ seccomp: null }, 'error protection.seccomp'],
    [{ internetSocket: 'ECONNREFUSED' }, 'error protection.seccomp'],
    [{ noNewPrivileges: '0' }, 'error protection.no_new_privileges'],
    [{ capabilities: '00000000a80425fb' }, 'error protection.capabilities'],
    [{ capabilities: null }, 'error protection.capabilities'],
    [{ uid: 0 }, 'error protection.user'],
    [{ rootWritable: true }, 'error protection.read_only'],
    [{ interfaces: ['lo', 'eth0'] }, 'error protection.network'],
    [{ namespace: 'made' }, 'error protection.namespaces'],
    [{ namespace: 'untried' }, 'error protection.namespaces'],
    [{ processes: 60 }, 'error protection.processes'],
    [{ cgroup: '0::/../../system.slice' }, 'warn protection.cgroup_namespace'],
    [{ cgroup: null }, 'warn protection.cgroup_namespace'],
    [{ apparmor: 'unconfined' }, 'warn protection.apparmor'],
    [{ apparmor: null }, 'warn protection.apparmor'],
  ])('%o', (difference, expected) => {
    expect(notOk({ ...sound, ...difference })).toEqual([expected]);
  });
});

test('mapped user ids are told', () => {
  const told = checkProtections({ ...sound, uidMap: '0 100000 65536' }).find(
    ({ id }) => id === 'protection.user_namespace',
  );
  expect(told).toMatchObject({ level: 'ok', what: expect.stringContaining('mapped') as string });
});
