import { lstat } from 'node:fs/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { booleanSetting, lastSetting, parseGitConfig } from '../../lib/git/git-config.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import type { GitSetting } from '../../lib/git/git-config.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { readWholeFile } from './read-file.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;

/** Extensions of format version 1 that make no difference to a reader of objects, refs and the index. */
const HARMLESS_EXTENSIONS: ReadonlySet<string> = new Set([
  'noop',
  'preciousobjects',
  'partialclone',
  'relativeworktrees',
  'worktreeconfig',
]);

export interface RepositorySettings {
  readonly settings: readonly GitSetting[];
  /** `core.fileMode`: whether the executable bit of a file is meaningful. */
  readonly fileMode: boolean;
  /** `core.logAllRefUpdates`: whether a missing reflog is created. */
  readonly createReflogs: boolean;
}

/** The repository's own configuration. Includes are not followed: a repository is not trusted to name other files. */
export async function readRepositorySettings(git: GitDirectories): Promise<RepositorySettings> {
  const path = gitFile(git, 'config');
  const file = await readWholeFile(path, MAX_CONFIG_BYTES);
  const parsed = parseGitConfig(file === null ? '' : file.toString('utf8'));
  if (parsed.kind === 'invalid') throw repositoryUnreadable(path, `line ${parsed.line} is not git configuration`);
  const { settings } = parsed;
  return {
    settings,
    fileMode: booleanSetting(settings, 'core.filemode') ?? true,
    createReflogs: booleanSetting(settings, 'core.logallrefupdates') ?? true,
  };
}

/** A description of a feature of this repository that is not supported here, or null. */
export async function unsupportedFeature(git: GitDirectories, settings: readonly GitSetting[]): Promise<string | null> {
  const version = lastSetting(settings, 'core.repositoryformatversion') ?? '0';
  if (version !== '0' && version !== '1') return `repository format version ${version}`;
  for (const { name, value } of settings) {
    if (!name.startsWith('extensions.')) continue;
    const extension = name.slice('extensions.'.length);
    if (extension === 'objectformat' && value.toLowerCase() === 'sha1') continue;
    if (extension === 'objectformat') return `the object format ${value}`;
    if (extension === 'refstorage' && value.toLowerCase() === 'files') continue;
    if (extension === 'refstorage') return `the ref storage ${value}`;
    if (version === '1' && !HARMLESS_EXTENSIONS.has(extension)) return `the extension ${extension}`;
  }
  if (lastSetting(settings, 'core.worktree') !== undefined) return 'a working tree elsewhere (core.worktree)';
  for (const name of ['alternates', 'http-alternates']) {
    const file = await readWholeFile(gitFile(git, `objects/info/${name}`), MAX_CONFIG_BYTES);
    if (file !== null && file.toString('latin1').trim() !== '')
      return `objects borrowed from elsewhere (objects/info/${name})`;
  }
  for (const name of ['objects', 'refs', 'objects/pack', 'refs/heads', 'logs', 'info']) {
    const stat = await lstat(gitFile(git, name)).catch(() => null);
    if (stat?.isSymbolicLink() === true) return `.git/${name} being a symbolic link`;
  }
  return null;
}
