import { execFile } from 'node:child_process';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { rcompare } from 'semver';
import { isElf } from '../copied-program.ts';
import { exists, isBelow } from '../paths.ts';
import type { ToolchainOptions } from '../toolchain.ts';
import { nodeManagers } from './version-managers.ts';

/** A Node of this machine. */
export interface InstalledNode {
  /** `20.18.1` */
  readonly version: string;
  /** Where it comes from, for people: `nvm`, or the directory of the program. */
  readonly from: string;
  /** Real absolute path of the program. */
  readonly program: string;
}

type Place = Pick<ToolchainOptions, 'projectRoot' | 'env'>;

const run = promisify(execFile);
const ASK_DEADLINE_MS = 10_000;
const VERSION = /^v?(\d{1,4}\.\d{1,4}\.\d{1,4})$/;
const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin'];

/** Nodes that the user's version managers have installed, newest first. Never one in the project or of another user. */
export async function managedNodes(place: Place): Promise<readonly InstalledNode[]> {
  const found = new Map<string, InstalledNode>();
  for (const { name, versions, program } of nodeManagers(place.env)) {
    for (const directory of new Set(versions.filter((each) => isAbsolute(each)))) {
      for (const entry of await readdir(directory).catch(() => [])) {
        const version = VERSION.exec(entry)?.[1];
        if (version === undefined) continue;
        const real = await usable(join(directory, entry, program), place);
        if (real !== null && !found.has(real)) found.set(real, { version, from: name, program: real });
      }
    }
  }
  return [...found.values()].sort((a, b) => rcompare(a.version, b.version));
}

/** How this user can install a Node: with the version manager that already has some, or with nvm. */
export async function installCommand(env: ToolchainOptions['env'], major: number): Promise<string> {
  const all = nodeManagers(env);
  for (const { versions, install } of all)
    for (const directory of versions) if (await exists(directory)) return install(major);
  return all[0]?.install(major) ?? '';
}

/** Nodes in PATH and in the distribution's directory, with the version that each prints. They are started outside of the project. */
export async function systemNodes(place: Place, known: readonly InstalledNode[]): Promise<readonly InstalledNode[]> {
  const found = new Map<string, InstalledNode>();
  for (const directory of [...(place.env['PATH'] ?? '').split(delimiter), ...SYSTEM_PATH]) {
    const real = isAbsolute(directory) ? await usable(join(directory, 'node'), place) : null;
    if (real === null || found.has(real) || known.some(({ program }) => program === real)) continue;
    const asked = await run(real, ['--version'], { cwd: '/', env: {}, timeout: ASK_DEADLINE_MS }).catch(() => null);
    const version = VERSION.exec(asked?.stdout.trim() ?? '')?.[1];
    if (version !== undefined) found.set(real, { version, from: dirname(real), program: real });
  }
  return [...found.values()].sort((a, b) => rcompare(a.version, b.version));
}

/** A program of this user or of root that no one else can write, outside of the project. The shim of a version manager does not count. */
async function usable(path: string, { projectRoot }: Place): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null || basename(real) !== 'node' || isBelow(real, projectRoot)) return null;
  const { uid, mode } = await stat(real);
  const isOwn = uid === 0 || uid === process.getuid?.();
  return isOwn && (mode & 0o002) === 0 && (await isElf(real)) ? real : null;
}
