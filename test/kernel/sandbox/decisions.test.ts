import { describe, expect, test } from 'vitest';
import { PACKAGE_MANAGER_NAMES } from '../../../src/contracts/sandbox/package-managers.ts';
import { PROGRAMS, SANDBOX_PROGRAMS } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import type { GuardContainerCreate } from '../../../src/contracts/sandbox/guard-api.ts';
import { guardContainerCreateSchema } from '../../../src/contracts/sandbox/guard-api.ts';
import { sandboxIdSchema, sessionIdSchema } from '../../../src/contracts/ids.ts';
import type { ContainerId, ContainerSettings } from '../../../src/contracts/ports/container-runtime.ts';
import { differences } from '../../../src/kernel/sandbox/compare-settings.ts';
import { transition } from '../../../src/kernel/sandbox/lifecycle.ts';
import type { LifecycleEvent, LifecycleState } from '../../../src/kernel/sandbox/lifecycle.ts';
import { processExit } from '../../../src/kernel/sandbox/process-exit.ts';
import { jobFiles } from '../../../src/kernel/sandbox/run-test.ts';
import {
  containerRequest,
  expectedMounts,
  inProjectImage,
  networkSpec,
  providerSpec,
  serviceSpec,
  testSpec,
  toolSpec,
} from '../../../src/kernel/sandbox/sandbox-spec.ts';
import type { SandboxSpec } from '../../../src/kernel/sandbox/sandbox-spec.ts';
import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { faithfulSettings } from './fake-engine.ts';

const session = sessionIdSchema.parse('s_session01');
const sandbox = sandboxIdSchema.parse('x_sandbox01');
const identity = {
  uid: 1000,
  gid: 1000,
  projectRoot: '/home/me/project',
  borrowedObjects: null,
  limits: templateLimits(),
};
const requestFor = (spec: SandboxSpec, volume: string | null): GuardContainerCreate =>
  containerRequest(sandbox, spec, volume, identity.limits[spec.template]);

const networkOf = {
  sandbox: sandboxIdSchema.parse('x_network00'),
  container: 'c'.repeat(64) as ContainerId,
};

describe('the life of a sandbox', () => {
  const table: Record<LifecycleState, Partial<Record<LifecycleEvent, LifecycleState>>> = {
    creating: { ready: 'running', broke: 'failed' },
    running: { finished: 'stopping', broke: 'failed' },
    stopping: { stopped: 'cleanup', broke: 'failed' },
    failed: { 'clean-up': 'cleanup' },
    cleanup: { cleaned: 'destroyed', 'clean-up': 'cleanup' },
    destroyed: { 'clean-up': 'destroyed', cleaned: 'destroyed' },
  };
  const events: LifecycleEvent[] = ['ready', 'finished', 'broke', 'stopped', 'clean-up', 'cleaned'];
  const cases = (Object.keys(table) as LifecycleState[]).flatMap((state) =>
    events.map((event) => [state, event] as const),
  );

  test.each(cases)('%s, %s', (state, event) => {
    expect(transition(state, event)).toBe(table[state][event] ?? null);
  });
});

