import { dirname } from 'node:path';
import { IN_L2, LABELS } from '../../contracts/guard-api.ts';
import { ownLabels, type GuardWorld } from './guard-world.ts';
import type { ContainerPlan } from './plan-container.ts';
import { TEMPLATE_SECCOMP } from './programs.ts';

/** Paths the engine may resolve without a race: each is `/proc/<guard pid>/fd/N` of a directory held open. */
export interface HeldPaths {
  readonly run?: string;
  readonly job?: string;
  readonly out?: string;
  readonly doors?: string;
  readonly dependencies: readonly { readonly source: string; readonly target: string }[];
}

interface EngineMount {
  readonly Type: 'bind' | 'volume';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly BindOptions?: { readonly Propagation: 'rprivate'; readonly NonRecursive: boolean };
  readonly VolumeOptions?: { readonly NoCopy: true };
}

const MIB = 1024 * 1024;
const HOME = '/fluffy/home';

const BASE_ENV = [
  'PATH=/usr/local/bin:/usr/bin:/bin',
  `HOME=${HOME}`,
  'TMPDIR=/tmp',
  'LANG=C.UTF-8',
  'TZ=UTC',
  'UV_THREADPOOL_SIZE=2',
] as const;

/**
 * The engine's create request for a plan: the whole of it, from constants, the host's knowledge and held directories. Pure, and
 * compared whole in tests; no field of L1's request gets here other than by name of one of our own things.
 */
export function buildContainer(plan: ContainerPlan, world: GuardWorld, paths: HeldPaths) {
  const { request, shape, limits } = plan;
  const [program = '', ...args] = shape.command;
  const hasWorkspace = request.workspace.kind === 'overlay';
  return {
    Image: plan.imageId,
    Hostname: 'sandbox',
    User: `${world.uid}:${world.gid}`,
    Entrypoint: [program],
    Cmd: args,
    Env: environment(plan, world),
    WorkingDir: hasWorkspace ? world.projectRoot : '/',
    Labels: {
      ...ownLabels(world),
      [LABELS.role]: 'sandbox',
      [LABELS.session]: request.session,
      [LABELS.sandbox]: request.sandbox,
    },
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    OpenStdin: false,
    StdinOnce: false,
    Tty: false,
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: 1,
    HostConfig: {
      Mounts: mounts(plan, world, paths),
      Tmpfs: temporary(plan, world),
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
      SecurityOpt: ['no-new-privileges', `seccomp=${world.seccomp[TEMPLATE_SECCOMP[request.template]]}`],
      Devices: [],
      Init: false,
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.cpus * 1e9),
      PidsLimit: limits.pids,
      ShmSize: 64 * MIB,
      OomKillDisable: false,
      Ulimits: [
        { Name: 'nofile', Soft: 4096, Hard: 4096 },
        { Name: 'fsize', Soft: limits.fileSizeBytes, Hard: limits.fileSizeBytes },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '8m', 'max-file': '2' } },
    },
  };
}

export type EngineContainerCreate = ReturnType<typeof buildContainer>;

function environment(plan: ContainerPlan, world: GuardWorld): string[] {
  const baseUrl = world.providerBaseUrls[plan.request.program];
  return [
    ...BASE_ENV,
    ...(plan.request.template === 'ai-provider' ? [] : ['CI=1']),
    ...(baseUrl === undefined ? [] : [`FLUFFY_PROVIDER_BASE_URL=${baseUrl}`]),
  ];
}

function mounts(plan: ContainerPlan, world: GuardWorld, paths: HeldPaths): EngineMount[] {
  const { workspace } = plan.request;
  return [
    ...(workspace.kind === 'overlay' ? [volume(workspace.volume, world.projectRoot)] : []),
    ...(paths.run === undefined ? [] : [bind(paths.run, dirname(IN_L2.kernelSocket), 'read-only')]),
    ...(paths.doors === undefined ? [] : [bind(paths.doors, dirname(IN_L2.egressSocket), 'read-only')]),
    ...(paths.job === undefined ? [] : [bind(paths.job, IN_L2.job, 'read-only')]),
    ...(paths.out === undefined ? [] : [bind(paths.out, IN_L2.out, 'writable')]),
    ...paths.dependencies.map(({ source, target }) => bind(source, target, 'read-only')),
  ];
}

/** Not recursive: whatever is mounted below on the host stays outside. */
function bind(source: string, target: string, access: 'read-only' | 'writable'): EngineMount {
  return {
    Type: 'bind',
    Source: source,
    Target: target,
    ReadOnly: access === 'read-only',
    BindOptions: { Propagation: 'rprivate', NonRecursive: true },
  };
}

function volume(name: string, target: string): EngineMount {
  return { Type: 'volume', Source: name, Target: target, ReadOnly: false, VolumeOptions: { NoCopy: true } };
}

function temporary({ shape }: ContainerPlan, world: GuardWorld): Record<string, string> {
  const options = (sizeBytes: number): string =>
    [
      'rw,nosuid,nodev',
      shape.executableTmp ? 'exec' : 'noexec',
      `size=${sizeBytes}`,
      'nr_inodes=65536',
      `mode=0700,uid=${world.uid},gid=${world.gid}`,
    ].join(',');
  return { '/tmp': options(shape.tmpBytes), [HOME]: options(shape.tmpBytes / 4) };
}
