import type { GitDirectories } from '../../contracts/git-directories.ts';

/** What the working trees of a repository share, by gitrepository-layout(5). Everything else belongs to one working tree. */
const SHARED: ReadonlySet<string> = new Set([
  'branches',
  'config',
  'description',
  'gc.pid',
  'hooks',
  'info',
  'lfs',
  'logs',
  'modules',
  'objects',
  'packed-refs',
  'refs',
  'remotes',
  'rr-cache',
  'shallow',
  'worktrees',
]);
const OWN = /^(info\/sparse-checkout|logs\/HEAD|(logs\/)?refs\/(bisect|rewritten|worktree)(\/.*)?)$/;

/** The directories of a working tree whose `.git` is a directory. */
export function ordinaryGitDirectories(root: string): GitDirectories {
  return { gitDir: `${root}/.git`, commonDir: `${root}/.git` };
}

export function isLinked({ gitDir, commonDir }: GitDirectories): boolean {
  return gitDir !== commonDir;
}

/** Whether git keeps this name in the directory that working trees share. */
export function isSharedName(name: string): boolean {
  return SHARED.has(name);
}

/** The directory that contains git's file of this name: `index`, `refs/heads/main`. */
export function gitDirectoryOf({ gitDir, commonDir }: GitDirectories, name: string): string {
  const [first = ''] = name.split('/');
  return SHARED.has(first) && !OWN.test(name) ? commonDir : gitDir;
}

export function gitFile(git: GitDirectories, name: string): string {
  return `${gitDirectoryOf(git, name)}/${name}`;
}
