import { dirname, isAbsolute, join } from 'node:path';
import picomatch from 'picomatch';
import { parseGitConfig } from '../../lib/git/git-config.ts';
import type { GitSetting } from '../../lib/git/git-config.ts';
import { openRegularFile, readAt } from './read-file.ts';

/** The variables by which git finds its configuration. */
export interface GitEnvironment {
  readonly HOME?: string | undefined;
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly GIT_CONFIG_NOSYSTEM?: string | undefined;
  readonly GIT_CONFIG_SYSTEM?: string | undefined;
  readonly GIT_CONFIG_GLOBAL?: string | undefined;
}

export type UserConfigOutcome =
  | { readonly kind: 'ok'; readonly settings: readonly GitSetting[] }
  | { readonly kind: 'invalid'; readonly file: string; readonly line: number };

const MAX_CONFIG_BYTES = 1024 * 1024;
/** Git's own limit for includes inside includes. */
const MAX_INCLUDE_DEPTH = 10;

class InvalidConfig extends Error {
  readonly file: string;
  readonly line: number;

  constructor(file: string, line: number) {
    super(`${file}:${line}`);
    this.file = file;
    this.line = line;
  }
}

/**
 * The settings of the system's and the user's own files, weakest first. `include.path` and `includeIf "gitdir:…"` are
 * followed as git does, because the user controls these files. (A repository's own file is read elsewhere, and its
 * includes are not followed.)
 */
export async function readUserConfig(env: GitEnvironment, gitDir: string): Promise<UserConfigOutcome> {
  try {
    const settings: GitSetting[] = [];
    for (const file of configFiles(env)) settings.push(...(await readWithIncludes(file, env.HOME, gitDir, 0)));
    return { kind: 'ok', settings };
  } catch (error) {
    if (error instanceof InvalidConfig) return { kind: 'invalid', file: error.file, line: error.line };
    throw error;
  }
}

function configFiles(env: GitEnvironment): string[] {
  const noSystem = ['1', 'true', 'yes', 'on'].includes(env.GIT_CONFIG_NOSYSTEM?.toLowerCase() ?? '');
  const system = noSystem ? [] : [env.GIT_CONFIG_SYSTEM ?? '/etc/gitconfig'];
  if (env.GIT_CONFIG_GLOBAL !== undefined) return [...system, env.GIT_CONFIG_GLOBAL].filter((file) => file !== '');
  const xdg = env.XDG_CONFIG_HOME || (env.HOME === undefined ? undefined : join(env.HOME, '.config'));
  return [
    ...system,
    ...(xdg === undefined ? [] : [join(xdg, 'git', 'config')]),
    ...(env.HOME === undefined ? [] : [join(env.HOME, '.gitconfig')]),
  ];
}

async function readWithIncludes(
  file: string,
  home: string | undefined,
  gitDir: string,
  depth: number,
): Promise<GitSetting[]> {
  const parsed = parseGitConfig(await readConfigText(file));
  if (parsed.kind === 'invalid') throw new InvalidConfig(file, parsed.line);
  const settings: GitSetting[] = [];
  for (const setting of parsed.settings) {
    settings.push(setting);
    if (depth >= MAX_INCLUDE_DEPTH || !isIncluded(setting, file, home, gitDir)) continue;
    const path = expandHome(setting.value, home);
    const target = isAbsolute(path) ? path : join(dirname(file), path);
    settings.push(...(await readWithIncludes(target, home, gitDir, depth + 1)));
  }
  return settings;
}

function isIncluded({ name }: GitSetting, file: string, home: string | undefined, gitDir: string): boolean {
  if (name === 'include.path') return true;
  const condition = /^includeif\.(gitdir|gitdir\/i):(.*)\.path$/.exec(name);
  if (condition === null) return false;
  let pattern = expandHome(condition[2] ?? '', home);
  if (pattern.startsWith('./')) pattern = join(dirname(file), pattern);
  else if (!isAbsolute(pattern)) pattern = `**/${pattern}`;
  if (pattern.endsWith('/')) pattern = `${pattern}**`;
  return picomatch.isMatch(gitDir, pattern, { dot: true, nocase: condition[1] === 'gitdir/i' });
}

function expandHome(path: string, home: string | undefined): string {
  return path.startsWith('~/') && home !== undefined ? join(home, path.slice(2)) : path;
}

/**
 * Missing and unreadable files count as empty, as for git. A link is followed, because dotfile managers create them.
 */
async function readConfigText(file: string): Promise<string> {
  const handle = await openRegularFile(file, 'followed').catch(() => null);
  if (handle === null) return '';
  try {
    return (await readAt(handle, 0, MAX_CONFIG_BYTES)).toString('utf8');
  } finally {
    await handle.close();
  }
}
