import { isAbsolute, join } from 'node:path';
import { homeOf } from '../../contracts/host-layout.ts';
import { VIRTUAL_ENVIRONMENTS } from '../../contracts/sandbox/virtual-environments.ts';
import { isBelow } from './paths.ts';
import type { ToolchainOptions } from './toolchain.ts';

/**
 * Files that pick a version of a toolchain, and directories that versions are in: names alone, without what reads them. Every start of the command line looks
 * at these places, so this loads nothing that is large.
 */

/** Files that can ask for a Node. */
export const NODE_FILES = [
  '.nvmrc',
  '.node-version',
  '.tool-versions',
  'mise.toml',
  '.mise.toml',
  'package.json',
] as const;

/** Files that can pick a Python. */
export const PYTHON_FILES = ['.python-version', '.tool-versions', 'mise.toml', '.mise.toml'] as const;

/** Files of a project that pick its Rust, what counts most first. */
export const RUST_FILES = ['rust-toolchain.toml', 'rust-toolchain'] as const;

/** Where the virtual environments that tests may use are: at the root of the project, or the active one outside of it. They need not be there. */
export function virtualenvPlaces(
  projectRoot: string,
  env: ToolchainOptions['env'],
): readonly { readonly name: string; readonly settings: string }[] {
  const active = env['VIRTUAL_ENV'] ?? '';
  const own = VIRTUAL_ENVIRONMENTS.map((name) => ({ name, settings: join(projectRoot, name, 'pyvenv.cfg') }));
  const isOutside = isAbsolute(active) && !isBelow(active, projectRoot);
  return isOutside ? [...own, { name: active, settings: join(active, 'pyvenv.cfg') }] : own;
}

/** Directories in which version managers have one directory for each Python. */
export function pythonVersionDirectories(env: ToolchainOptions['env']): readonly string[] {
  const home = homeOf(env);
  const shared = join(home, '.local/share');
  return [
    join(env['PYENV_ROOT'] ?? join(home, '.pyenv'), 'versions'),
    join(shared, 'uv/python'),
    join(shared, 'mise/installs/python'),
    join(home, '.asdf/installs/python'),
  ];
}

/** Where cargo has its settings, its programs and what it has downloaded. */
export function cargoHome(env: ToolchainOptions['env']): string {
  return env['CARGO_HOME'] ?? join(homeOf(env), '.cargo');
}

/** Where rustup puts what it installs. */
export function rustToolchainDirectory(env: ToolchainOptions['env']): string {
  return join(env['RUSTUP_HOME'] ?? join(homeOf(env), '.rustup'), 'toolchains');
}
