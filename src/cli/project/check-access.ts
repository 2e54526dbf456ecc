import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import type { ProjectProblem } from './project-problem.ts';

/** The parts of git's directory that a merge writes to. Missing ones are created. */
const WRITTEN = ['objects', 'refs', 'refs/heads', 'HEAD', 'index', 'logs'];

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whether the project's owner may write where a merge writes, and whether this user may act as that owner. Root passes every permission check itself,
 * so the owner's permission bits are checked.
 */
export async function accessProblem(
  { root, git }: { readonly root: string; readonly git: GitDirectories },
  owner: Owner,
  invokerUid: number,
  allowRoot: boolean,
): Promise<ProjectProblem | null> {
  if (owner.uid === 0 && !allowRoot) return { kind: 'owned-by-root' };
  if (invokerUid !== 0 && invokerUid !== owner.uid) return { kind: 'not-owned', path: root, owner: owner.uid };
  for (const path of [root, git.commonDir, git.gitDir, ...WRITTEN.map((name) => gitFile(git, name))]) {
    const stat = await lstat(path).catch(() => null);
    const problem = stat === null ? null : await pathProblem(path, stat, owner, root);
    if (problem !== null) return problem;
  }
  return null;
}

async function pathProblem(path: string, stat: Stats, owner: Owner, root: string): Promise<ProjectProblem | null> {
  if (stat.uid !== owner.uid) {
    return {
      kind: 'not-writable',
      path,
      why: `it belongs to uid ${stat.uid}, the project to uid ${owner.uid}`,
      fix: `Give it back: \`sudo chown -R ${owner.uid}:${owner.gid} ${JSON.stringify(root)}\`.`,
    };
  }
  const needed = stat.isDirectory() ? 0o700 : 0o600;
  if ((stat.mode & needed) !== needed) {
    return {
      kind: 'not-writable',
      path,
      why: 'its owner has no permission to read and write it',
      fix: `Allow it: \`chmod u+rw${stat.isDirectory() ? 'x' : ''} ${JSON.stringify(path)}\`.`,
    };
  }
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    const readOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    return {
      kind: 'not-writable',
      path,
      why: readOnly ? 'it is on a read-only file system' : 'the system refuses access to it',
      fix: readOnly
        ? 'Work on a clone on a writable file system.'
        : `Check the permissions of ${JSON.stringify(path)}.`,
    };
  }
}
