import { dirname } from 'node:path';
import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import { ownLabels, type GuardContext } from './guard-context.ts';
import type { ContainerPlan } from './plan-container.ts';
import { commandIn, seccompOf } from '../../contracts/sandbox/sandbox-programs.ts';

/** Volumes made for this sandbox, by purpose, each of a directory that the guard holds open. */
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
 * The engine's complete create request for a plan, from constants, the host's knowledge and volumes of held directories. Pure, and compared as a
 * whole in tests. A field of L1's request only selects one of Fluffy's own values by name.
 */
export function buildContainer(plan: ContainerPlan, context: GuardContext, volumes: SandboxVolumes) {
  const { request, limits, network } = plan;
  const hasWorkspace = request.workspace.kind === 'overlay';
  return {
    Image: plan.imageId,
    // A container that joins a network has the host name of the network's sandbox.
    ...(network === null ? { Hostname: 'sandbox' } : {}),
    User: `${context.uid}:${context.gid}`,
    ...started(plan),
    Env: variables(plan),
    WorkingDir: hasWorkspace ? context.projectRoot : plan.service === null ? '/' : '/tmp',
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
    // More than `none`: only runc then handles the network namespace, which halves the time of a start, and /etc/hosts is Fluffy's.
    NetworkDisabled: network === null,
    Healthcheck: { Test: ['NONE'] },
    StopSignal: 'SIGTERM',
    StopTimeout: 1,
    HostConfig: {
      Mounts: mounts(plan, context, volumes),
      Tmpfs: { ...maskedVolumes((plan.projectImage ?? plan.service)?.volumes ?? []), ...temporary(plan, context) },
      NetworkMode: network === null ? 'none' : `container:${network.container}`,
      // The hosts of a test run use their own ports, on a loopback that no other process uses.
      ...(request.program === 'network' ? { Sysctls: { 'net.ipv4.ip_unprivileged_port_start': '0' } } : {}),
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

/** The command of the container. A service without a command uses its image's own. */
function started({ request, shape, service }: ContainerPlan): { Entrypoint?: string[]; Cmd?: string[] } {
  if (service !== null && service.command === undefined) return {};
  const [program = '', ...args] = service?.command ?? commandIn(request.image, shape);
  return { Entrypoint: [program], Cmd: args };
}

/** A service keeps the variables of its image, because it contains no project code. */
function variables(plan: ContainerPlan): string[] {
  const { shape, service } = plan;
  if (service === null) return [...shape.environment, ...removedVariables(plan)];
  const own = Object.entries(service.environment).map(([name, value]) => `${name}=${value}`);
  return service.imageId === null ? [...shape.environment, ...own] : own;
}

/** The engine adds an image's variables to those of a request; a name without a value removes one. */
function removedVariables({ shape, projectImage }: ContainerPlan): string[] {
  const ours = new Set(shape.environment.map((variable) => variable.split('=', 1)[0]));
  return (projectImage?.variables ?? []).filter((name) => !ours.has(name));
}

/** For each declared volume of an image, the engine creates a writable one on the host's disk, unless something is mounted there. */
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
    ...(plan.shape.runsProjectCode ? [hosts(plan.network?.hostsFile ?? context.hostsFile)] : []),
  ];
}

/** A socket in a read-only mount can be connected to but not replaced. */
function mount(volume: string, target: string, access: 'read-only' | 'writable'): EngineMount {
  return {
    Type: 'volume',
    Source: volume,
    Target: target,
    ReadOnly: access === 'read-only',
    VolumeOptions: { NoCopy: true },
  };
}

function hosts(hostsFile: string): EngineMount {
  return {
    Type: 'bind',
    Source: hostsFile,
    Target: IN_L2.hosts,
    ReadOnly: true,
    BindOptions: { Propagation: 'rprivate' },
  };
}

function temporary({ shape, service }: ContainerPlan, context: GuardContext): Record<string, string> {
  const options = (sizeBytes: number): string =>
    [
      'rw,nosuid,nodev',
      shape.runsProjectCode ? 'exec' : 'noexec',
      `size=${sizeBytes}`,
      'nr_inodes=65536',
      `mode=0700,uid=${context.uid},gid=${context.gid}`,
    ].join(',');
  return {
    '/tmp': options(shape.tmpBytes),
    [IN_L2.home]: options(shape.tmpBytes / 4),
    ...Object.fromEntries((service?.writable ?? []).map((path) => [path, options(shape.tmpBytes)])),
  };
}
