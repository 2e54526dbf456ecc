import { IN_L2 } from '../../contracts/guard-api.ts';
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
  /** In place of what other programs find in their environment. */
  readonly environment?: readonly string[];
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

const POLICY_PROGRAM = '/opt/fluffy/policy-sandbox';

/**
 * Deno, with the permission to reach the kernel's socket and to read the program of its workers; no other, and never a question for one. The
 * workers, in which extensions run, have none.
 */
const deno: readonly string[] = [
  '/usr/local/bin/deno',
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
  `--allow-net=unix:${IN_L2.kernelSocket}`,
  `--allow-read=${IN_L2.kernelSocket},${POLICY_PROGRAM}/extension-worker.mjs`,
  `--allow-write=${IN_L2.kernelSocket}`,
  `${POLICY_PROGRAM}/main.mjs`,
];

/**
 * Everything that can run in an L2 container. `test` has no kernel socket: its process becomes the test runner, and nothing of
 * ours runs beside the tests.
 */
export const PROGRAM_SHAPES: Readonly<Record<Program, ProgramShape>> = {
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
  'policy-sandbox': {
    templates: ['policy-sandbox'],
    images: ['policy-sandbox'],
    command: deno,
    workspace: 'never',
    kernelSocket: true,
    job: false,
    dependencies: false,
    doors: 'never',
    tmpBytes: 4 * MIB,
    executableTmp: false,
    environment: ['DENO_DIR=/tmp/deno', 'DENO_NO_UPDATE_CHECK=1', 'NO_COLOR=1'],
  },
};

export const TEMPLATE_SECCOMP: Readonly<Record<SandboxTemplate, SeccompProfile>> = {
  'ai-provider': 'strict',
  'code-executor': 'standard',
  'integration-test': 'standard-net',
  'policy-sandbox': 'strict',
};
