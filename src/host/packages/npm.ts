import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf } from '../../lib/text/message-of.ts';
import { findProgram, programDirectories } from '../programs/find-program.ts';
import { readCertificates } from '../secrets/extra-ca.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';
import { registryRule, registryUnusable } from './registry-rule.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;

/** The user's settings that decide the format of manifest and lockfile, and those that name a registry. */
const PASSED_ON =
  /^(?:registry|@[^:=\s]+:registry|omit-lockfile-registry-resolved|lockfile-version|save-exact|save-prefix|legacy-peer-deps)$/;

const settingsSchema = z.looseObject({ registry: z.string(), cafile: z.string().nullish() });

export const npm: HostPackageManager = {
  name: 'npm',

  find: async (env) => {
    const home = await npmHome(env);
    return home === null ? null : [home];
  },

  settings: async (env) => {
    const home = await npmHome(env);
    if (home === null) throw registryUnusable('npm', 'npm is not installed on this machine with its own modules');
    const program = join(home, 'bin/npm-cli.js');
    const values = await askNpm(program, env);
    const settings = Object.entries(values).filter(([name]) => PASSED_ON.test(name));
    const registries = settings.filter(([name]) => name.endsWith('registry')).map(([, value]) => String(value));
    return {
      grant: {
        program,
        registry: values.registry,
        settings: settings.flatMap(([name, value]) => {
          const text = value === null ? '' : String(value);
          return text.includes('\n') || text === '' ? [] : [`${name}=${text}`];
        }),
      },
      hosts: registries.map((url) => registryRule('npm', url)),
      certificates: await certificatesOf(values.cafile),
    };
  },
};

async function certificatesOf(path: string | null | undefined): Promise<readonly string[]> {
  return path ? await readCertificates(path, "the setting cafile of npm's configuration") : [];
}

/** The directory of npm's own package; null if some of its modules are elsewhere, as in some distributions. */
async function npmHome(env: Environment): Promise<string | null> {
  const found = findProgram('npm', programDirectories(env['PATH'] ?? '', '/'));
  const real = found === undefined ? null : await realpath(found).catch(() => null);
  if (real === null) return null;
  const home = dirname(dirname(real));
  const isWhole = await stat(join(home, 'node_modules')).then(
    (modules) => modules.isDirectory(),
    () => false,
  );
  return isWhole && real === join(home, 'bin/npm-cli.js') ? home : null;
}

/** Runs in the root directory, because npm reads a project's configuration from its working directory. */
async function askNpm(program: string, env: Environment): Promise<z.infer<typeof settingsSchema>> {
  const asked = await run(process.execPath, [program, 'config', 'list', '--long', '--json'], {
    cwd: '/',
    env: { ...env },
    timeout: ASK_DEADLINE_MS,
    maxBuffer: 4 * 1024 * 1024,
  }).catch((error: unknown) => {
    throw registryUnusable('npm', `npm config list failed: ${messageOf(error)}`);
  });
  try {
    return settingsSchema.parse(JSON.parse(asked.stdout));
  } catch (error) {
    throw registryUnusable('npm', 'npm config list gave no registry', error);
  }
}
