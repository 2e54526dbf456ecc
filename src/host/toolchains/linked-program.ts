import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sharedLibraries } from '../images/rootfs/shared-libraries.ts';

/** A directory while it is filled, and its final path. */
export interface Kit {
  readonly made: string;
  readonly final: string;
}

/**
 * Copies a program as `bin/NAME` with the libraries that it and `native` (loaded at run time) are linked with: it then runs in any image. It uses
 * that path as its own.
 */
export async function copyLinked(
  { made, final }: Kit,
  name: string,
  program: string,
  native: readonly string[],
): Promise<void> {
  for (const directory of ['bin', 'lib']) await mkdir(join(made, directory), { recursive: true });
  await copyFile(program, join(made, 'lib', name));
  const libraries = await sharedLibraries([program, ...native]);
  const loader = libraries.find((path) => /^ld-/.test(basename(path)));
  if (loader === undefined) throw new Error(`${program} names no dynamic loader`);
  for (const path of libraries) await copyFile(path, join(made, 'lib', basename(path)));
  const lib = join(final, 'lib');
  await writeScript(
    join(made, 'bin', name),
    `exec "${lib}/${basename(loader)}" --argv0 "${final}/bin/${name}" --library-path "${lib}" "${lib}/${name}" "$@"`,
  );
}

/** A script for /bin/sh. */
export async function writeScript(path: string, body: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}
