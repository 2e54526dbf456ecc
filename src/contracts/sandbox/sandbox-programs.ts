import { IN_L2 } from './container-paths.ts';
import { JOB_FILE } from './test-job.ts';
import { PROVIDER_PROGRAMS, hasEndpoint } from '../model/providers.ts';
import type { ProviderProgramName } from '../model/providers.ts';
import { PACKAGE_MANAGERS, PACKAGE_MANAGER_NAMES } from './package-managers.ts';
import type { PackageManagerName } from './package-managers.ts';
import type { SandboxImage, SandboxTemplate, SeccompProfile } from './sandbox-templates.ts';
import { TEMPLATES } from './sandbox-templates.ts';

/**
 * Every program that can run in a sandbox, one object each. The guard creates containers from it, and the kernel compares the created containers with
 * it. Nothing in it comes from a request.
 */

const TOOLS = ['fs', 'git', 'shell'] as const;

export type ProviderProgram = `provider:${ProviderProgramName}`;
export type ToolProgram = `tool:${(typeof TOOLS)[number]}`;
export type PackageProgram = `packages:${PackageManagerName}`;
export type Program =
  ProviderProgram | ToolProgram | PackageProgram | 'test' | 'network' | 'service' | 'policy-sandbox';

export interface ProgramDefinition {
  readonly templates: readonly SandboxTemplate[];
  readonly images: readonly SandboxImage[];
  readonly command: readonly string[];
  readonly environment: readonly string[];
  readonly workspace: 'never' | 'optional' | 'required';
  /** Its name in the handshake on the kernel's socket, so that mixed-up images are noticed; null: it has no such socket. */
  readonly pluginName: string | null;
  /** It has a directory for its job and its report in place of a socket. */
  readonly job: boolean;
  /**
   * Project code runs in it: /tmp and HOME may hold programs, servers may listen on its loopback, and it sees the read-only directories outside the
   * project that the user's configuration names.
   */
  readonly runsProjectCode: boolean;
  /** Whether the host opens service sockets (egress.sock, secret.sock) for it if its template has a network. */
  readonly serviceSockets: boolean;
  readonly tmpBytes: number;
}

const MIB = 1024 * 1024;
export const NODE = '/usr/local/bin/node';
/** The Node that ships with Fluffy's programs, with its libraries: it runs in any image. */
export const OWN_NODE = `${IN_L2.programs}/bin/node`;
const POLICY_PROGRAM = '/opt/fluffy/policy-sandbox';

const ENVIRONMENT: readonly string[] = [
  'PATH=/usr/local/bin:/usr/bin:/bin',
  `HOME=${IN_L2.home}`,
  'TMPDIR=/tmp',
  'LANG=C.UTF-8',
  'TZ=UTC',
  'UV_THREADPOOL_SIZE=2',
];
const TOOL_ENVIRONMENT = [...ENVIRONMENT, 'CI=1'];

/** With V8's default pool and libuv's four threads, Node alone would use the ten processes of `ai-provider`. */
function providerProgram(name: ProviderProgramName): ProgramDefinition {
  return {
    templates: ['ai-provider'],
    images: ['provider'],
    command: [NODE, '--v8-pool-size=1', `/opt/fluffy/providers/${name}.mjs`],
    environment: ENVIRONMENT,
    workspace: 'never',
    pluginName: `provider-${name}`,
    job: false,
    runsProjectCode: false,
    serviceSockets: hasEndpoint(name),
    tmpBytes: 16 * MIB,
  };
}

function toolProgram(name: string, workspace: 'optional' | 'required', runsProjectCode: boolean): ProgramDefinition {
  return {
    templates: ['code-executor'],
    images: runsProjectCode ? ['node', 'project'] : ['node'],
    command: [NODE, `/opt/fluffy/tools/${name}.mjs`],
    environment: TOOL_ENVIRONMENT,
    workspace,
    pluginName: name,
    job: false,
    runsProjectCode,
    serviceSockets: false,
    tmpBytes: 128 * MIB,
  };
}

/** Its process becomes the test runner: it has no kernel socket, and no process of Fluffy runs beside the tests. */
const test: ProgramDefinition = {
  templates: ['code-executor', 'integration-test'],
  images: ['node', 'python', 'project'],
  command: ['/bin/sh', `${IN_L2.out}/${JOB_FILE}`],
  environment: TOOL_ENVIRONMENT,
  workspace: 'required',
  pluginName: null,
  job: true,
  runsProjectCode: true,
  serviceSockets: false,
  tmpBytes: 256 * MIB,
};

