import { describe, expect, test } from 'vitest';
import type { GuardContainerCreate } from '../../../src/contracts/sandbox/guard-api.ts';
import type { Program } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import { guardContainerCreateSchema } from '../../../src/contracts/sandbox/guard-api.ts';
import { buildContainer, type SandboxVolumes } from '../../../src/host/runtime-guard/build-container.ts';
import type { GuardContext } from '../../../src/host/runtime-guard/guard-context.ts';
import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { planContainer } from '../../../src/host/runtime-guard/plan-container.ts';

const MIB = 1024 * 1024;
const context: GuardContext = {
  projectId: '0123456789abcdef',
  instance: 'aabbccdd',
  projectRoot: '/home/me/project',
  uid: 1000,
  gid: 1001,
  images: {
    node: 'sha256:node',
    python: 'sha256:python',
    provider: 'sha256:provider',
    'policy-sandbox': 'sha256:policy',
  },
  seccomp: { strict: '{"strict":1}', standard: '{"standard":1}', 'standard-net': '{"net":1}' },
  caps: templateLimits(),
  borrowedObjects: null,
  dependencyMounts: ['/opt/venv'],
  hostsFile: '/opt/hosts',
  packageMounts: () => Promise.resolve([]),
  services: {
    redis: {
      command: ['redis-server', '--port', '6379'],
      environment: { A: 'b' },
      writable: [],
      imageId: null,
      volumes: [],
    },
    postgres: {
      environment: { POSTGRES_PASSWORD: 'test' },
      writable: ['/data'],
      imageId: 'sha256:postgres',
      volumes: ['/spare'],
    },
  },
};
const VOLUME = 'fluffy-01234567-x_sandbox00';

function request(overrides: Partial<Record<keyof GuardContainerCreate, unknown>>): GuardContainerCreate {
  return guardContainerCreateSchema.parse({
    sandbox: 'x_sandbox00',
    session: 's_session00',
    program: 'tool:fs',
    template: 'code-executor',
    image: 'node',
    workspace: { kind: 'none' },
    limits: { memory_bytes: 64 * MIB, cpus: 0.25, pids: 8, file_size_bytes: MIB },
    ...overrides,
  });
}

const NETWORK = { container: 'c'.repeat(64), hostsFile: '/run/guard/x_network00/hosts' };

function build(
  overrides: Partial<Record<keyof GuardContainerCreate, unknown>>,
  volumes: Partial<SandboxVolumes> = {},
  network: typeof NETWORK | null = null,
) {
  const outcome = planContainer(request(overrides), context, [], network);
  if (outcome.kind === 'refused') throw new Error(outcome.reason);
  return buildContainer(outcome.plan, context, { dependencies: [], ...volumes });
}

