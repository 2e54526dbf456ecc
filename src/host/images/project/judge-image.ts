import { posix } from 'node:path';
import { z } from 'zod';
import { IN_L2 } from '../../../contracts/sandbox/container-paths.ts';

/** The parts of the engine's description of an image that decide whether and how a sandbox can be created from it. */
export const inspectedImageSchema = z.object({
  Id: z.string(),
  Os: z.string(),
  Architecture: z.string(),
  Config: z
    .object({
      Env: z.array(z.string()).nullish(),
      Labels: z.record(z.string(), z.string()).nullish(),
      Volumes: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});
export type InspectedImage = z.infer<typeof inspectedImageSchema>;

/** The declarations of an image. Its entry point, command, user, directory and health check are replaced, and its build triggers never run. */
export interface ImageFacts {
  /** Names of all its variables. A container gets none of them. */
  readonly variables: readonly string[];
  /** Paths for which the image declares a volume, without those where a sandbox mounts something anyway. */
  readonly volumes: readonly string[];
  /** Its `PATH`. */
  readonly path: readonly string[];
  /** The variables that tests and commands get. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Unusable {
  readonly kind: 'unusable';
  readonly why: string;
  readonly fix: string;
}
export type JudgedImage = { readonly kind: 'usable'; readonly facts: ImageFacts } | Unusable;

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: 'amd64', arm64: 'arm64' };
const DEFAULT_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const MAX_VOLUMES = 32;
/** Maximum size: they are in each request for a sandbox and in the arguments of programs; Linux allows 128 KiB per argument. */
const MAX_VARIABLES_BYTES = 64 * 1024;
/** Variables that a sandbox sets itself, and variables by which programs load other code, settings or addresses. */
const NOT_PASSED = new RegExp(
  `^(?:${[
    'PATH|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|TERM|HOSTNAME|LANG|TZ|CI|.*_PROXY|FLUFFY_.*',
    // Variables of shells, the loader, the C library and OpenSSL.
    'ENV|BASH_.*|SHELLOPTS|IFS|LD_.*|GCONV_PATH|GLIBC_TUNABLES|OPENSSL_(?:CONF|MODULES|ENGINES).*',
    'GIT_.*|NODE_.*|NPM_CONFIG_.*|BUN_(?:OPTIONS|CONFIG_.*)|DENO_.*',
    'PYTHON.*|PYTEST_.*|RUBY(?:OPT|LIB|GEMS_.*)|SPEC_OPTS|BUNDLE_GEMFILE|PERL5.*|PERLLIB|PHPRC|PHP_INI_SCAN_DIR',
    'CLASSPATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_(?:OPTS|ARGS)|GOFLAGS|GOENV',
    'RUSTC.*|RUSTFLAGS|RUSTDOCFLAGS|CARGO_(?:BUILD_.*|TARGET_.*|ENCODED_.*)',
  ].join('|')})$`,
  'i',
);

/** Whether a sandbox can be created from an image, and which parts of the image it must not get. Pure. */
export function judgeImage(
  { Os, Architecture, Config }: InspectedImage,
  { architecture, projectRoot }: { readonly architecture: NodeJS.Architecture; readonly projectRoot: string },
): JudgedImage {
  const wanted = ARCHITECTURES[architecture] ?? architecture;
  if (Os !== 'linux' || Architecture !== wanted) {
    const fix = `name an image for linux/${wanted}`;
    return { kind: 'unusable', why: `it is for ${Os}/${Architecture}, and this machine is linux/${wanted}`, fix };
  }
  const label = Object.keys(Config?.Labels ?? {}).find((name) => name.startsWith('fluffy.'));
  if (label !== undefined) {
    const why = `it has the label ${label}, by which fluffy knows its own images and containers`;
    return { kind: 'unusable', why, fix: 'build it without labels that begin with fluffy.' };
  }
  const declared = Object.keys(Config?.Volumes ?? {});
  const bad = declared.find((path) => !canBeMasked(path, projectRoot));
  if (bad !== undefined || declared.length > MAX_VOLUMES) {
    const why =
      bad === undefined
        ? `it declares ${declared.length} volumes, and ${MAX_VOLUMES} is the most`
        : `it declares a volume at ${JSON.stringify(bad)}, where a sandbox has something of its own`;
    return { kind: 'unusable', why, fix: 'build it without that VOLUME' };
  }
  const sizeBytes = (Config?.Env ?? []).reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  if (sizeBytes > MAX_VARIABLES_BYTES) {
    const why = `its variables have ${sizeBytes} bytes, and ${MAX_VARIABLES_BYTES} is the most`;
    return { kind: 'unusable', why, fix: 'build it with fewer or shorter ENV' };
  }
  const { variables, ...given } = variablesOf(Config?.Env ?? []);
  const pattern = variables.find((name) => name.endsWith('*'));
  if (pattern !== undefined) {
    const why = `it has a variable named ${JSON.stringify(pattern)}, by which Podman would hand over variables of the host`;
    return { kind: 'unusable', why, fix: 'build it without that ENV' };
  }
  const volumes = declared.map(clean).filter((path) => !placesOf(projectRoot).includes(path));
  return { kind: 'usable', facts: { volumes, variables, ...given } };
}

function variablesOf(lines: readonly string[]): Omit<ImageFacts, 'volumes'> {
  const all = lines.map(
    (line) => [line.replace(/=.*/s, ''), line.includes('=') ? line.replace(/^[^=]*=/, '') : ''] as const,
  );
  const path = all.findLast(([name]) => name === 'PATH')?.[1].split(':') ?? [];
  const absolute = [...new Set(path.filter((directory) => directory.startsWith('/')))];
  return {
    variables: all.map(([name]) => name).filter((name) => name !== ''),
    path: absolute.length === 0 ? DEFAULT_PATH : absolute,
    env: Object.fromEntries(all.filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !NOT_PASSED.test(name))),
  };
}

/** Paths at which a sandbox mounts something itself. */
function placesOf(projectRoot: string): readonly string[] {
  const sockets = [IN_L2.kernelSocket, IN_L2.egressSocket].map((path) => posix.dirname(path));
  return [projectRoot, ...sockets, IN_L2.out, IN_L2.home, IN_L2.hosts, IN_L2.programs, '/tmp'];
}

/** Whether an empty read-only directory can be mounted there: it must neither hide nor be inside a mount of the sandbox. */
function canBeMasked(declared: string, projectRoot: string): boolean {
  const path = clean(declared);
  if (!path.startsWith('/') || path === '/' || /[\x00-\x1f\x7f]/.test(path)) return false;
  return ![...placesOf(projectRoot), '/proc', '/sys', '/dev'].some((place) => path.startsWith(`${place}/`));
}

function clean(path: string): string {
  return posix.normalize(path).replace(/(?<=.)\/+$/, '');
}
