import { posix } from 'node:path';
import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import type { GuardContainerCreate } from '../../contracts/sandbox/guard-api.ts';
import type { SandboxId, SessionId } from '../../contracts/ids.ts';
import { COMPATIBLE_ENDPOINT, PROVIDERS, isKnownProvider } from '../../contracts/model/providers.ts';
import { SANDBOX_PROGRAMS, hasServiceSockets } from '../../contracts/sandbox/sandbox-programs.ts';
import type { Program, ToolProgram } from '../../contracts/sandbox/sandbox-programs.ts';
import { PACKAGE_MANAGERS } from '../../contracts/sandbox/package-managers.ts';
import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { ResourceLimits, SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';

/** What a sandbox is for: everything that decides its shape, and nothing that differs from one of its kind to the next. */
export interface SandboxSpec {
  readonly session: SessionId;
  readonly program: Program;
  readonly template: SandboxTemplate;
  readonly image: GuardContainerCreate['image'];
  /** Overlay slot to mount, or null: no workspace. */
  readonly slot: number | null;
  readonly networkGroups: readonly string[];
  /** Of a provider program: which of the user's providers it serves. */
  readonly provider?: string;
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
    // The guard takes a program without a provider for the provider of that name.
    ...(provider === program ? {} : { provider }),
  };
}

export function testSpec(
  session: SessionId,
  slot: number,
  image: 'node' | 'python',
  template: 'code-executor' | 'integration-test',
  networkGroups: readonly string[],
): SandboxSpec {
  return { session, program: 'test', template, image, slot, networkGroups };
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

/** The same in the user's image for the project, if code of the project runs in it. */
export function inProjectImage(spec: SandboxSpec): SandboxSpec {
  return SANDBOX_PROGRAMS[spec.program].images.includes('project') ? { ...spec, image: 'project' } : spec;
}

/** The request to the guard. `volume` is the workspace made for this sandbox, or null. */
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
    limits: {
      memory_bytes: limits.memoryBytes,
      cpus: limits.cpus,
      pids: limits.pids,
      file_size_bytes: limits.fileSizeBytes,
    },
    ...(spec.provider === undefined ? {} : { provider: spec.provider }),
    ...(spec.networkGroups.length === 0 ? {} : { network_groups: [...spec.networkGroups] }),
  };
}

export function hasKernelSocket(program: Program): boolean {
  return SANDBOX_PROGRAMS[program].pluginName !== null;
}

export interface ExpectedMount {
  readonly destination: string;
  readonly writable: boolean;
}

/** What a workspace is made of. Absolute paths. */
export interface MountedDirectories {
  readonly projectRoot: string;
  /** Of a linked worktree; null where the project has its objects itself. */
  readonly borrowedObjects: string | null;
}

/** Mounts that such a sandbox must have, sorted by destination. */
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