/** Everything that is the same for every sandbox, whatever was requested. */
const COMMON = {
  Hostname: 'sandbox',
  User: '1000:1001',
  Entrypoint: ['/usr/local/bin/node'],
  Labels: {
    'fluffy.project': '0123456789abcdef',
    'fluffy.instance': 'aabbccdd',
    'fluffy.role': 'sandbox',
    'fluffy.session': 's_session00',
    'fluffy.sandbox': 'x_sandbox00',
  },
  AttachStdin: false,
  AttachStdout: false,
  AttachStderr: false,
  OpenStdin: false,
  StdinOnce: false,
  Tty: false,
  NetworkDisabled: true,
  Healthcheck: { Test: ['NONE'] },
  StopSignal: 'SIGTERM',
  StopTimeout: 1,
};
const COMMON_HOST = {
  NetworkMode: 'none',
  IpcMode: 'private',
  PidMode: '',
  UTSMode: '',
  CgroupnsMode: 'private',
  Privileged: false,
  PublishAllPorts: false,
  ReadonlyRootfs: true,
  CapAdd: [],
  CapDrop: ['ALL'],
  Devices: [],
  Init: false,
  AutoRemove: false,
  RestartPolicy: { Name: 'no' },
  Memory: 64 * MIB,
  MemorySwap: 64 * MIB,
  NanoCpus: 250_000_000,
  PidsLimit: 8,
  ShmSize: 64 * MIB,
  OomKillDisable: false,
  Ulimits: [
    { Name: 'nofile', Soft: 4096, Hard: 4096 },
    { Name: 'fsize', Soft: MIB, Hard: MIB },
    { Name: 'core', Soft: 0, Hard: 0 },
  ],
  LogConfig: { Type: 'json-file', Config: { 'max-size': '8m', 'max-file': '2' } },
};
const ENV = [
  'PATH=/usr/local/bin:/usr/bin:/bin',
  'HOME=/var/opt',
  'TMPDIR=/tmp',
  'LANG=C.UTF-8',
  'TZ=UTC',
  'UV_THREADPOOL_SIZE=2',
];
const mount = (Source: string, Target: string, ReadOnly: boolean) => ({
  Type: 'volume',
  Source,
  Target,
  ReadOnly,
  VolumeOptions: { NoCopy: true },
});
const HOSTS = {
  Type: 'bind',
  Source: '/opt/hosts',
  Target: '/etc/hosts',
  ReadOnly: true,
  BindOptions: { Propagation: 'rprivate' },
};
const tmpfs = (execution: 'exec' | 'noexec', mebibytes: number) => {
  const options = (bytes: number): string =>
    `rw,nosuid,nodev,${execution},size=${bytes},nr_inodes=65536,mode=0700,uid=1000,gid=1001`;
  return { '/tmp': options(mebibytes * MIB), '/var/opt': options((mebibytes * MIB) / 4) };
};
const workspace = { kind: 'overlay', volume: VOLUME } as const;

