import { join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { homeOf } from '../../contracts/host-layout.ts';
import { readRegularFile } from '../../lib/files/read-regular-file.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';
import { pip, pipSettings } from './pip.ts';
import type { PythonIndexes } from './pip.ts';
import { registryUnusable } from './registry-rule.ts';

/** pip installs the packages that pyproject.toml, and a lockfile beside it, name; its own configuration names the indexes. */
export const pyproject: HostPackageManager = { ...pip, name: 'pyproject' };
export const pdm: HostPackageManager = { ...pip, name: 'pdm' };
export const pylock: HostPackageManager = { ...pip, name: 'pylock' };

/** Packages of uv.lock come from the indexes of uv's own configuration, or from pip's if uv names none. */
export const uv: HostPackageManager = {
  name: 'uv',
  find: (env) => pip.find(env),
  settings: async (env) => pipSettings(env, await uvIndexes(env)),
};

const MAX_SETTINGS_BYTES = 1024 * 1024;

const uvSchema = z.looseObject({
  'index-url': z.string().optional(),
  'extra-index-url': z.array(z.string()).default([]),
  index: z.array(z.looseObject({ url: z.string(), default: z.boolean().default(false) })).default([]),
});

/** Variables take precedence over the user's own uv.toml. A uv.toml of the project is ignored. */
async function uvIndexes(env: Environment): Promise<PythonIndexes | null> {
  const file = await readUserFile(env);
  const standard = file.index.find((each) => each.default)?.url ?? file['index-url'] ?? null;
  const others = [...file.index.filter((each) => !each.default).map(({ url }) => url), ...file['extra-index-url']];
  const index = env['UV_DEFAULT_INDEX'] ?? env['UV_INDEX_URL'] ?? standard;
  const named = env['UV_INDEX'] ?? env['UV_EXTRA_INDEX_URL'];
  const more = named === undefined ? others : named.split(/\s+/).filter((each) => each !== '');
  // `name=address` is an index with a name.
  const urls = more.map((each) => each.replace(/^[\w-]+=(?=https?:)/, ''));
  return index === null && urls.length === 0
    ? null
    : { index: index?.replace(/^[\w-]+=(?=https?:)/, '') ?? null, more: urls };
}

async function readUserFile(env: Environment): Promise<z.infer<typeof uvSchema>> {
  const path = join(env['XDG_CONFIG_HOME'] ?? join(homeOf(env), '.config'), 'uv/uv.toml');
  const read = await readRegularFile(path, { maxBytes: MAX_SETTINGS_BYTES, links: 'followed' });
  if (read.kind === 'missing') return uvSchema.parse({});
  if (read.kind === 'refused') throw registryUnusable('uv', `${path} cannot be read: ${read.why}`);
  try {
    return uvSchema.parse(parse(read.bytes.toString('utf8')));
  } catch (error) {
    throw registryUnusable('uv', `${path} cannot be read`, error);
  }
}