/**
 * The loopback that one test run shares with its services, and its connection to the egress gate. The sandbox of the tests joins its network
 * namespace and sees no socket of the host.
 */
const network: ProgramDefinition = {
  templates: ['integration-test'],
  images: ['node'],
  command: [NODE, '/opt/fluffy/tools/network-tool.mjs'],
  environment: ENVIRONMENT,
  workspace: 'never',
  pluginName: 'network-tool',
  job: false,
  runsProjectCode: false,
  serviceSockets: true,
  tmpBytes: 4 * MIB,
};

/** A program of the user's configuration, such as a database: it runs beside the tests of one run, on their loopback. The host knows its command. */
const service: ProgramDefinition = {
  templates: ['code-executor'],
  images: ['node', 'service'],
  command: [],
  environment: ENVIRONMENT,
  workspace: 'never',
  pluginName: null,
  job: false,
  runsProjectCode: true,
  serviceSockets: false,
  tmpBytes: 512 * MIB,
};

/**
 * A package manager with only the manifest and the lockfile: it sees no other file of the project. Install scripts of packages that the user's
 * configuration names run in it, so it counts as project code.
 */
function packageProgram(name: PackageManagerName): ProgramDefinition {
  return {
    templates: ['integration-test'],
    images: [PACKAGE_MANAGERS[name].image],
    command: [NODE, '/opt/fluffy/tools/package-tool.mjs', name],
    environment: TOOL_ENVIRONMENT,
    workspace: 'never',
    pluginName: null,
    job: true,
    runsProjectCode: true,
    serviceSockets: true,
    tmpBytes: 256 * MIB,
  };
}

/**
 * Deno with two permissions: to connect to the kernel's socket, and to read the program of its workers. It never prompts for another. The workers, in
 * which extensions run, have none.
 */
const policySandbox: ProgramDefinition = {
  templates: ['policy-sandbox'],
  images: ['policy-sandbox'],
  command: [
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
  ],
  environment: ['DENO_DIR=/tmp/deno', 'DENO_NO_UPDATE_CHECK=1', 'NO_COLOR=1'],
  workspace: 'never',
  pluginName: 'policy-sandbox',
  job: false,
  runsProjectCode: false,
  serviceSockets: false,
  tmpBytes: 4 * MIB,
};

const providerPrograms = Object.fromEntries(
  PROVIDER_PROGRAMS.map((name) => [`provider:${name}`, providerProgram(name)]),
) as Record<ProviderProgram, ProgramDefinition>;

const packagePrograms = Object.fromEntries(
  PACKAGE_MANAGER_NAMES.map((name) => [`packages:${name}`, packageProgram(name)]),
) as Record<PackageProgram, ProgramDefinition>;

export const SANDBOX_PROGRAMS: Readonly<Record<Program, ProgramDefinition>> = {
  ...providerPrograms,
  ...packagePrograms,
  'tool:fs': toolProgram('fs-tool', 'optional', false),
  'tool:git': toolProgram('git-tool', 'required', false),
  'tool:shell': toolProgram('shell-tool', 'required', true),
  test,
  network,
  service,
  'policy-sandbox': policySandbox,
};

export const PROGRAMS = Object.keys(SANDBOX_PROGRAMS) as readonly Program[];

/** The command that starts a program in an image. */
export function commandIn(image: SandboxImage, { command }: ProgramDefinition): readonly string[] {
  return image === 'project' ? command.map((word) => (word === NODE ? OWN_NODE : word)) : command;
}

/** The package manager of a program; null for every other program. */
export function packageManagerOf(program: Program): PackageManagerName | null {
  return PACKAGE_MANAGER_NAMES.find((name) => program === `packages:${name}`) ?? null;
}

/** Whether its sandbox may use the network namespace of a `network` sandbox. */
export function joinsNetwork(program: Program): boolean {
  return program === 'test' || program === 'service';
}

/** Whether its overlay shows installed packages. They are not part of the repository: git would take them for the user's uncommitted work. */
export function seesPackages(program: Program): boolean {
  return program !== 'tool:git';
}

/** Whether the host opens service sockets for a program in a template. */
export function hasServiceSockets(program: Program, template: SandboxTemplate): boolean {
  return SANDBOX_PROGRAMS[program].serviceSockets && TEMPLATES[template].network !== 'none';
}

/**
 * The profile of a program. Project code may open internet sockets: tests start servers, and a container without a network has only its own loopback.
 */
export function seccompOf(program: Program, template: SandboxTemplate): SeccompProfile {
  return SANDBOX_PROGRAMS[program].runsProjectCode ? 'standard-net' : TEMPLATES[template].seccomp;
}