describe('what is asked of the guard', () => {
  test('a patch-mode tool', () => {
    expect(requestFor(toolSpec(session, 'tool:fs', null), null)).toEqual({
      sandbox,
      session,
      program: 'tool:fs',
      template: 'code-executor',
      image: 'node',
      workspace: { kind: 'none' },
      limits: { memory_bytes: 1073741824, cpus: 1, pids: 100, file_size_bytes: 268435456 },
    });
  });

  test('what the limits of the user’s configuration are, larger ones too', () => {
    const own = { memoryBytes: 2 * 1024 ** 3, cpus: 4, pids: 400, fileSizeBytes: 2 ** 20 };
    const limits = templateLimits(own);
    const ofTest = testSpec(session, 1, 'node', 'code-executor');
    expect(containerRequest(sandbox, ofTest, 'volume', limits['code-executor']).limits).toEqual({
      memory_bytes: 2147483648,
      cpus: 4,
      pids: 400,
      file_size_bytes: 1048576,
    });
    expect(limits['ai-provider']).toEqual(templateLimits()['ai-provider']);
    const faithful = faithfulSettings(
      ofTest,
      containerRequest(sandbox, ofTest, 'v', limits['code-executor']),
      identity.projectRoot,
    );
    expect(differences(ofTest, { ...identity, limits }, faithful)).toEqual([]);
    expect(differences(ofTest, identity, faithful)).not.toEqual([]);
  });

  test('a tool on the workspace', () => {
    expect(requestFor(toolSpec(session, 'tool:git', 3), 'volume')).toEqual({
      sandbox,
      session,
      program: 'tool:git',
      template: 'code-executor',
      image: 'node',
      workspace: { kind: 'overlay', volume: 'volume' },
      limits: { memory_bytes: 1073741824, cpus: 1, pids: 100, file_size_bytes: 268435456 },
    });
  });

  test('a provider', () => {
    expect(requestFor(providerSpec(session, 'anthropic'), null)).toEqual({
      sandbox,
      session,
      program: 'provider:anthropic',
      template: 'ai-provider',
      image: 'provider',
      workspace: { kind: 'none' },
      limits: { memory_bytes: 268435456, cpus: 0.5, pids: 10, file_size_bytes: 16777216 },
    });
  });

  test.each(['ollama', 'openrouter'])('the provider %s of the user is served by the openai program', (name) => {
    expect(requestFor(providerSpec(session, name), null)).toMatchObject({
      program: 'provider:openai',
      provider: name,
    });
  });

  test('a test run, with and without a network', () => {
    const plain = testSpec(session, 1, 'python', 'code-executor');
    expect(requestFor(plain, 'volume')).toEqual({
      sandbox,
      session,
      program: 'test',
      template: 'code-executor',
      image: 'python',
      workspace: { kind: 'overlay', volume: 'volume' },
      limits: { memory_bytes: 1073741824, cpus: 1, pids: 100, file_size_bytes: 268435456 },
    });
    const networked = requestFor({ ...testSpec(session, 1, 'node', 'integration-test'), networkOf }, 'volume');
    expect(networked).toMatchObject({ template: 'integration-test', network_of: 'x_network00' });
    expect(networked).not.toHaveProperty('network_groups');
  });

  test('the network of a test run, small, and a service on it, which the host knows by its name', () => {
    expect(requestFor(networkSpec(session, ['staging']), null)).toMatchObject({
      program: 'network',
      template: 'integration-test',
      network_groups: ['staging'],
      limits: { memory_bytes: 256 * 1024 ** 2, cpus: 0.5, pids: 32 },
    });
    const redis = serviceSpec(session, { name: 'redis', image: null }, networkOf);
    expect(requestFor(redis, null)).toMatchObject({
      program: 'service',
      image: 'node',
      service: 'redis',
      network_of: 'x_network00',
    });
    expect(serviceSpec(session, { name: 'redis', image: 'redis:7' }, networkOf).image).toBe('service');
  });

  test('is what the guard understands, for every program', () => {
    for (const spec of [
      toolSpec(session, 'tool:shell', 0),
      providerSpec(session, 'replay'),
      providerSpec(session, 'ollama'),
      testSpec(session, 0, 'node', 'integration-test'),
      networkSpec(session, ['a']),
      serviceSpec(session, { name: 'redis', image: null }, networkOf),
    ]) {
      expect(guardContainerCreateSchema.safeParse(requestFor(spec, spec.slot === null ? null : 'v')).success).toBe(
        true,
      );
    }
  });

  test.each([
    [toolSpec(session, 'tool:fs', null), ['/run/fluffy ro']],
    [toolSpec(session, 'tool:fs', 0), ['/home/me/project rw', '/run/fluffy ro']],
    [providerSpec(session, 'anthropic'), ['/run/fluffy ro', '/run/fluffy-guard ro']],
    [providerSpec(session, 'replay'), ['/run/fluffy ro']],
    [toolSpec(session, 'tool:shell', 0), ['/etc/hosts ro', '/home/me/project rw', '/run/fluffy ro']],
    [testSpec(session, 0, 'node', 'code-executor'), ['/etc/hosts ro', '/home/me/project rw', '/var/local rw']],
    [testSpec(session, 0, 'node', 'integration-test'), ['/etc/hosts ro', '/home/me/project rw', '/var/local rw']],
    [networkSpec(session, []), ['/run/fluffy ro', '/run/fluffy-guard ro']],
    [serviceSpec(session, { name: 'redis', image: null }, networkOf), ['/etc/hosts ro']],
  ])('mounts of $program on slot $slot in $template', (spec, expected) => {
    const mounts = expectedMounts(spec, identity);
    expect(mounts.map(({ destination, writable }) => `${destination} ${writable ? 'rw' : 'ro'}`)).toEqual(expected);
  });

  test('every program that speaks to the kernel has a name of its own', () => {
    const silent = PROGRAMS.filter((program) => SANDBOX_PROGRAMS[program].pluginName === null);
    expect(new Set(silent)).toEqual(
      new Set(['test', 'service', ...PACKAGE_MANAGER_NAMES.map((name) => `packages:${name}`)]),
    );
    const names = PROGRAMS.flatMap((program) => SANDBOX_PROGRAMS[program].pluginName ?? []);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a job says what the sandbox becomes, in absolute paths', () => {
    const job = {
      argv: ['node', '--test'],
      env: { CI: '1' },
      cwd: 'packages/a',
      input: 'what it reads',
      reportName: 'report.xml',
      image: 'node',
    } as const;
    const [script, ...rest] = jobFiles(job, identity.projectRoot);
    expect(script?.name).toBe('job.sh');
    expect(script?.content).toContain("cd -P '/home/me/project/packages/a'");
    expect(script?.content).toContain("exec /usr/bin/env -i 'CI=1' 'node' '--test'");
    expect(rest).toEqual([{ name: 'input', content: 'what it reads' }]);
  });
});

