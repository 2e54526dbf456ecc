import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmProgram } from './npm-program.ts';

/** The versions of pnpm that the tests know: one for each form of lockfile and of settings. */
export const PNPM_VERSIONS = ['8.15.9', '9.15.9', '10.34.9', '11.28.11'] as const;

/** A directory for PATH in which `pnpm` is that version; null: this machine cannot have it. */
export function pnpmOnPath(version: (typeof PNPM_VERSIONS)[number], home: string): string | null {
  const [major = ''] = version.split('.');
  const program = npmProgram({ name: 'pnpm', version, path: Number(major) < 11 ? 'bin/pnpm.cjs' : 'bin/pnpm.mjs' });
  if (program === null) return null;
  const directory = join(home, `path-${version}`);
  mkdirSync(directory, { recursive: true });
  symlinkSync(program, join(directory, 'pnpm'));
  return `${directory}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
}