describe('the whole create request of each program', () => {
  test.each(['anthropic', 'openai'])('provider:%s', (name) => {
    const built = build(
      { program: `provider:${name}`, template: 'ai-provider', image: 'provider' },
      { run: 'v-run', sockets: 'v-sockets' },
    );
    expect(built).toEqual({
      ...COMMON,
      Image: 'sha256:provider',
      Cmd: ['--v8-pool-size=1', `/opt/fluffy/providers/${name}.mjs`],
      Env: ENV,
      WorkingDir: '/',
      HostConfig: {
        ...COMMON_HOST,
        SecurityOpt: ['no-new-privileges', 'seccomp={"strict":1}'],
        Mounts: [mount('v-run', '/run/fluffy', true), mount('v-sockets', '/run/fluffy-guard', true)],
        Tmpfs: tmpfs('noexec', 16),
      },
    });
  });

  test('tool:fs, which needs no workspace', () => {
    expect(build({}, { run: 'v-run' })).toEqual({
      ...COMMON,
      Image: 'sha256:node',
      Cmd: ['/opt/fluffy/tools/fs-tool.mjs'],
      Env: [...ENV, 'CI=1'],
      WorkingDir: '/',
      HostConfig: {
        ...COMMON_HOST,
        SecurityOpt: ['no-new-privileges', 'seccomp={"standard":1}'],
        Mounts: [mount('v-run', '/run/fluffy', true)],
        Tmpfs: tmpfs('noexec', 128),
      },
    });
  });

  test.each([
    ['tool:git', 'git-tool', 'noexec', '{"standard":1}', [], []],
    ['tool:shell', 'shell-tool', 'exec', '{"net":1}', [mount('v-dep', '/opt/venv', true)], [HOSTS]],
  ] as const)('%s', (program, file, execution, seccomp, dependencies, hosts) => {
    const volumes = {
      run: 'v-run',
      dependencies: dependencies.map(({ Source, Target }) => ({ volume: Source, target: Target })),
    };
    expect(build({ program, workspace }, volumes)).toEqual({
      ...COMMON,
      Image: 'sha256:node',
      Cmd: [`/opt/fluffy/tools/${file}.mjs`],
      Env: [...ENV, 'CI=1'],
      WorkingDir: '/home/me/project',
      HostConfig: {
        ...COMMON_HOST,
        SecurityOpt: ['no-new-privileges', `seccomp=${seccomp}`],
        Mounts: [
          mount(VOLUME, '/home/me/project', false),
          mount('v-run', '/run/fluffy', true),
          ...dependencies,
          ...hosts,
        ],
        Tmpfs: tmpfs(execution, 128),
      },
    });
  });

  test('policy-sandbox: Deno with the kernel’s socket and no other permission', () => {
    const policy = { program: 'policy-sandbox', template: 'policy-sandbox', image: 'policy-sandbox' };
    expect(build(policy, { run: 'v-run' })).toEqual({
      ...COMMON,
      Entrypoint: ['/usr/local/bin/deno'],
      Image: 'sha256:policy',
      Cmd: [
        'run',
        '--no-prompt',
        '--no-config',
        '--no-lock',
        '--no-remote',
        '--no-npm',
        '--no-check',
        '--no-code-cache',
        '--unstable-worker-options',
        '--v8-flags=--single-threaded',
        '--allow-net=unix:/run/fluffy/kernel.sock',
        '--allow-read=/run/fluffy/kernel.sock,/opt/fluffy/policy-sandbox/extension-worker.mjs',
        '--allow-write=/run/fluffy/kernel.sock',
        '/opt/fluffy/policy-sandbox/main.mjs',
      ],
      Env: ['DENO_DIR=/tmp/deno', 'DENO_NO_UPDATE_CHECK=1', 'NO_COLOR=1'],
      WorkingDir: '/',
      HostConfig: {
        ...COMMON_HOST,
        SecurityOpt: ['no-new-privileges', 'seccomp={"strict":1}'],
        Mounts: [mount('v-run', '/run/fluffy', true)],
        Tmpfs: tmpfs('noexec', 4),
      },
    });
  });

  test.each([
    ['code-executor', 'node', []],
    ['code-executor', 'python', []],
  ] as const)('test in %s on %s: no socket, seccomp standard-net', (template, image, sockets) => {
    const volumes = { out: 'v-out' };
    expect(build({ program: 'test', template, image, workspace }, volumes)).toEqual({
      ...COMMON,
      Image: `sha256:${image}`,
      Entrypoint: ['/bin/sh'],
      Cmd: ['/var/local/job.sh'],
      Env: [...ENV, 'CI=1'],
      WorkingDir: '/home/me/project',
      HostConfig: {
        ...COMMON_HOST,
        SecurityOpt: ['no-new-privileges', 'seccomp={"net":1}'],
        Mounts: [mount(VOLUME, '/home/me/project', false), ...sockets, mount('v-out', '/var/local', false), HOSTS],
        Tmpfs: tmpfs('exec', 256),
      },
    });
  });
});

