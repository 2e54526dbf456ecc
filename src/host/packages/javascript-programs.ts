import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';
import { findProgram, programDirectories } from '../programs/find-program.ts';
import { npm } from './npm.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';

const packageSchema = z.looseObject({ name: z.string(), version: z.string() });

export const pnpm = registryOfNpm('pnpm');
export const yarn = registryOfNpm('yarn');

/**
 * A manager that uses the registries of npm's configuration. Its program is this host's own if it has the version that the project names; the sandbox
 * fetches any other from the user's registry.
 */
function registryOfNpm(name: 'pnpm' | 'yarn'): HostPackageManager {
  return {
    name,
    find: async (env) => {
      const own = await ownProgram(name, env);
      return own === null ? [] : [own.path];
    },
    settings: async (env) => {
      const { grant, hosts, certificates } = await npm.settings(env);
      const own = await ownProgram(name, env);
      return { grant: { ...grant, program: null, programs: own === null ? [] : [own] }, hosts, certificates };
    },
  };
}

/** The package that contains the program of this name on PATH. A corepack shim and a native program do not count. */
async function ownProgram(
  name: string,
  env: Environment,
): Promise<{ readonly version: string; readonly path: string } | null> {
  const found = findProgram(name, programDirectories(env['PATH'] ?? '', '/'));
  const real = found === undefined ? null : await realpath(found).catch(() => null);
  if (real === null) return null;
  const path = dirname(dirname(real));
  const text = await readFile(join(path, 'package.json'), 'utf8').catch(() => '');
  const parsed = packageSchema.safeParse(parseJson(text));
  return parsed.success && parsed.data.name === name && real.startsWith(join(path, 'bin/'))
    ? { version: parsed.data.version, path }
    : null;
}
