import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { sharedLibraries } from '../images/rootfs/shared-libraries.ts';
import { writeScript } from './linked-program.ts';
import { madeOnce } from './made-once.ts';
import { isBelow } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

const run = promisify(execFile);
/** Version of the layout: another version is stored under another name. */
const KIT_VERSION = 1;
/** Where a distribution puts its programs, headers and libraries. */
const SYSTEM = '/usr';
const NEEDED = ['cmake', 'ctest', 'gcc', 'g++'] as const;
/** Programs that builds use, copied if this host has them. */
const WANTED = [
  ...['ninja', 'make', 'ar', 'ranlib', 'nm', 'ld', 'as', 'strip', 'objcopy', 'objdump', 'readelf', 'pkg-config'],
  ...['gcc-ar', 'gcc-nm', 'gcc-ranlib', 'gcov'],
];
/** Programs that gcc itself starts. */
const STARTED = ['cc1', 'cc1plus', 'collect2', 'as', 'ld', 'lto1', 'lto-wrapper'];

interface Programs {
  /** Real paths below `SYSTEM`, by their usual names. */
  readonly byName: ReadonlyMap<string, string>;
  readonly started: ReadonlyMap<string, string>;
  /** The dynamic loader, and directories of libraries: real paths. */
  readonly loader: string;
  readonly libraries: readonly string[];
  readonly version: string;
}

/**
 * The C and C++ compiler and CMake of this host: the distribution's GCC. Sandboxes see `/usr` at another path, read-only, and programs that use it as
 * the root of the system: its headers, libraries and dynamic loader, whatever the image contains. null if this host has no such compiler.
 */
export async function findCxx({ env, caches, onProgress }: ToolchainOptions): Promise<Toolchain | null> {
  const programs = await programsOf(env['PATH'] ?? '');
  if (programs === null) {
    onProgress(
      'no CMake with GCC of the distribution was found in PATH: C and C++ are left out (Debian: apt-get install cmake g++)',
    );
    return null;
  }
  const hash = createHash('sha256')
    .update(
      JSON.stringify([KIT_VERSION, programs.version, [...programs.byName], [...programs.started], programs.libraries]),
    )
    .digest('hex')
    .slice(0, 16);
  await makeDirectories(caches, 0o755);
  const final = join(await realpath(caches), `cxx-${hash}`);
  const words = { making: 'preparing the C and C++ compiler for sandboxes, once', waiting: 'waiting for the compiler' };
  const kit = await madeOnce(final, words, onProgress, (made) => fill(made, final, programs));
  const root = join(kit, 'root');
  const places = [...new Set(programs.libraries.map((path) => join(root, path)))];
  return {
    forTests: {
      name: 'cxx',
      path: [join(kit, 'bin')],
      env: {
        CC: join(kit, 'bin/cc'),
        CXX: join(kit, 'bin/c++'),
        CMAKE_PREFIX_PATH: join(root, SYSTEM),
        PKG_CONFIG_SYSROOT_DIR: root,
        PKG_CONFIG_LIBDIR: [...places, join(root, SYSTEM, 'share')].map((path) => join(path, 'pkgconfig')).join(':'),
      },
    },
    mounts: [kit],
    placed: [{ source: SYSTEM, target: join(root, SYSTEM) }],
  };
}

/** null if something required is missing, or is not the distribution's. */
async function programsOf(path: string): Promise<Programs | null> {
  const searched = path.split(delimiter).filter((each) => isAbsolute(each));
  const byName = new Map<string, string>();
  for (const name of [...NEEDED, ...WANTED]) {
    const found = await firstOf(searched, name);
    if (found !== null) byName.set(name, found);
  }
  const gcc = byName.get('gcc');
  // Only distributions with all libraries below /usr.
  const isMerged = (await readlink('/lib').catch(() => '')).replace(/^\//, '') === 'usr/lib';
  if (gcc === undefined || !isMerged || !NEEDED.every((name) => byName.has(name))) return null;
  const started = new Map<string, string>();
  for (const name of STARTED) {
    const found = await ask(gcc, `-print-prog-name=${name}`);
    const real = await realpath(isAbsolute(found) ? found : join(SYSTEM, 'bin', found)).catch(() => null);
    if (real !== null && isBelow(real, SYSTEM)) started.set(name, real);
  }
  if (!started.has('cc1plus')) return null;
  const all = await sharedLibraries([...byName.values(), ...started.values()]);
  const libraries = await Promise.all(all.map((each) => realpath(each)));
  const loader = all.findIndex((each) => /^ld-/.test(basename(each)));
  const standard = await realpath(await ask(gcc, '-print-file-name=libc.so.6')).catch(() => null);
  const real = libraries[loader];
  if (real === undefined || standard === null || !libraries.every((each) => isBelow(each, SYSTEM))) return null;
  return {
    byName,
    started,
    loader: real,
    libraries: [...new Set([dirname(standard), ...libraries.map(dirname)])],
    version: `${await ask(gcc, '-dumpfullversion')} ${await ask(gcc, '-dumpmachine')} ${await stampOf(byName)}`,
  };
}

async function firstOf(searched: readonly string[], name: string): Promise<string | null> {
  for (const directory of searched) {
    const real = await realpath(join(directory, name)).catch(() => null);
    if (real !== null && isBelow(real, SYSTEM)) return real;
  }
  return null;
}

async function stampOf(programs: ReadonlyMap<string, string>): Promise<string> {
  const stats = await Promise.all([...programs.values()].map((path) => stat(path)));
  return stats.map(({ size, mtimeMs }) => `${size}:${mtimeMs}`).join(' ');
}

async function ask(gcc: string, question: string): Promise<string> {
  const { stdout } = await run(gcc, [question], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  return stdout.trim();
}

/** `final` is the path at which sandboxes see it, which its files contain. */
async function fill(made: string, final: string, { byName, started, loader, libraries }: Programs): Promise<void> {
  const root = join(final, 'root');
  for (const name of ['bin', 'libexec', `root${SYSTEM}`]) await mkdir(join(made, name), { recursive: true });
  for (const name of ['lib', 'lib64', 'bin']) await symlink(`usr/${name}`, join(made, 'root', name));
  // CMake looks for its modules beside the directory of its program.
  await symlink(`root${SYSTEM}/share`, join(made, 'share'));
  const places = libraries.map((path) => join(root, path));
  const asStarted = (program: string, name: string): string =>
    `"${root}${loader}" --argv0 "${final}/${name}" --library-path "${places.join(':')}" "${root}${program}"`;
  for (const [name, program] of started)
    await writeScript(join(made, 'libexec', name), `exec ${asStarted(program, `libexec/${name}`)} "$@"`);
  for (const [name, program] of byName)
    if (name !== 'gcc' && name !== 'g++')
      await writeScript(join(made, 'bin', name), `exec ${asStarted(program, `bin/${name}`)} "$@"`);
  const linking = [`--dynamic-linker=${root}${loader}`, ...places.map((path) => `-rpath,${path}`)];
  const flags = [`-B"${final}/libexec/"`, `--sysroot="${root}"`, ...linking.map((each) => `"-Wl,${each}"`)].join(' ');
  for (const [name, usual] of [
    ['gcc', 'cc'],
    ['g++', 'c++'],
  ] as const) {
    const program = byName.get(name) ?? '';
    for (const each of [name, usual])
      await writeScript(
        join(made, 'bin', each),
        `export GCC_EXEC_PREFIX="${root}${SYSTEM}/lib/gcc/"\nexec ${asStarted(program, `bin/${each}`)} ${flags} "$@"`,
      );
  }
}