describe('what shares the loopback of a test run', () => {
  const joined = {
    NetworkDisabled: false,
    HostConfig: { NetworkMode: `container:${NETWORK.container}` },
  };

  test('the network itself has none but its own, and may listen on every port of it', () => {
    const made = build(
      { program: 'network', template: 'integration-test', network_groups: ['staging'] },
      { run: 'v-run', sockets: 'v-sockets' },
    );
    expect(made).toMatchObject({
      Hostname: 'sandbox',
      NetworkDisabled: true,
      HostConfig: { NetworkMode: 'none', Sysctls: { 'net.ipv4.ip_unprivileged_port_start': '0' } },
    });
  });

  test.each(['code-executor', 'integration-test'] as const)('a test in %s has its hosts, and no socket', (template) => {
    const made = build({ program: 'test', template, workspace }, { out: 'v-out' }, NETWORK);
    expect(made).toMatchObject(joined);
    expect(made).not.toHaveProperty('Hostname');
    expect(made.HostConfig).not.toHaveProperty('Sysctls');
    expect(made.HostConfig.Mounts).toEqual([
      mount(VOLUME, '/home/me/project', false),
      mount('v-out', '/var/local', false),
      { ...HOSTS, Source: NETWORK.hostsFile },
    ]);
  });

  test('a service of this machine runs on its files, without the project', () => {
    const dependencies = [{ volume: 'v-usr', target: '/usr' }];
    const made = build({ program: 'service', service: 'redis' }, { dependencies }, NETWORK);
    expect(made).toMatchObject({
      ...joined,
      Image: 'sha256:node',
      Entrypoint: ['redis-server'],
      Cmd: ['--port', '6379'],
      Env: [...ENV, 'A=b'],
      WorkingDir: '/tmp',
    });
    expect(made.HostConfig.Mounts).toEqual([mount('v-usr', '/usr', true), { ...HOSTS, Source: NETWORK.hostsFile }]);
    const planned = planContainer(request({ program: 'service', service: 'redis' }), context, [], NETWORK);
    expect(planned).toMatchObject({ plan: { readOnlyMounts: [{ source: '/usr', target: '/usr' }] } });
  });

  test('a service of an image starts what the image says, and writes where the user lets it', () => {
    const made = build({ program: 'service', service: 'postgres', image: 'service' }, {}, NETWORK);
    expect(made).toMatchObject({ ...joined, Image: 'sha256:postgres', Env: ['POSTGRES_PASSWORD=test'] });
    expect(made).not.toHaveProperty('Entrypoint');
    expect(made).not.toHaveProperty('Cmd');
    expect(Object.keys(made.HostConfig.Tmpfs)).toEqual(['/spare', '/tmp', '/var/opt', '/data']);
    expect(made.HostConfig.Tmpfs).toMatchObject({ '/spare': expect.stringMatching(/^ro,/) as string });
    expect(made.HostConfig.Tmpfs).toMatchObject({ '/data': expect.stringMatching(/^rw,nosuid,nodev/) as string });
  });
});

describe('which directories and sockets a plan has', () => {
  const planOf = (overrides: Partial<Record<keyof GuardContainerCreate, unknown>>) => {
    const outcome = planContainer(request(overrides), context);
    return outcome.kind === 'planned'
      ? {
          sockets: outcome.plan.sockets,
          socket: outcome.plan.shape.pluginName !== null,
          job: outcome.plan.shape.job,
          dependencies: outcome.plan.readOnlyMounts.map(({ target }) => target),
        }
      : outcome;
  };
  const inProvider = { template: 'ai-provider', image: 'provider' };
  test.each([
    ['provider:anthropic', inProvider, { sockets: true, socket: true, job: false, dependencies: [] }],
    ['provider:openai', inProvider, { sockets: true, socket: true, job: false, dependencies: [] }],
    ['provider:replay', inProvider, { sockets: false, socket: true, job: false, dependencies: [] }],
    [
      'policy-sandbox',
      { template: 'policy-sandbox', image: 'policy-sandbox' },
      { sockets: false, socket: true, job: false, dependencies: [] },
    ],
    ['tool:fs', {}, { sockets: false, socket: true, job: false, dependencies: [] }],
    ['tool:git', { workspace }, { sockets: false, socket: true, job: false, dependencies: [] }],
    ['tool:shell', { workspace }, { sockets: false, socket: true, job: false, dependencies: ['/opt/venv'] }],
    ['test', { workspace }, { sockets: false, socket: false, job: true, dependencies: ['/opt/venv'] }],
    [
      'network',
      { template: 'integration-test', network_groups: ['registry'] },
      { sockets: true, socket: true, job: false, dependencies: [] },
    ],
  ] as const)('%s', (program: Program, overrides, expected) => {
    expect(planOf({ program, ...overrides })).toEqual(expected);
  });
});

