import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';
import { findProgram, programDirectories } from '../programs/find-program.ts';
import { npm } from './npm.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';

const packageSchema = z.looseObject({ name: z.literal('pnpm'), version: z.string() });

/**
 * pnpm has the registries of npm's configuration. Its program is this host's own where it has the version that the project names; the sandbox fetches
 * any other from the user's registry.
 */
export const pnpm: HostPackageManager = {
  name: 'pnpm',

  find: async (env) => {
    const own = await ownProgram(env);
    return own === null ? [] : [own.path];
  },

  settings: async (env) => {
    const { grant, hosts, certificates } = await npm.settings(env);
    const own = await ownProgram(env);
    return { grant: { ...grant, program: null, programs: own === null ? [] : [own] }, hosts, certificates };
  },
};

/** The package that holds the pnpm on PATH. A shim of corepack and a native program are none. */
async function ownProgram(env: Environment): Promise<{ readonly version: string; readonly path: string } | null> {
  const found = findProgram('pnpm', programDirectories(env['PATH'] ?? '', '/'));
  const real = found === undefined ? null : await realpath(found).catch(() => null);
  if (real === null) return null;
  const path = dirname(dirname(real));
  const text = await readFile(join(path, 'package.json'), 'utf8').catch(() => '');
  const parsed = packageSchema.safeParse(parseJson(text));
  return parsed.success && real.startsWith(join(path, 'bin/')) ? { version: parsed.data.version, path } : null;
}
