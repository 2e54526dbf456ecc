import { posix } from 'node:path';
import { IN_L2 } from '../../contracts/guard-api.ts';
import type { GuardContainerCreate, Program, SandboxTemplate } from '../../contracts/guard-api.ts';
import type { SandboxId, SessionId } from '../../contracts/ids.ts';
import { TEMPLATE_LIMITS } from './template-limits.ts';

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

export type ToolProgram = Extract<Program, `tool:${string}`>;
export type ProviderProgram = Extract<Program, `provider:${string}`>;

export function toolSpec(session: SessionId, program: ToolProgram, slot: number | null): SandboxSpec {
  return { session, program, template: 'code-executor', image: 'node', slot, networkGroups: [] };
}

/** `provider` is the part before the slash of `provider/model`. All but two speak the wire that the openai program knows. */
export function providerSpec(session: SessionId, provider: string): SandboxSpec {
  const known = provider === 'anthropic' || provider === 'replay' || provider === 'openai';
  const program: ProviderProgram = known ? `provider:${provider}` : 'provider:openai';
  const shape = {
    session,
    program,
    template: 'ai-provider',
    image: 'provider',
    slot: null,
    networkGroups: [],
  } as const;
  return known ? shape : { ...shape, provider };
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

/** What the guard is asked for. `volume` is the workspace made for this sandbox, or null. */
export function containerRequest(sandbox: SandboxId, spec: SandboxSpec, volume: string | null): GuardContainerCreate {
  const limits = TEMPLATE_LIMITS[spec.template];
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

/** A test run has no line to the kernel: nothing of ours is beside the tests. */
export function hasKernelSocket(program: Program): boolean {
  return program !== 'test';
}

/** Its program runs code of the project as soon as it starts. */
export function runsProjectCode(program: Program): boolean {
  return program === 'test' || program === 'tool:shell';
}

export interface ExpectedMount {
  readonly destination: string;
  readonly writable: boolean;
}

/** Mounts that such a sandbox must have, sorted by destination. */
export function expectedMounts(spec: SandboxSpec, projectRoot: string): readonly ExpectedMount[] {
  const readOnly = (destination: string): ExpectedMount => ({ destination, writable: false });
  const writable = (destination: string): ExpectedMount => ({ destination, writable: true });
  const { program } = spec;
  const hasDoors =
    program === 'provider:anthropic' || program === 'provider:openai' || spec.template === 'integration-test';
  const mounts = [
    ...(spec.slot === null ? [] : [writable(projectRoot)]),
    ...(hasKernelSocket(program) ? [readOnly(posix.dirname(IN_L2.kernelSocket))] : []),
    ...(hasDoors ? [readOnly(posix.dirname(IN_L2.egressSocket))] : []),
    ...(program === 'test' ? [readOnly(IN_L2.job), writable(IN_L2.out)] : []),
  ];
  return mounts.sort((a, b) => (a.destination < b.destination ? -1 : 1));
}

/** The name a program introduces itself by: a mix-up of images shows here. */
export function expectedPluginName(program: Program): string {
  switch (program) {
    case 'tool:fs':
    case 'tool:git':
    case 'tool:shell':
      return `${program.slice('tool:'.length)}-tool`;
    case 'provider:anthropic':
    case 'provider:openai':
    case 'provider:replay':
      return `provider-${program.slice('provider:'.length)}`;
    case 'test':
    case 'policy-sandbox':
      return program;
  }
}
