import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalName } from '../../../src/lib/packages/requirements.ts';

/** Starts the Python beside the script, wherever the environment is: first read by the shell, then as a text by Python. */
const BESIDE = `#!/bin/sh\n'''exec' "$(dirname -- "$(realpath -- "$0")")/python3" "$0" "$@"\n' '''\n`;

/** Scripts of installed packages name the Python of the place where they were installed, which is another one later. */
export async function relocateScripts(bin: string, python: string): Promise<void> {
  for (const entry of await readdir(bin, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(bin, entry.name);
    const text = await readFile(path, 'latin1');
    const own = [`#!${python}\n`, `#!/bin/sh\n'''exec' ${python} "$0" "$@"\n' '''\n`].find((start) =>
      text.startsWith(start),
    );
    if (own !== undefined) await writeFile(path, BESIDE + text.slice(own.length), 'latin1');
  }
}

/**
 * A `.pth` file, `sitecustomize` and `usercustomize` of a package run code whenever Python starts: that is its install script. Those of packages that the user
 * has not named are removed.
 */
export async function skipStartFiles(
  packages: string,
  allowed: readonly string[],
): Promise<{ readonly kept: readonly string[]; readonly skipped: readonly string[] }> {
  const names = await readdir(packages);
  const owners = await ownersOf(packages, names);
  const kept = new Set<string>();
  const skipped = new Set<string>();
  for (const name of names.filter((each) => /\.pth$|^(?:site|user)customize(?:\.|$)/.test(each))) {
    const owner = owners.get(name) ?? name;
    if (allowed.includes(owner)) kept.add(owner);
    else {
      skipped.add(owner);
      await rm(join(packages, name), { recursive: true });
    }
  }
  return { kept: [...kept], skipped: [...skipped] };
}

/** By the records that pip leaves: which package each file at the top came with. */
async function ownersOf(packages: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const info of names.filter((each) => each.endsWith('.dist-info'))) {
    const owner = normalName(info.split('-', 1)[0] ?? '');
    const files = await readFile(join(packages, info, 'RECORD'), 'utf8').catch(() => '');
    for (const line of files.split('\n')) owners.set(line.split(/[,/]/, 1)[0] ?? '', owner);
  }
  return owners;
}
