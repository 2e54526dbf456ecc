import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readWholeFile } from '../../platform/git/read-file.ts';
import type { ProjectProblem } from './project-problem.ts';

export type FoundRepository =
  | { readonly kind: 'found'; readonly root: string; readonly gitDir: string }
  | { readonly kind: 'problem'; readonly problem: ProjectProblem };

const MAX_GIT_FILE_BYTES = 8192;

/** The working tree that `dir` (a real path) lies in, looked for upwards as git does. */
export async function findRepository(dir: string): Promise<FoundRepository> {
  if (relative('/', dir).split('/').includes('.git')) return problem({ kind: 'inside-git-dir' });
  for (let at = dir; ; at = dirname(at)) {
    const gitPath = join(at, '.git');
    const stat = await lstat(gitPath).catch(() => null);
    if (stat?.isSymbolicLink() === true) {
      return problem({ kind: 'unsupported', what: '.git being a symbolic link' });
    }
    if (stat?.isDirectory() === true && (await isGitDir(gitPath))) return { kind: 'found', root: at, gitDir: gitPath };
    if (stat?.isFile() === true) return problem(await redirection(gitPath, at));
    if (await isGitDir(at)) return problem({ kind: 'bare' });
    if (at === dirname(at)) return problem({ kind: 'not-a-repository' });
  }
}

/** By the same three signs that git goes by. */
async function isGitDir(path: string): Promise<boolean> {
  const kinds = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => lstat(join(path, name)).catch(() => null)));
  const [head, objects, refs] = kinds;
  const isDirectoryOrLink = (stat: typeof head): boolean =>
    stat?.isDirectory() === true || stat?.isSymbolicLink() === true;
  return (
    (head?.isFile() === true || head?.isSymbolicLink() === true) &&
    isDirectoryOrLink(objects) &&
    isDirectoryOrLink(refs)
  );
}

/** A `.git` file says where the repository really is: what kind of redirection it is shows in that path. */
async function redirection(gitPath: string, root: string): Promise<ProjectProblem> {
  const text = (await readWholeFile(gitPath, MAX_GIT_FILE_BYTES))?.toString('utf8') ?? '';
  const target = /^gitdir: (.+)/.exec(text)?.[1]?.trimEnd();
  if (target === undefined) return { kind: 'not-a-repository' };
  const gitDir = resolve(root, target);
  const holder = dirname(gitDir);
  if (basename(holder) === 'worktrees') {
    const main = dirname(holder);
    return { kind: 'linked-worktree', main: basename(main) === '.git' ? dirname(main) : null };
  }
  if (/\/modules\//.test(gitDir)) return { kind: 'submodule' };
  return { kind: 'unsupported', what: 'a .git file that names a directory elsewhere' };
}

function problem(found: ProjectProblem): FoundRepository {
  return { kind: 'problem', problem: found };
}
