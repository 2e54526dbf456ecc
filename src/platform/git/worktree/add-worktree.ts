import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitDirectories } from '../../../contracts/git-directories.ts';
import type { ObjectId } from '../../../contracts/ids.ts';
import type { Repository } from '../../../contracts/ports/repository.ts';
import { encodeIndex } from '../../../lib/git/git-index.ts';
import type { FileOwner } from '../merge/disk.ts';
import { checkOut, giveTo } from './check-out.ts';

export interface NewWorktree {
  readonly git: GitDirectories;
  /** The path of the new worktree; must not exist. */
  readonly root: string;
  /** `refs/heads/…`, and its commit with the tree. */
  readonly branch: string;
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  /** Whether the branch is created; then no branch of this name may exist. */
  readonly createsBranch: boolean;
  readonly owner: FileOwner;
}

/**
 * Creates what `git worktree add` creates, without git, because git would run the repository's hooks and filters on the
 * host. Everything is created beside its final path and renamed, git's own directory before the files, so that a crash
 * leaves either a worktree or an entry that `git worktree prune` removes.
 */
export async function addWorktree(repository: Pick<Repository, 'readObject'>, wanted: NewWorktree): Promise<void> {
  const { git, root, branch, commit, tree, owner } = wanted;
  const suffix = `.partial-${randomBytes(6).toString('hex')}`;
  const holder = join(git.commonDir, 'worktrees');
  const own = join(holder, freeName(holder, branch));
  const [files, gitDir] = [`${root}${suffix}`, `${own}${suffix}`];
  const make = (path: string): void => {
    mkdirSync(path);
    giveTo(path, owner);
  };
  const write = (path: string, content: string | Uint8Array): void => {
    writeFileSync(path, content, { flag: 'wx' });
    giveTo(path, owner);
  };
  try {
    for (const path of [dirname(root), holder]) if (!existsSync(path)) make(path);
    make(files);
    write(join(files, '.git'), `gitdir: ${own}\n`);
    const index = await checkOut(repository, tree, files, owner);
    make(gitDir);
    write(join(gitDir, 'HEAD'), `ref: ${branch}\n`);
    write(join(gitDir, 'commondir'), '../..\n');
    write(join(gitDir, 'gitdir'), `${root}/.git\n`);
    write(join(gitDir, 'index'), encodeIndex(index));
    if (wanted.createsBranch) createRef(git, branch, commit, suffix, owner);
    renameSync(gitDir, own);
    renameSync(files, root);
  } finally {
    for (const path of [files, gitDir]) rmSync(path, { recursive: true, force: true });
  }
}

/** A hard link appears completely or not at all, and never replaces a ref that somebody created meanwhile. */
function createRef(git: GitDirectories, branch: string, commit: ObjectId, suffix: string, owner: FileOwner): void {
  const temporary = join(git.commonDir, `fluffy${suffix}`);
  try {
    writeFileSync(temporary, `${commit}\n`, { flag: 'wx' });
    giveTo(temporary, owner);
    linkSync(temporary, join(git.commonDir, branch));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** git names the directory of a worktree after it, with a number if the name is taken. */
function freeName(holder: string, branch: string): string {
  const name = branch.slice('refs/heads/'.length);
  for (let number = 0; ; number += 1) {
    const tried = number === 0 ? name : `${name}${number}`;
    if (!existsSync(join(holder, tried))) return tried;
  }
}
