import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { firstText } from '../../lib/text/first-last.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { findGoRoot } from '../toolchains/go/go-root.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';
import { registryRule, registryUnusable } from './registry-rule.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;
/** The proxy for modules, and the database that confirms modules unknown to go.sum. No other setting of the user is used. */
const settingsSchema = z.object({
  GOPROXY: z.string(),
  GOSUMDB: z.string(),
  GONOSUMDB: z.string(),
  GONOPROXY: z.string(),
});
type Settings = z.infer<typeof settingsSchema>;

export const go: HostPackageManager = {
  name: 'go',

  find: async (env) => {
    const root = await goRootOf(env);
    return root === null ? null : [root];
  },

  settings: async (env) => {
    const root = await goRootOf(env);
    if (root === null) throw registryUnusable('go', 'this machine has no Go');
    const program = join(root, 'bin/go');
    const { GOPROXY, ...others } = await askGo(root, env);
    const { list, urls } = proxiesOf(GOPROXY);
    const [registry] = urls;
    if (registry === undefined)
      throw registryUnusable(
        'go',
        `GOPROXY names no module proxy (${GOPROXY.slice(0, 200)}), and modules are not taken from their repositories here`,
      );
    const settings = Object.entries({ GOPROXY: list, ...others }).map(([name, value]) => `${name}=${value}`);
    const database = databaseOf(others);
    return {
      grant: { program, registry, settings },
      hosts: [...urls, ...(database === null ? [] : [database])].map((url) => registryRule('go', url)),
      certificates: [],
    };
  },
};

/** The proxies before `direct` and `off`, with their separators: after a comma Go continues if a module is not found, after `|` always. */
function proxiesOf(setting: string): { readonly list: string; readonly urls: readonly string[] } {
  let list = '';
  const urls: string[] = [];
  for (const [, url = '', separator = ''] of setting.matchAll(/([^,|]+)([,|]?)/g)) {
    const entry = url.trim();
    if (entry === 'direct' || entry === 'off') break;
    if (entry === '') continue;
    urls.push(entry);
    list += `${entry}${separator}`;
  }
  return { list: list.replace(/[,|]$/, ''), urls };
}

/** Parses `name`, `name+key` or `name+key address`; null if the user has switched it off. */
function databaseOf({ GOSUMDB }: Pick<Settings, 'GOSUMDB'>): string | null {
  const [named = '', address] = GOSUMDB.trim().split(/\s+/);
  if (named === 'off' || named === '') return null;
  return address ?? `https://${firstText(named.split('+'))}`;
}

function goRootOf(env: Environment): Promise<string | null> {
  return findGoRoot(env['PATH'] ?? '', () => true);
}

/** Runs in the root directory, with the installed Go: a go.mod or go.work could choose another, or have one downloaded. */
async function askGo(root: string, env: Environment): Promise<Settings> {
  const asked = await run(join(root, 'bin/go'), ['env', '-json', ...Object.keys(settingsSchema.shape)], {
    cwd: '/',
    env: { ...env, GOROOT: root, GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '' },
    timeout: ASK_DEADLINE_MS,
  }).catch((error: unknown) => {
    throw registryUnusable('go', `go env failed: ${messageOf(error)}`);
  });
  try {
    return settingsSchema.parse(JSON.parse(asked.stdout));
  } catch (error) {
    throw registryUnusable('go', 'go env gave no settings that can be read', error);
  }
}
