import { expect, test } from 'vitest';
import { l1Container } from '../../src/bootstrap/l1-container.ts';

test('L1 is exactly this, whatever differs from project to project', () => {
  const built = l1Container({
    name: 'fluffy-1234-kernel',
    image: 'sha256:abc',
    labels: { 'fluffy.role': 'kernel' },
    uid: 1000,
    gid: 1001,
    project: '/home/me/my, project',
    pinned: [
      { path: '/home/me/my, project/.git', readOnly: false },
      { path: '/home/me/my, project/.git/hooks', readOnly: true },
    ],
    state: '/state/kernel',
    run: '/run/user/1000/fluffy/1234/l1',
    seccomp: '{"defaultAction":"SCMP_ACT_ERRNO"}',
    kernelOptions: '{"uid":1000}',
    memoryLimitBytes: 1024,
  });
  const bind = (Source: string, Target: string, ReadOnly = false) => ({
    Type: 'bind',
    Source,
    Target,
    ReadOnly,
    BindOptions: { Propagation: 'rprivate' },
  });
  expect(built).toEqual({
    Image: 'sha256:abc',
    Hostname: 'fluffy',
    User: '1000:1001',
    Entrypoint: ['/usr/local/bin/node'],
    Cmd: ['/opt/fluffy/kernel/kernel.mjs'],
    Env: [
      'PATH=/usr/local/bin:/usr/bin:/bin',
      'HOME=/tmp',
      'LANG=C.UTF-8',
      'TZ=UTC',
      'FLUFFY_KERNEL_OPTIONS={"uid":1000}',
    ],
    WorkingDir: '/',
    Labels: { 'fluffy.role': 'kernel' },
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: 5,
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'private',
      PidMode: '',
      UTSMode: '',
      CgroupnsMode: 'private',
      Privileged: false,
      ReadonlyRootfs: true,
      CapAdd: [],
      CapDrop: ['ALL'],
      Devices: [],
      Init: false,
      RestartPolicy: { Name: 'no' },
      PidsLimit: 256,
      Ulimits: [
        { Name: 'nofile', Soft: 16384, Hard: 16384 },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '8m', 'max-file': '2' } },
      SecurityOpt: ['no-new-privileges', 'seccomp={"defaultAction":"SCMP_ACT_ERRNO"}'],
      Memory: 1024,
      MemorySwap: 1024,
      Tmpfs: { '/tmp': 'rw,nosuid,nodev,noexec,size=67108864,nr_inodes=16384,mode=0700,uid=1000,gid=1001' },
      Mounts: [
        bind('/home/me/my, project', '/home/me/my, project'),
        bind('/home/me/my, project/.git', '/home/me/my, project/.git'),
        bind('/home/me/my, project/.git/hooks', '/home/me/my, project/.git/hooks', true),
        bind('/state/kernel', '/var/lib/fluffy'),
        bind('/run/user/1000/fluffy/1234/l1', '/run/fluffy'),
      ],
    },
  });
});
