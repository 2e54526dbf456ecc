import { isAbsolute, join } from 'node:path';
import { homeOf } from '../../../contracts/host-layout.ts';
import type { ToolchainOptions } from '../toolchain.ts';

interface Manager {
  readonly name: string;
  /** Directories that have one directory for each version. */
  readonly versions: readonly string[];
  /** Where the program is in such a directory. */
  readonly program: string;
  /** The command that installs the newest of a major version. */
  readonly install: (major: number) => string;
}

/** Directory of nvm. */
export function nvmHome(env: ToolchainOptions['env']): string {
  const config = env['XDG_CONFIG_HOME'];
  return env['NVM_DIR'] ?? (config === undefined ? join(homeOf(env), '.nvm') : join(config, 'nvm'));
}

/** The version managers of Node that are known, the usual one first. */
export function nodeManagers(env: ToolchainOptions['env']): readonly Manager[] {
  const home = homeOf(env);
  const data = env['XDG_DATA_HOME'] ?? join(home, '.local/share');
  const program = 'bin/node';
  const at = (named: string | undefined, usual: string, below: string): string => join(named ?? usual, below);
  return [
    {
      name: 'nvm',
      versions: [join(nvmHome(env), 'versions/node'), join(home, '.nvm/versions/node')],
      program,
      install: (major) => `nvm install ${major}`,
    },
    {
      name: 'fnm',
      versions: [at(env['FNM_DIR'], join(data, 'fnm'), 'node-versions'), join(home, '.fnm/node-versions')],
      program: 'installation/bin/node',
      install: (major) => `fnm install ${major}`,
    },
    {
      name: 'volta',
      versions: [at(env['VOLTA_HOME'], join(home, '.volta'), 'tools/image/node')],
      program,
      install: (major) => `volta fetch node@${major}`,
    },
    {
      name: 'asdf',
      versions: [at(env['ASDF_DATA_DIR'], join(home, '.asdf'), 'installs/nodejs')],
      program,
      install: (major) => `asdf install nodejs latest:${major}`,
    },
    {
      name: 'mise',
      versions: [at(env['MISE_DATA_DIR'], join(data, 'mise'), 'installs/node')],
      program,
      install: (major) => `mise install node@${major}`,
    },
    {
      name: 'nodenv',
      versions: [at(env['NODENV_ROOT'], join(home, '.nodenv'), 'versions')],
      program,
      install: (major) => `nodenv install ${major}`,
    },
    {
      name: 'n',
      versions: [at(env['N_PREFIX'], '/usr/local', 'n/versions/node')],
      program,
      install: (major) => `n download ${major}`,
    },
  ];
}

/** Directories in which version managers have one directory for each Node. */
export function nodeVersionDirectories(env: ToolchainOptions['env']): readonly string[] {
  return nodeManagers(env)
    .flatMap(({ versions }) => versions)
    .filter((path) => isAbsolute(path));
}
