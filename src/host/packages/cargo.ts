import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf } from '../../lib/text/message-of.ts';
import { findProgram, programDirectories } from '../programs/find-program.ts';
import { readCertificates } from '../secrets/extra-ca.ts';
import { cargoHome } from '../toolchains/version-places.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';
import { registryRule, registryUnusable } from './registry-rule.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;
/** crates.io as cargo itself knows it: the index, and the host of the archives. */
const INDEX = 'sparse+https://index.crates.io/';
const ARCHIVES = 'https://static.crates.io/';
const MAX_REPLACEMENTS = 5;

const settingsSchema = z.looseObject({
  source: z
    .record(z.string(), z.looseObject({ registry: z.string().optional(), 'replace-with': z.string().optional() }))
    .default({}),
  registries: z.record(z.string(), z.looseObject({ index: z.string().optional() })).default({}),
  http: z.looseObject({ cainfo: z.string().optional() }).default({}),
});
type Settings = z.infer<typeof settingsSchema>;

export const cargo: HostPackageManager = {
  name: 'cargo',

  find: async (env) => {
    const home = await sysroot(env);
    return home === null ? null : [home];
  },

  settings: async (env) => {
    const home = await sysroot(env);
    if (home === null)
      throw registryUnusable('cargo', 'this machine has no Rust with a directory of its own, as rustup makes it');
    const program = join(home, 'bin/cargo');
    const settings = await askCargo(program, env);
    const index = indexOf(settings);
    if (!index.startsWith('sparse+'))
      throw registryUnusable('cargo', `the index ${index.slice(0, 200)} is not a sparse one, which is read over http`);
    const url = index.slice('sparse+'.length);
    const { cainfo } = settings.http;
    return {
      grant: { program, registry: url, settings: [] },
      hosts: [url, ...(index === INDEX ? [ARCHIVES] : [])].map((each) => registryRule('cargo', each)),
      certificates:
        cainfo === undefined ? [] : await readCertificates(cainfo, "the setting http.cainfo of cargo's configuration"),
    };
  },
};

/** The index that replaces crates.io, after all replacement steps of the user's configuration. */
function indexOf({ source, registries }: Settings): string {
  let name = 'crates-io';
  for (let step = 0; step < MAX_REPLACEMENTS; step += 1) {
    const next = source[name]?.['replace-with'];
    if (next === undefined) break;
    name = next;
  }
  const own = source[name]?.registry ?? registries[name]?.index;
  if (own !== undefined) return own;
  if (name !== 'crates-io')
    throw registryUnusable('cargo', `crates.io is replaced by ${name}, which is not a registry (a directory, or git)`);
  return INDEX;
}

/** The directory of the default toolchain; null if there is none, or if it is the whole system. */
async function sysroot(env: Environment): Promise<string | null> {
  const home = cargoHome(env);
  const directories = [...programDirectories(env['PATH'] ?? '', '/'), join(home, 'bin')];
  const rustc = findProgram('rustc', directories);
  if (rustc === undefined) return null;
  const asked = await run(rustc, ['--print', 'sysroot'], {
    cwd: '/',
    env: { ...env, RUSTUP_AUTO_INSTALL: '0' },
    timeout: ASK_DEADLINE_MS,
  }).catch(() => null);
  const real = asked === null ? null : await realpath(asked.stdout.trim()).catch(() => null);
  if (real === null || ['/', '/usr', '/usr/local'].includes(real)) return null;
  return (await stat(join(real, 'bin/cargo')).catch(() => null)) === null ? null : real;
}

/** Runs in the root directory, because cargo searches its configuration upwards from its working directory. `config get` is not stable yet. */
async function askCargo(program: string, env: Environment): Promise<Settings> {
  const asked = await run(program, ['-Zunstable-options', 'config', 'get', '--format=json'], {
    cwd: '/',
    env: { ...env, RUSTC_BOOTSTRAP: '1' },
    timeout: ASK_DEADLINE_MS,
  }).catch((error: unknown) => {
    throw registryUnusable('cargo', `cargo config get failed: ${messageOf(error)}`);
  });
  try {
    return settingsSchema.parse(JSON.parse(asked.stdout));
  } catch (error) {
    throw registryUnusable('cargo', 'cargo config get gave no settings that can be read', error);
  }
}
