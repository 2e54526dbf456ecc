import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmProgram } from './npm-program.ts';

/** The versions of pnpm that the tests know: one for each form of lockfile and of settings. */
export const PNPM_VERSIONS = ['8.15.9', '9.15.9', '10.34.9', '11.28.11'] as const;

const YARN_VERSION = '1.22.22';

/** A directory for PATH in which `pnpm` is that version; null: this machine cannot have it. */
export function pnpmOnPath(version: (typeof PNPM_VERSIONS)[number], home: string): string | null {
  const [major = ''] = version.split('.');
  return onPath('pnpm', version, Number(major) < 11 ? 'bin/pnpm.cjs' : 'bin/pnpm.mjs', home);
}

/** The same for the last Yarn 1. */
export function yarnOnPath(home: string): string | null {
  return onPath('yarn', YARN_VERSION, 'bin/yarn.js', home);
}

function onPath(name: string, version: string, path: string, home: string): string | null {
  const program = npmProgram({ name, version, path });
  if (program === null) return null;
  const directory = join(home, `path-${name}-${version}`);
  mkdirSync(directory, { recursive: true });
  symlinkSync(program, join(directory, name));
  return `${directory}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
}
