import { dirname } from 'node:path';
import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import { ownLabels, type GuardContext } from './guard-context.ts';
import type { ContainerPlan } from './plan-container.ts';
import { commandIn, seccompOf } from '../../contracts/sandbox/sandbox-programs.ts';

/** Volumes made for this sandbox, by name, each of a directory that the guard holds open. */
export interface SandboxVolumes {
  readonly run?: string;
  readonly out?: string;
  readonly programs?: string;
  readonly sockets?: string;
  readonly dependencies: readonly { readonly volume: string; readonly target: string }[];
}

interface EngineMount {
  readonly Type: 'volume' | 'bind';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly VolumeOptions?: { readonly NoCopy: true };
  readonly BindOptions?: { readonly Propagation: 'rprivate' };
}

const MIB = 1024 * 1024;
/**
 * The engine's create request for a plan: the whole of it, from constants, the host's knowledge and volumes of held directories. Pure, and
 * compared whole in tests; no field of L1's request gets here other than by name of one of our own things.
 */
export function buildContainer(plan: ContainerPlan, context: GuardContext, volumes: SandboxVolumes) {
  const { request, shape, limits } = plan;
  const [program = '', ...args] = commandIn(request.image, shape);
  const hasWorkspace = request.workspace.kind === 'overlay';
  return {
    Image: plan.imageId,
    Hostname: 'sandbox',
    User: `${context.uid}:${context.gid}`,
    Entrypoint: [program],
    Cmd: args,
    Env: [...shape.environment, ...removedVariables(plan)],
    WorkingDir: hasWorkspace ? context.projectRoot : '/',
    Labels: {
      ...ownLabels(context),
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
    // Not only `none`: the network namespace is then runc's work alone, which halves the time of a start, and /etc/hosts is ours.
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    StopSignal: 'SIGTERM',
    StopTimeout: 1,
    HostConfig: {
      Mounts: mounts(plan, context, volumes),
      Tmpfs: { ...maskedVolumes(plan.projectImage?.volumes ?? []), ...temporary(plan, context) },
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
      SecurityOpt: ['no-new-privileges', `seccomp=${context.seccomp[seccompOf(request.program, request.template)]}`],
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

/** The engine adds an image's variables to those of a request; a name without a value removes one. */
function removedVariables({ shape, projectImage }: ContainerPlan): string[] {
  const ours = new Set(shape.environment.map((variable) => variable.split('=', 1)[0]));
  return (projectImage?.variables ?? []).filter((name) => !ours.has(name));
}

/** For each volume that an image declares the engine makes a writable one on the disk of the host, except where something is mounted. */
export function maskedVolumes(volumes: readonly string[]): Record<string, string> {
  return Object.fromEntries(volumes.map((path) => [path, 'ro,nosuid,nodev,noexec,size=4k,mode=0755']));
}

function mounts(plan: ContainerPlan, context: GuardContext, volumes: SandboxVolumes): EngineMount[] {
  const { workspace } = plan.request;
  const { run, sockets, out, programs } = volumes;
  return [
    ...(workspace.kind === 'overlay' ? [mount(workspace.volume, context.projectRoot, 'writable')] : []),
    ...(run === undefined ? [] : [mount(run, dirname(IN_L2.kernelSocket), 'read-only')]),
    ...(sockets === undefined ? [] : [mount(sockets, dirname(IN_L2.egressSocket), 'read-only')]),
    ...(out === undefined ? [] : [mount(out, IN_L2.out, 'writable')]),
    ...(programs === undefined ? [] : [mount(programs, IN_L2.programs, 'read-only')]),
    ...volumes.dependencies.map(({ volume, target }) => mount(volume, target, 'read-only')),
    ...(plan.shape.runsProjectCode ? [hosts(context)] : []),
  ];
}

/** A read-only mount still lets a socket in it be connected to, but not replaced. */
function mount(volume: string, target: string, access: 'read-only' | 'writable'): EngineMount {
  return {
    Type: 'volume',
    Source: volume,
    Target: target,
    ReadOnly: access === 'read-only',
    VolumeOptions: { NoCopy: true },
  };
}

function hosts({ hostsFile }: GuardContext): EngineMount {
  return {
    Type: 'bind',
    Source: hostsFile,
    Target: IN_L2.hosts,
    ReadOnly: true,
    BindOptions: { Propagation: 'rprivate' },
  };
}

function temporary({ shape }: ContainerPlan, context: GuardContext): Record<string, string> {
  const options = (sizeBytes: number): string =>
    [
      'rw,nosuid,nodev',
      shape.runsProjectCode ? 'exec' : 'noexec',
      `size=${sizeBytes}`,
      'nr_inodes=65536',
      `mode=0700,uid=${context.uid},gid=${context.gid}`,
    ].join(',');
  return { '/tmp': options(shape.tmpBytes), [IN_L2.home]: options(shape.tmpBytes / 4) };
}
