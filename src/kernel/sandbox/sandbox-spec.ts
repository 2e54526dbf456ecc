import { posix } from 'node:path';
import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import type { SandboxId, SessionId } from '../../contracts/ids.ts';
import type { ContainerId } from '../../contracts/ports/container-runtime.ts';
import { COMPATIBLE_ENDPOINT, PROVIDERS, isKnownProvider } from '../../contracts/model/providers.ts';
import { SANDBOX_PROGRAMS, hasServiceSockets } from '../../contracts/sandbox/sandbox-programs.ts';
import type { Program, ToolProgram } from '../../contracts/sandbox/sandbox-programs.ts';
import { PACKAGE_MANAGERS } from '../../contracts/sandbox/package-managers.ts';
import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { ResourceLimits, SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';

/**
 * The purpose of a sandbox: everything that decides its settings, and nothing that differs between two sandboxes of the
 * same kind.
 */
export interface SandboxSpec {
  readonly session: SessionId;
  readonly program: Program;
  readonly template: SandboxTemplate;
  readonly image: GuardContainerCreate['image'];
  /** Overlay slot to mount; null: no workspace. */
  readonly slot: number | null;
  readonly networkGroups: readonly string[];
  /** For a provider program: the user's provider that it serves. */
  readonly provider?: string;
  /** For the program `service`: the user's service. */
  readonly service?: string;
  /** The `network` sandbox whose loopback it shares; if absent, it has its own. */
  readonly networkOf?: { readonly sandbox: SandboxId; readonly container: ContainerId };
}

export function toolSpec(session: SessionId, program: ToolProgram, slot: number | null): SandboxSpec {
  return { session, program, template: 'code-executor', image: 'node', slot, networkGroups: [] };
}

/** `provider` is the part before the slash of `provider/model`. */
export function providerSpec(session: SessionId, provider: string): SandboxSpec {
  const { program } = isKnownProvider(provider) ? PROVIDERS[provider] : COMPATIBLE_ENDPOINT;
  return {
    session,
    program: `provider:${program}`,
    template: 'ai-provider',
    image: 'provider',
    slot: null,
    networkGroups: [],
    // Without a provider the guard uses the provider with the program's name.
    ...(provider === program ? {} : { provider }),
  };
}

export function testSpec(
  session: SessionId,
  slot: number,
  image: 'node' | 'python',
  template: 'code-executor' | 'integration-test' = 'code-executor',
): SandboxSpec {
  return { session, program: 'test', template, image, slot, networkGroups: [] };
}

/** The loopback of one test run, with access to the hosts of these groups. */
export function networkSpec(session: SessionId, networkGroups: readonly string[]): SandboxSpec {
  return { session, program: 'network', template: 'integration-test', image: 'node', slot: null, networkGroups };
}

/** A service on that loopback. */
export function serviceSpec(
  session: SessionId,
  { name, image }: { readonly name: string; readonly image: string | null },
  networkOf: NonNullable<SandboxSpec['networkOf']>,
): SandboxSpec {
  return {
    session,
    program: 'service',
    template: 'code-executor',
    image: image === null ? 'node' : 'service',
    slot: null,
    networkGroups: [],
    service: name,
    networkOf,
  };
}

export function packageSpec(session: SessionId, manager: PackageManagerName): SandboxSpec {
  return {
    session,
    program: `packages:${manager}`,
    template: 'integration-test',
    image: PACKAGE_MANAGERS[manager].image,
    slot: null,
    networkGroups: [],
  };
}

export function policySpec(session: SessionId): SandboxSpec {
  return {
    session,
    program: 'policy-sandbox',
    template: 'policy-sandbox',
    image: 'policy-sandbox',
    slot: null,
    networkGroups: [],
  };
}

/** The same sandbox in the user's image for the project, if it runs project code. */
export function inProjectImage(spec: SandboxSpec): SandboxSpec {
  return SANDBOX_PROGRAMS[spec.program].images.includes('project') ? { ...spec, image: 'project' } : spec;
}

/** The request to the guard. `volume`: the workspace made for this sandbox, or null. */
export function containerRequest(
  sandbox: SandboxId,
  spec: SandboxSpec,
  volume: string | null,
  limits: ResourceLimits,
): GuardContainerCreate {
  return {
    sandbox,
    session: spec.session,
    program: spec.program,
    template: spec.template,
    image: spec.image,
    workspace: volume === null ? { kind: 'none' } : { kind: 'overlay', volume },
    limits: requestedLimits(spec.program, limits),
    ...(spec.provider === undefined ? {} : { provider: spec.provider }),
    ...(spec.networkGroups.length === 0 ? {} : { network_groups: [...spec.networkGroups] }),
    ...(spec.service === undefined ? {} : { service: spec.service }),
    ...(spec.networkOf === undefined ? {} : { network_of: spec.networkOf.sandbox }),
  };
}

const MIB = 1024 * 1024;

/** A program that only forwards bytes needs little memory; the tests get the rest. */
function requestedLimits(program: Program, limits: ResourceLimits): GuardContainerCreate['limits'] {
  const small = program === 'network';
  return {
    memory_bytes: small ? Math.min(limits.memoryBytes, 256 * MIB) : limits.memoryBytes,
    cpus: small ? Math.min(limits.cpus, 0.5) : limits.cpus,
    pids: small ? Math.min(limits.pids, 32) : limits.pids,
    file_size_bytes: limits.fileSizeBytes,
  };
}

export function hasKernelSocket(program: Program): boolean {
  return SANDBOX_PROGRAMS[program].pluginName !== null;
}

export interface ExpectedMount {
  readonly destination: string;
  readonly writable: boolean;
}

/** The directories of a workspace, as absolute paths. */
export interface MountedDirectories {
  readonly projectRoot: string;
  /** Object directory of a linked worktree's repository; null if the project has its own objects. */
  readonly borrowedObjects: string | null;
}

/** Mounts that the sandbox must have, sorted by destination. */
export function expectedMounts(
  spec: SandboxSpec,
  { projectRoot, borrowedObjects }: MountedDirectories,
): readonly ExpectedMount[] {
  const readOnly = (destination: string): ExpectedMount => ({ destination, writable: false });
  const writable = (destination: string): ExpectedMount => ({ destination, writable: true });
  const { program, template, image } = spec;
  const mounts = [
    ...(spec.slot === null
      ? []
      : [writable(projectRoot), ...(borrowedObjects === null ? [] : [readOnly(borrowedObjects)])]),
    ...(hasKernelSocket(program) ? [readOnly(posix.dirname(IN_L2.kernelSocket))] : []),
    ...(hasServiceSockets(program, template) ? [readOnly(posix.dirname(IN_L2.egressSocket))] : []),
    ...(SANDBOX_PROGRAMS[program].job ? [writable(IN_L2.out)] : []),
    ...(SANDBOX_PROGRAMS[program].runsProjectCode ? [readOnly(IN_L2.hosts)] : []),
    ...(image === 'project' ? [readOnly(IN_L2.programs)] : []),
  ];
  return mounts.sort((a, b) => (a.destination < b.destination ? -1 : 1));
}