describe('limits are what was requested, and never more than the cap of the template', () => {
  const greedy = { memory_bytes: 2 ** 40, cpus: 64, pids: 4096, file_size_bytes: 2 ** 40 };
  test.each([
    [{ program: 'provider:replay', template: 'ai-provider', image: 'provider' }, 256 * MIB, 0.5e9, 10, 16 * MIB],
    [{ program: 'policy-sandbox', template: 'policy-sandbox', image: 'policy-sandbox' }, 256 * MIB, 1e9, 64, MIB],
    [{}, 1024 * MIB, 1e9, 100, 256 * MIB],
    [{ program: 'network', template: 'integration-test' }, 1024 * MIB, 1e9, 100, 256 * MIB],
  ])('%o', (overrides, memory, cpus, pids, fileSize) => {
    const { HostConfig } = build({ ...overrides, limits: greedy });
    expect(HostConfig).toMatchObject({ Memory: memory, MemorySwap: memory, NanoCpus: cpus, PidsLimit: pids });
    expect(HostConfig.Ulimits).toContainEqual({ Name: 'fsize', Soft: fileSize, Hard: fileSize });
  });
});

describe('is no shape of ours', () => {
  test.each([
    ['a tool in the provider template', { template: 'ai-provider' }],
    [
      'a provider with a workspace',
      { program: 'provider:replay', template: 'ai-provider', image: 'provider', workspace },
    ],
    ['a provider in the tools’ image', { program: 'provider:replay', template: 'ai-provider', image: 'node' }],
    ['a provider in the tools’ template', { program: 'provider:replay', template: 'code-executor', image: 'provider' }],
    ['a test in the provider’s image', { program: 'test', image: 'provider', workspace }],
    ['a test without a workspace', { program: 'test' }],
    ['git without a workspace', { program: 'tool:git' }],
    ['the workspace of another sandbox', { workspace: { kind: 'overlay', volume: 'fluffy-01234567-x_sandbox01' } }],
    ['the workspace of another project', { workspace: { kind: 'overlay', volume: 'fluffy-76543210-x_sandbox00' } }],
    ['a volume of somebody else', { workspace: { kind: 'overlay', volume: 'postgres' } }],
    ['a host path as a volume', { workspace: { kind: 'overlay', volume: '/etc' } }],
    ['policy extensions in the tools’ image', { program: 'policy-sandbox', template: 'policy-sandbox', image: 'node' }],
    ['policy extensions among the tools', { program: 'policy-sandbox', image: 'policy-sandbox' }],
    [
      'policy extensions with a workspace',
      { program: 'policy-sandbox', template: 'policy-sandbox', image: 'policy-sandbox', workspace },
    ],
    ['network groups without a network', { network_groups: ['registry'] }],
    ['a test with a network that is not one to join', { program: 'test', template: 'integration-test', workspace }],
    ['a service without the network of a test run', { program: 'service', service: 'redis' }],
    ['the name of a service on a test', { program: 'test', workspace, service: 'redis' }],
    ['a network with a workspace', { program: 'network', template: 'integration-test', workspace }],
    ['a provider’s name on a tool', { provider: 'ollama' }],
  ])('%s', (_name, overrides) => {
    expect(planContainer(request(overrides), context)).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['one that the user has not declared', { service: 'mysql' }],
    ['none', {}],
    ['a name of the language', { service: 'constructor' }],
    ['a program of this machine, in another image', { service: 'redis', image: 'service' }],
    ['an image, in ours', { service: 'postgres' }],
    ['one with a workspace', { service: 'redis', workspace }],
    ['one with a network of its own', { service: 'redis', template: 'integration-test' }],
  ])('as a service: %s', (_name, overrides) => {
    const asked = request({ program: 'service', ...overrides });
    expect(planContainer(asked, context, [], NETWORK)).toMatchObject({ kind: 'refused' });
  });

  test('an image that set-up has not recorded', () => {
    expect(planContainer(request({}), { ...context, images: {} })).toEqual({
      kind: 'refused',
      reason: 'the image node has not been built',
    });
  });
});

