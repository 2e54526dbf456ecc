/** A CMake project, configured and built in a directory of its own; what it builds is read from CMake's file API. */
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { output } from '../program-output.ts';
import { whyNotConfigured } from './why-not-configured.ts';
import type { ProgramOutput } from '../program-output.ts';

export interface CmakeProject {
  /** Absolute, outside of the project. */
  readonly build: string;
  readonly programs: readonly CmakeProgram[];
}

/** A target that is a program. */
export interface CmakeProgram {
  readonly name: string;
  /** Absolute paths. */
  readonly sources: readonly string[];
  /** Absolute path of what is built. */
  readonly executable: string;
}

/** A test as ctest lists it. */
export interface CTest {
  readonly name: string;
  /** null: what it starts was not built. */
  readonly command: readonly string[] | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** One after the other is slow, and each compiler needs a part of the sandbox's memory. */
const PARALLEL = '2';
/** Messages in English and in ASCII. A download ends at once with a proxy that has no address: without one CMake repeats it for a minute and a half. */
const OFFLINE = {
  LC_ALL: 'C',
  ...Object.fromEntries(
    ['http_proxy', 'https_proxy', 'ftp_proxy', 'ALL_PROXY'].map((name) => [name, 'http://no-network.invalid']),
  ),
};

/** Settings that the project's own caller could give: assertions stay in, nothing is downloaded, and project code runs after the build. */
function settings(): string[] {
  const sources = (process.env['CMAKE_PREFIX_PATH'] ?? '')
    .split(delimiter)
    .concat('/usr')
    .map((prefix) => join(prefix, 'src/googletest'))
    .find((path) => existsSync(join(path, 'CMakeLists.txt')));
  return [
    ...['-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_C_FLAGS_DEBUG=', '-DCMAKE_CXX_FLAGS_DEBUG=', '-DBUILD_TESTING=ON'],
    ...['-DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=ALWAYS', '-DFETCHCONTENT_UPDATES_DISCONNECTED=ON'],
    ...(sources === undefined ? [] : [`-DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=${sources}`]),
    ...['-DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST', '-DCMAKE_CATCH_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST'],
  ];
}

/** A string is why there is none. */
export async function configure(
  source: string,
  build: string,
  args: readonly string[],
): Promise<CmakeProject | string> {
  const query = join(build, '.cmake/api/v1/query');
  mkdirSync(query, { recursive: true });
  writeFileSync(join(query, 'codemodel-v2'), '');
  const generator = (await has('ninja')) ? 'Ninja' : 'Unix Makefiles';
  const words = ['-S', source, '-B', build, '-G', generator, '-Wno-dev', ...settings(), ...args];
  const ended = await output('cmake', words, { cwd: source, env: { ...process.env, ...OFFLINE } }).catch(() => {
    throw new Error(
      'no CMake with a C or C++ compiler was found on this machine when the project was opened: cmake, cc or c++ is not in PATH',
    );
  });
  if (ended.code !== 0) return whyNotConfigured(ended.stdout + ended.stderr);
  return { build, programs: programsOf(build) };
}

async function has(program: string): Promise<boolean> {
  return output(program, ['--version'], { cwd: '/' }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

interface Model {
  readonly paths: { readonly source: string };
  readonly configurations: readonly { readonly targets: readonly { readonly jsonFile: string }[] }[];
}

interface Target {
  readonly name: string;
  readonly type: string;
  readonly sources?: readonly { readonly path: string }[];
  readonly artifacts?: readonly { readonly path: string }[];
}

function programsOf(build: string): CmakeProgram[] {
  const reply = join(build, '.cmake/api/v1/reply');
  const read = (name: string): unknown => JSON.parse(readFileSync(join(reply, name), 'utf8'));
  const model = readdirSync(reply).find((name) => name.startsWith('codemodel-v2-'));
  if (model === undefined) return [];
  const { paths, configurations } = read(model) as Model;
  const targets = configurations[0]?.targets.map(({ jsonFile }) => read(jsonFile) as Target) ?? [];
  return targets.flatMap(({ name, type, sources = [], artifacts: [artifact] = [] }) =>
    type !== 'EXECUTABLE' || artifact === undefined
      ? []
      : [
          {
            name,
            sources: sources.map(({ path }) => resolve(paths.source, path)),
            executable: resolve(build, artifact.path),
          },
        ],
  );
}

/** Builds these targets, and goes on after an error. */
export async function buildTargets({ build }: CmakeProject, names: readonly string[]): Promise<ProgramOutput> {
  const goOn = existsSync(join(build, 'build.ninja')) ? ['-k', '0'] : ['-k'];
  const args = ['--build', build, '--parallel', PARALLEL, '--target', ...names, '--', ...goOn];
  return output('cmake', args, { cwd: build, env: { ...process.env, ...OFFLINE } });
}

/** What ctest would run. A string is why it cannot say. */
export async function listTests({ build }: CmakeProject): Promise<readonly CTest[] | string> {
  const { stdout, stderr, code } = await output('ctest', ['--show-only=json-v1'], { cwd: build });
  const start = stdout.indexOf('{');
  if (code !== 0 || start === -1) return stdout + stderr;
  const { tests = [] } = JSON.parse(stdout.slice(start)) as { readonly tests?: readonly ListedTest[] };
  return tests.map(({ name, command = null, properties = [] }) => ({
    name,
    command,
    properties: Object.fromEntries(properties.map((each) => [each.name, each.value])),
  }));
}

interface ListedTest {
  readonly name: string;
  readonly command?: readonly string[];
  readonly properties?: readonly { readonly name: string; readonly value: unknown }[];
}

/** Whether a test of ctest starts this program, which has been built. */
export function starts({ command }: CTest, { executable }: CmakeProgram): boolean {
  const [program] = command ?? [];
  return program !== undefined && existsSync(program) && realpathSync(program) === realpathSync(executable);
}

/** Where ctest would start it. */
export function workingDirectory({ properties }: CTest, { build }: CmakeProject): string {
  const named = properties['WORKING_DIRECTORY'];
  return typeof named === 'string' ? named : build;
}

/** The environment that ctest would give it, without what chooses tests of GoogleTest. */
export function testEnvironment({ properties }: CTest): NodeJS.ProcessEnv {
  const named = properties['ENVIRONMENT'];
  const pairs = (Array.isArray(named) ? named : [])
    .map(String)
    .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]) as [string, string][];
  const all = { ...process.env, ...Object.fromEntries(pairs) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !/^(?:GTEST_|DOCTEST_|CATCH_)/.test(name)));
}
