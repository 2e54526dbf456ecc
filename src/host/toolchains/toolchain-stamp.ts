import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeVersionDirectories } from './node/version-managers.ts';
import type { ToolchainOptions } from './toolchain.ts';
import {
  NODE_FILES,
  PYTHON_FILES,
  pythonManagers,
  RUST_FILES,
  rustToolchainDirectory,
  virtualenvPlaces,
} from './version-places.ts';

/** Changes with every added package, which is no reason to search for toolchains again. */
const MANIFEST = 'package.json';

/**
 * Changes if the toolchains of a project may have changed: its root requests another version, a virtual environment was made or activated, or a
 * version was installed. A few calls of `lstat`; no file is read.
 */
export async function toolchainStamp({
  projectRoot,
  env,
}: Pick<ToolchainOptions, 'projectRoot' | 'env'>): Promise<string> {
  const files = new Set<string>([...NODE_FILES, ...PYTHON_FILES, ...RUST_FILES]);
  files.delete(MANIFEST);
  const paths = [
    ...[...files].map((name) => join(projectRoot, name)),
    ...virtualenvPlaces(projectRoot, env).map(({ settings }) => settings),
    ...nodeVersionDirectories(env),
    ...pythonManagers(env).map(({ versions }) => versions),
    rustToolchainDirectory(env),
  ];
  const states = await Promise.all(paths.map(stateOf));
  return createHash('sha256')
    .update(JSON.stringify(paths.map((path, index) => [path, states[index]])))
    .digest('hex');
}

async function stateOf(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  return found === null ? null : `${found.ino} ${found.size} ${found.mtimeMs}`;
}