test.each([
  ['tool:git', { kind: 'overlay', volume: VOLUME }, ['/home/me/main/.git/objects']],
  ['tool:fs', { kind: 'none' }, []],
] as const)('a workspace in a linked worktree comes with the objects it borrows: %s', (program, workspace, mounts) => {
  const borrowedObjects = '/home/me/main/.git/objects';
  const outcome = planContainer(request({ program, workspace }), { ...context, borrowedObjects });
  const readOnlyMounts = mounts.map((path) => ({ source: path, target: path }));
  expect(outcome).toMatchObject({ kind: 'planned', plan: { readOnlyMounts } });
});

test.each([
  ['test', ['/opt/venv', '/kits/cxx/root/usr']],
  ['tool:git', []],
] as const)('what is shown at another place is seen where the project’s code runs: %s', (program, targets) => {
  const placedMounts = [{ source: '/usr', target: '/kits/cxx/root/usr' }];
  const overlay = { kind: 'overlay', volume: VOLUME };
  const outcome = planContainer(request({ program, workspace: overlay }), { ...context, placedMounts });
  const seen = outcome.kind === 'planned' ? outcome.plan.readOnlyMounts : [];
  expect(seen.map(({ target }) => target)).toEqual(targets);
  expect(seen.filter(({ source, target }) => source !== target)).toEqual(targets.length > 0 ? placedMounts : []);
});

describe('a sandbox in the image that the user names for the project', () => {
  const projectImage = {
    variables: ['PATH', 'LD_PRELOAD', 'odd name', 'CI'],
    volumes: ['/data', '/tmp'],
    programs: '/state/image-1',
  };
  const named: GuardContext = { ...context, images: { ...context.images, project: 'sha256:own' }, projectImage };
  const inImage = (program: Program) => request({ program, image: 'project', workspace });

  test.each([
    ['test', '/bin/sh'],
    ['tool:shell', '/opt/fluffy/bin/node'],
  ] as const)('%s has nothing of what the image says by itself', (program, entry) => {
    const outcome = planContainer(inImage(program), named);
    if (outcome.kind === 'refused') throw new Error(outcome.reason);
    const own = buildContainer(outcome.plan, named, { dependencies: [], programs: 'v-programs' });
    const plan = planContainer(request({ program, image: 'node', workspace }), context);
    if (plan.kind === 'refused') throw new Error(plan.reason);
    const usual = buildContainer(plan.plan, context, { dependencies: [] });
    expect(own).toEqual({
      ...usual,
      Image: 'sha256:own',
      Entrypoint: [entry],
      // A name without a value takes away what the image sets.
      Env: [...usual.Env, 'LD_PRELOAD', 'odd name'],
      HostConfig: {
        ...usual.HostConfig,
        Mounts: [
          ...usual.HostConfig.Mounts.slice(0, -1),
          mount('v-programs', '/opt/fluffy', true),
          ...usual.HostConfig.Mounts.slice(-1),
        ],
        Tmpfs: { '/data': 'ro,nosuid,nodev,noexec,size=4k,mode=0755', ...usual.HostConfig.Tmpfs },
      },
    });
  });

  test('is for what runs code of the project alone', () => {
    for (const program of ['tool:fs', 'tool:git'] as const)
      expect(planContainer(inImage(program), named)).toMatchObject({ kind: 'refused' });
    const packages = request({ program: 'packages:npm', template: 'integration-test', image: 'project' });
    expect(planContainer(packages, named)).toMatchObject({ kind: 'refused' });
  });

  test('is refused where none is named', () => {
    expect(planContainer(inImage('test'), context)).toEqual({
      kind: 'refused',
      reason: 'the image project has not been built',
    });
    const { projectImage: _, ...without } = named;
    expect(planContainer(inImage('test'), without)).toEqual({
      kind: 'refused',
      reason: 'no image is named for this project',
    });
  });
});
