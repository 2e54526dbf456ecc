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

/** Files that select a Python. */
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

/** The version managers of Python that are known, each with the directory in which it has one directory for each version. */
export function pythonManagers(
  env: ToolchainOptions['env'],
): readonly { readonly name: string; readonly versions: string }[] {
  const home = homeOf(env);
  const shared = env['XDG_DATA_HOME'] ?? join(home, '.local/share');
  const managers = [
    { name: 'pyenv', versions: join(env['PYENV_ROOT'] ?? join(home, '.pyenv'), 'versions') },
    { name: 'uv', versions: env['UV_PYTHON_INSTALL_DIR'] ?? join(shared, 'uv/python') },
    { name: 'mise', versions: join(env['MISE_DATA_DIR'] ?? join(shared, 'mise'), 'installs/python') },
    { name: 'asdf', versions: join(env['ASDF_DATA_DIR'] ?? join(home, '.asdf'), 'installs/python') },
  ];
  return managers.filter(({ versions }) => isAbsolute(versions));
}

/** Where cargo has its settings, its programs and what it has downloaded. */
export function cargoHome(env: ToolchainOptions['env']): string {
  return env['CARGO_HOME'] ?? join(homeOf(env), '.cargo');
}

/** Where rustup puts what it installs. */
export function rustToolchainDirectory(env: ToolchainOptions['env']): string {
  return join(env['RUSTUP_HOME'] ?? join(homeOf(env), '.rustup'), 'toolchains');
}
