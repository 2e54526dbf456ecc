import { lstat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { ordinaryGitDirectories } from '../../lib/git/git-directories.ts';
import { readLinkedWorktree } from '../../platform/git/linked-worktree.ts';
import type { ProjectProblem } from './project-problem.ts';

export type FoundRepository =
  | { readonly kind: 'found'; readonly root: string; readonly git: GitDirectories }
  | { readonly kind: 'problem'; readonly problem: ProjectProblem };

/** The working tree that contains `dir` (a real path), searched upwards like git does. */
export async function findRepository(dir: string): Promise<FoundRepository> {
  if (relative('/', dir).split('/').includes('.git')) return problem({ kind: 'inside-git-dir' });
  for (let at = dir; ; at = dirname(at)) {
    const gitPath = join(at, '.git');
    const stat = await lstat(gitPath).catch(() => null);
    if (stat?.isSymbolicLink() === true) {
      return problem({ kind: 'unsupported', what: '.git being a symbolic link' });
    }
    if (stat?.isDirectory() === true && (await isGitDir(gitPath))) {
      return { kind: 'found', root: at, git: ordinaryGitDirectories(at) };
    }
    if (stat?.isFile() === true) return redirected(at);
    if (await isGitDir(at)) return problem({ kind: 'bare' });
    if (at === dirname(at)) return problem({ kind: 'not-a-repository' });
  }
}

/** Uses the same three signs as git. */
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

/** A `.git` file names the real repository. */
async function redirected(root: string): Promise<FoundRepository> {
  const found = await readLinkedWorktree(root);
  switch (found.kind) {
    case 'linked':
      return { kind: 'found', root, git: found.git };
    case 'submodule':
      return problem({ kind: 'submodule' });
    case 'not-git':
      return problem({ kind: 'not-a-repository' });
    case 'elsewhere':
      return problem({ kind: 'unsupported', what: 'a .git file that names a directory elsewhere' });
    case 'refused':
      return problem({ kind: 'worktree-refused', why: found.reason });
    default:
      return assertNever(found);
  }
}

function problem(found: ProjectProblem): FoundRepository {
  return { kind: 'problem', problem: found };
}
