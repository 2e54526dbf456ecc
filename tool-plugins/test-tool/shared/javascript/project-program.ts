import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInstalled } from './installed-package.ts';

/** Packages of npm that have a program for Linux, and where it is in them. */
const PACKAGES = {
  bun: { scope: '@oven', name: /^bun-linux-(?:x64|aarch64)(?:-baseline)?$/, path: 'bin/bun' },
  deno: { scope: '@deno', name: /^linux-(?:x64|arm64)-glibc$/, path: 'deno' },
} as const;

/** A runtime that the project has as an installed package, else the one in PATH. The package's own script is not asked: it may never have run. */
export function projectProgram(runtime: keyof typeof PACKAGES, directory: string): string {
  for (const path of [...installed(runtime, directory), runtime])
    if (spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0) return path;
  throw new Error(`${runtime} is not installed: it is neither in node_modules nor in the PATH of this machine`);
}

function installed(runtime: keyof typeof PACKAGES, directory: string): readonly string[] {
  const { scope, name, path } = PACKAGES[runtime];
  const base = join(directory, 'node_modules', scope);
  const found = namesIn(base)
    .filter((each) => name.test(each))
    .sort()
    .map((each) => join(base, each, path))
    .filter((each) => existsSync(each) && isInstalled(each));
  return [...found, ...(dirname(directory) === directory ? [] : installed(runtime, dirname(directory)))];
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
