import type { Program, SandboxTemplate } from '../../contracts/guard-api.ts';

export type SeccompProfile = 'strict' | 'standard' | 'standard-net';
export type SandboxImage = 'node' | 'python' | 'provider' | 'policy-sandbox';

/** What a program is given. Nothing in it comes from L1. */
export interface ProgramShape {
  readonly templates: readonly SandboxTemplate[];
  readonly images: readonly SandboxImage[];
  readonly command: readonly string[];
  readonly workspace: 'never' | 'optional' | 'required';
  /** run/sbx/<sandbox> at /run/fluffy, which holds the kernel's socket. */
  readonly kernelSocket: boolean;
  /** state/jobs/<sandbox> and state/out/<sandbox>. */
  readonly job: boolean;
  /** Directories outside the project that the user's own configuration names. */
  readonly dependencies: boolean;
  readonly doors: 'never' | 'always' | 'when-networked';
  readonly tmpBytes: number;
  /** Whether /tmp and HOME may hold programs: only where the project's own code runs. */
  readonly executableTmp: boolean;
}

const MIB = 1024 * 1024;
const NODE = '/usr/local/bin/node';

/** With V8's default pool and libuv's four threads, Node alone would fill the ten processes of `ai-provider`. */
const provider = (name: string, doors: 'never' | 'always'): ProgramShape => ({
  templates: ['ai-provider'],
  images: ['provider'],
  command: [NODE, '--v8-pool-size=1', `/opt/fluffy/providers/${name}.mjs`],
  workspace: 'never',
  kernelSocket: true,
  job: false,
  dependencies: false,
  doors,
  tmpBytes: 16 * MIB,
  executableTmp: false,
});

const tool = (name: string, workspace: 'optional' | 'required', runsProjectCode: boolean): ProgramShape => ({
  templates: ['code-executor'],
  images: ['node'],
  command: [NODE, `/opt/fluffy/tools/${name}.mjs`],
  workspace,
  kernelSocket: true,
  job: false,
  dependencies: runsProjectCode,
  doors: 'never',
  tmpBytes: 128 * MIB,
  executableTmp: runsProjectCode,
});

/**
 * Everything that can run in an L2 container. `test` has no kernel socket: its process becomes the test runner, and nothing of
 * ours runs beside the tests. `policy-sandbox` is a name of the contract that this version has no program for.
 */
export const PROGRAM_SHAPES: Readonly<Record<Exclude<Program, 'policy-sandbox'>, ProgramShape>> = {
  'provider:anthropic': provider('anthropic', 'always'),
  'provider:openai': provider('openai', 'always'),
  'provider:replay': provider('replay', 'never'),
  'tool:fs': tool('fs-tool', 'optional', false),
  'tool:git': tool('git-tool', 'required', false),
  'tool:shell': tool('shell-tool', 'required', true),
  test: {
    templates: ['code-executor', 'integration-test'],
    images: ['node', 'python'],
    command: [NODE, '/opt/fluffy/tools/test-tool/launch.mjs'],
    workspace: 'required',
    kernelSocket: false,
    job: true,
    dependencies: true,
    doors: 'when-networked',
    tmpBytes: 256 * MIB,
    executableTmp: true,
  },
};

export const TEMPLATE_SECCOMP: Readonly<Record<SandboxTemplate, SeccompProfile>> = {
  'ai-provider': 'strict',
  'code-executor': 'standard',
  'integration-test': 'standard-net',
  'policy-sandbox': 'strict',
};