describe('an engine that did not give what was requested is found out', () => {
  const spec = testSpec(session, 0, 'node', 'code-executor');
  const faithful = faithfulSettings(spec, requestFor(spec, 'v'), identity.projectRoot);
  const check = (change: Partial<ContainerSettings>, of = spec) =>
    differences(of, identity, { ...faithful, ...change });
  const mount = (destination: string, writable: boolean, kind = 'volume') => ({ kind, destination, writable });

  test('a faithful one passes, and one that gave less, too', () => {
    expect(check({})).toEqual([]);
    expect(check({ memoryBytes: 1, cpus: 0.1, pids: 1, fileSizeBytes: 1 })).toEqual([]);
    expect(check({ networks: [] })).toEqual([]);
  });

  test.each<[string, Partial<ContainerSettings>]>([
    ['root', { user: '0:0' }],
    ['no user', { user: '' }],
    ['another user', { user: '1000:0' }],
    ['a network', { networkMode: 'bridge' }],
    ['the host’s network', { networkMode: 'host' }],
    ['a second network', { networks: ['bridge', 'none'] }],
    ['the host’s IPC', { ipcMode: 'host' }],
    ['shareable IPC', { ipcMode: 'shareable' }],
    ['the host’s processes', { pidMode: 'host' }],
    ['another’s processes', { pidMode: 'container:x' }],
    ['the host’s name', { utsMode: 'host' }],
    ['the host’s control groups', { cgroupnsMode: 'host' }],
    ['the host’s users', { usernsMode: 'host' }],
    ['privileges', { privileged: true }],
    ['a writable root', { readonlyRootfs: false }],
    ['a capability', { capAdd: ['SYS_ADMIN'] }],
    ['capabilities kept', { capDrop: [] }],
    ['only some dropped', { capDrop: ['NET_RAW'] }],
    ['new privileges', { securityOptions: ['seccomp=standard-net'] }],
    ['no filter', { securityOptions: ['no-new-privileges'] }],
    ['no confinement', { securityOptions: ['no-new-privileges', 'seccomp=unconfined'] }],
    ['a foreign filter', { securityOptions: ['no-new-privileges', 'seccomp=foreign'] }],
    ['the filter of another program', { securityOptions: ['no-new-privileges', 'seccomp=standard'] }],
    ['one option more', { securityOptions: ['apparmor=unconfined', 'no-new-privileges', 'seccomp=standard-net'] }],
    ['a device', { devices: 1 }],
    ['more memory', { memoryBytes: 2 ** 40 }],
    ['no memory limit', { memoryBytes: 0 }],
    ['no processor limit', { cpus: 0 }],
    ['no process limit', { pids: 0 }],
    ['unlimited processes', { pids: -1 }],
    ['no file size limit', { fileSizeBytes: null }],
    ['an unlimited file size', { fileSizeBytes: -1 }],
    ['no workspace', { mounts: faithful.mounts.slice(1) }],
    ['a read-only out', { mounts: faithful.mounts.map((one) => ({ ...one, writable: false })) }],
    ['a mount of another kind', { mounts: faithful.mounts.map((one) => ({ ...one, kind: 'npipe' })) }],
    ['a writable mount more', { mounts: [...faithful.mounts, mount('/srv/cache', true)] }],
    ['a mount over ours', { mounts: [...faithful.mounts, mount('/var', false)] }],
    ['a mount over everything', { mounts: [...faithful.mounts, mount('/', false)] }],
    ['the same mount twice', { mounts: [...faithful.mounts, mount('/var/local', false)] }],
  ])('%s', (_name, change) => {
    expect(check(change)).not.toEqual([]);
  });

  test('a directory that the user’s configuration adds is fine where the project’s code runs, and nowhere else', () => {
    const mounts = [...faithful.mounts, mount('/home/me/.cache/pip', false)];
    expect(check({ mounts })).toEqual([]);
    const fs = toolSpec(session, 'tool:fs', null);
    const settings = faithfulSettings(fs, requestFor(fs, null), identity.projectRoot);
    expect(
      differences(fs, identity, { ...settings, mounts: [...settings.mounts, mount('/home/me/.cache/pip', false)] }),
    ).toEqual(['mount not requested: volume /home/me/.cache/pip ro']);
  });
});

