import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';

const DOWNLOAD_DEADLINE_MS = 240_000;

/** A package of npm that holds a program for Linux, at a version that the tests know. */
export interface NpmProgram {
  readonly name: string;
  readonly version: string;
  /** The program, below the package. */
  readonly path: string;
}

/**
 * The program, downloaded once into a directory outside of the repository, from the registry of npm's own configuration. null: this machine cannot have it,
 * and then its tests are skipped.
 */
export function npmProgram({ name, version, path }: NpmProgram): string | null {
  const base = join(userDirs(process.env).stateHome, 'test-programs');
  const directory = join(base, `${name.replaceAll('/', '+')}@${version}`);
  const program = join(directory, 'node_modules', name, path);
  if (existsSync(program)) return program;
  mkdirSync(base, { recursive: true });
  const scratch = mkdtempSync(join(base, 'making-'));
  try {
    const options = [
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefer-offline',
      '--prefix',
      scratch,
    ];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], {
      cwd: scratch,
      stdio: 'ignore',
      timeout: DOWNLOAD_DEADLINE_MS,
    });
    renameSync(scratch, directory);
  } catch {
    // Another process may have been faster.
    rmSync(scratch, { recursive: true, force: true });
  }
  return existsSync(program) ? program : null;
}
