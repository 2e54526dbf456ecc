import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { sharedLibraries } from '../images/rootfs/shared-libraries.ts';
import { copyHeaders } from './c-headers.ts';
import { writeScript } from './linked-program.ts';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);
const GCC = '/usr/bin/gcc';
/** Programs that gcc starts to link. */
const LINKING = ['collect2', 'ld'];
/** Programs that it starts to compile C and to make a library. A host with only the linker lacks some of them. */
const COMPILING = ['cc1', 'as', 'ar'];
/** Files that every program is linked with. Missing ones are left out. */
const FILES = [
  ...['crt1.o', 'Scrt1.o', 'rcrt1.o', 'crti.o', 'crtn.o'],
  ...['crtbegin.o', 'crtbeginS.o', 'crtbeginT.o', 'crtend.o', 'crtendS.o'],
  ...['libgcc.a', 'libgcc_eh.a', 'libgcc_s.so.1', 'libc_nonshared.a', 'libc.so.6', 'libm.so.6'],
  ...['libutil.a', 'librt.a', 'libpthread.a', 'libdl.a'],
];

/**
 * A directory with a `cc` that links programs and compiles C (build scripts of crates need both), copied from this host's gcc, because images
 * assembled from the host have none. It has only the headers of the C library. null if this host has no gcc either.
 */
export async function linkerKit(caches: string, onProgress: (text: string) => void): Promise<string | null> {
  const version = await ask('-v').catch(() => null);
  if (version === null) return null;
  const hash = createHash('sha256').update(`2\n${version}`).digest('hex').slice(0, 16);
  const directory = join(await realpath(caches), `linker-${hash}`);
  return madeOnce(
    directory,
    { making: "copying this machine's linker, once", waiting: 'waiting for the linker' },
    onProgress,
    (made) => fill(made, directory),
  );
}

/** `finalPath` is the path at which sandboxes see it, which its files contain. */
async function fill(made: string, finalPath: string): Promise<void> {
  for (const name of ['bin', 'lib', 'shared']) await mkdir(join(made, name));
  const gcc = await realpath(GCC);
  await copyFile(gcc, join(made, 'lib/gcc'));
  for (const name of LINKING) await addProgram(made, finalPath, await programOf(name));
  const compiling = await Promise.all(COMPILING.map(async (name) => programOf(name).catch(() => null)));
  const compiler = compiling.filter((program) => program !== null);
  const compiles = compiler.length === COMPILING.length;
  for (const program of compiles ? compiler : []) await addProgram(made, finalPath, program);
  const searched = compiles ? await copyHeaders(await ask('-xc', '-E', '-v', '/dev/null'), join(made, 'include')) : [];
  for (const name of FILES) {
    const found = (await ask(`-print-file-name=${name}`)).trim();
    if (isAbsolute(found)) await copyFile(found, join(made, 'lib', name));
  }
  const loader = await loaderOf(gcc);
  const lib = join(finalPath, 'lib');
  await copyFile(loader, join(made, 'lib', basename(loader)));
  const group = (...names: string[]): string => `GROUP ( ${names.map((name) => join(lib, name)).join(' ')} )\n`;
  await writeFile(join(made, 'lib/libc.so'), group('libc.so.6', 'libc_nonshared.a', basename(loader)));
  await writeFile(join(made, 'lib/libm.so'), group('libm.so.6'));
  await writeFile(join(made, 'lib/libgcc_s.so'), group('libgcc_s.so.1', 'libgcc.a'));
  const headers = searched.map((name) => ` -isystem "${join(finalPath, 'include', name)}"`).join('');
  const gccHere = `"${lib}/gcc" -B"${lib}/" -L"${lib}" -fno-use-linker-plugin${compiles ? ` -nostdinc${headers}` : ''}`;
  await ownOrCopied(made, 'cc', gccHere);
  if (compiles) await ownOrCopied(made, 'ar', `"${lib}/ar"`);
}

interface Program {
  readonly name: string;
  readonly path: string;
}

/** A program that gcc starts. Rejects if there is none. */
async function programOf(name: string): Promise<Program> {
  const found = (await ask(`-print-prog-name=${name}`)).trim();
  return { name, path: await realpath(isAbsolute(found) ? found : join('/usr/bin', found)) };
}

async function addProgram(made: string, finalPath: string, { name, path }: Program): Promise<void> {
  await copyFile(path, join(made, 'lib', `${name}.real`));
  await writeScript(
    join(made, 'lib', name),
    `LD_LIBRARY_PATH="${finalPath}/shared" exec "${finalPath}/lib/${name}.real" "$@"`,
  );
  for (const library of await sharedLibraries([path]))
    if (!/\/(?:libc\.so|ld-linux|libm\.so)/.test(library))
      await copyFile(library, join(made, 'shared', basename(library)));
}

/** An image with a compiler of its own has the matching libraries. */
async function ownOrCopied(made: string, name: string, copied: string): Promise<void> {
  await writeScript(
    join(made, 'bin', name),
    `[ -x /usr/bin/${name} ] && exec /usr/bin/${name} "$@"\nexec ${copied} "$@"`,
  );
}

/** The dynamic loader that belongs to the C library. */
async function loaderOf(program: string): Promise<string> {
  const bytes = await readFile(program);
  const name = /\/lib[\w./-]*\/ld-linux[\w.-]*\.so\.\d/.exec(bytes.subarray(0, 65_536).toString('latin1'))?.[0];
  if (name === undefined) throw new Error(`${program} names no dynamic loader`);
  return name;
}

async function ask(...question: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(GCC, [...question], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  return stdout + stderr;
}