describe('how a process ended', () => {
  const state = (exitCode: number, outOfMemory = false) => ({
    status: 'exited',
    running: false,
    exitCode,
    outOfMemory,
  });
  test.each([
    [state(0), { kind: 'exited', code: 0 }],
    [state(1), { kind: 'exited', code: 1 }],
    [state(127), { kind: 'exited', code: 127 }],
    [state(128), { kind: 'exited', code: 128 }],
    [state(137), { kind: 'signalled', signal: 'SIGKILL' }],
    [state(139), { kind: 'signalled', signal: 'SIGSEGV' }],
    [state(255), { kind: 'exited', code: 255 }],
    [state(137, true), { kind: 'out-of-memory' }],
    [state(1, true), { kind: 'out-of-memory' }],
    [state(0, true), { kind: 'exited', code: 0 }],
  ])('%j', (given, expected) => {
    expect(processExit(given)).toEqual(expected);
  });
});

test('who shares a network has that one, and no other', () => {
  const spec = { ...testSpec(session, 0, 'node', 'integration-test'), networkOf };
  const found = faithfulSettings(spec, requestFor(spec, 'v'), identity.projectRoot);
  const shared = { ...found, networkMode: `container:${networkOf.container}` };
  expect(differences(spec, identity, shared)).toEqual([]);
  for (const networkMode of ['none', 'host', 'bridge', `container:${'d'.repeat(64)}`])
    expect(differences(spec, identity, { ...shared, networkMode })).toHaveLength(1);
  const alone = testSpec(session, 0, 'node');
  expect(differences(alone, identity, shared)).toHaveLength(1);
});

describe('in the image that the user names for the project', () => {
  test.each([
    [toolSpec(session, 'tool:fs', null), 'node'],
    [toolSpec(session, 'tool:git', 3), 'node'],
    [toolSpec(session, 'tool:shell', 3), 'project'],
    [testSpec(session, 3, 'python', 'code-executor'), 'project'],
    [providerSpec(session, 'anthropic'), 'provider'],
  ] as const)('%j runs in %s', (spec, image) => {
    expect(inProjectImage(spec)).toEqual({ ...spec, image });
  });

  test('our own programs have to be mounted read-only', () => {
    const spec = inProjectImage(testSpec(session, 3, 'node', 'code-executor'));
    const faithful = faithfulSettings(spec, requestFor(spec, 'v'), identity.projectRoot);
    expect(differences(spec, identity, faithful)).toEqual([]);
    const mounts = faithful.mounts.filter(({ destination }) => destination !== '/opt/fluffy');
    expect(differences(spec, identity, { ...faithful, mounts })).toEqual(['mount missing: /opt/fluffy ro']);
  });
});
