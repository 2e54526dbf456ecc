import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { gitFile, ordinaryGitDirectories } from '../../lib/git/git-directories.ts';
import { errnoOf, throughFd } from './descriptors.ts';
import type { IgnoreSources } from './ignore/ignore-view.ts';
import { createIgnoreView } from './ignore/ignore-view.ts';

const ENTRIES_PER_TURN = 2000;
/** The files of git's directory that a run depends on: what is checked out, and what is staged. */
const GIT_FILES = ['HEAD', 'index', 'packed-refs'];

/**
 * Digest of the state of the project tree, without file contents: names, kinds, modes, sizes, times and inodes of everything
 * that git does not ignore, and of HEAD, its branch and the index. Two equal stamps around an operation mean that nobody changed
 * the project meanwhile.
 */
export async function stampProject(
  project: number,
  sources: IgnoreSources,
  git: GitDirectories = ordinaryGitDirectories(throughFd(project)),
): Promise<string> {
  const hash = createHash('sha256');
  const withIgnoreFile = new Set<string>();
  const ignored = createIgnoreView({
    ...sources,
    ignoreFile: (directory) => (withIgnoreFile.has(directory) ? sources.ignoreFile(directory) : null),
  });
  let seen = 0;
  const pending = [''];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = entriesOf(project, directory);
    if (entries.some((entry) => entry.name === '.gitignore')) withIgnoreFile.add(directory);
    for (const entry of entries) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.name === '.git' || entry.name === 'node_modules') continue;
      if (ignored.isIgnored(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) pending.push(path);
      hash.update(describe(throughFd(project, path), path, entry.isDirectory()));
      seen += 1;
      if (seen % ENTRIES_PER_TURN === 0) await setImmediate();
    }
  }
  hash.update(describe(git.gitDir, '.git', true));
  for (const name of GIT_FILES) hash.update(describe(gitFile(git, name), name, false));
  hash.update(describeBranch(git));
  return hash.digest('hex');
}

/** The file of the branch that HEAD names, if it has one. */
function describeBranch(git: GitDirectories): string {
  try {
    const head = readFileSync(gitFile(git, 'HEAD'), 'utf8');
    const branch = /^ref: (refs\/heads\/[^\s]+)\s*$/.exec(head)?.[1];
    return branch === undefined || branch.includes('..') ? head : describe(gitFile(git, branch), branch, false);
  } catch (error) {
    if (isGone(error)) return 'no HEAD\n';
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error));
}

function entriesOf(project: number, directory: string): Dirent[] {
  try {
    const entries = readdirSync(throughFd(project, directory), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** A directory's own size and times also change with ignored entries, so they are left out: its entries are in the digest. */
function describe(at: string, path: string, directory: boolean): string {
  let stat: BigIntStats;
  try {
    stat = lstatSync(at, { bigint: true });
  } catch (error) {
    if (isGone(error)) return `${path}\0gone\n`;
    throw error;
  }
  const { mode, ino, size, mtimeNs, ctimeNs } = stat;
  return directory ? `${path}\0${mode}\0${ino}\n` : `${path}\0${mode}\0${ino}\0${size}\0${mtimeNs}\0${ctimeNs}\n`;
}
