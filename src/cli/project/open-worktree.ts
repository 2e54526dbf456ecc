import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { parseCommitLinks } from '../../lib/git/commit.ts';
import { isRefName } from '../../lib/git/ref-name.ts';
import { objectUnreadable } from '../../lib/git/repository-unreadable.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { refsBelow } from '../../platform/git/refs.ts';
import { openRepository } from '../../platform/git/repository.ts';
import { addWorktree } from '../../platform/git/worktree/add-worktree.ts';
import { findWorktree } from '../../platform/git/worktree/find-worktree.ts';
import { detectProject } from './detect-project.ts';
import type { Project, ProjectEnvironment } from './detect-project.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface OpenedWorktree {
  /** The directory in the worktree that corresponds to the user's, if it exists. */
  readonly directory: string;
  readonly root: string;
  readonly made: boolean;
}

/**
 * The linked worktree of the project with the branch `name`; created if missing, beside the main working tree, from the commit that the user is on.
 * The user's own checkout is not changed. Throws FluffyError `worktree_not_made`, and those of the project; exit 2.
 */
export async function openWorktree(
  where: string | undefined,
  name: string,
  allowRoot: boolean,
  env: ProjectEnvironment,
): Promise<OpenedWorktree> {
  if (!NAME.test(name) || !isRefName(`refs/heads/${name}`))
    throw notMade(name, 'a name has letters, digits, dots, dashes and underscores, and begins with a letter or digit');
  const found = await detectProject(resolve(where ?? '.'), env, { allowRoot });
  if (found.kind === 'problem') throw found.error;
  const { project } = found;
  const inside = (root: string): string => {
    const same = join(root, project.cwd);
    return existsSync(same) ? same : root;
  };
  const branch = `refs/heads/${name}`;
  const there = await findWorktree(project.git, branch);
  if (there !== null) return { directory: inside(there), root: there, made: false };
  const root = join(`${mainTree(project.git)}-worktrees`, name);
  if (existsSync(root)) throw notMade(name, `${root} exists and is not a worktree of this repository`);
  try {
    await make(project, root, branch);
  } catch (error) {
    if (error instanceof FluffyError) throw error;
    throw notMade(name, messageOf(error), error);
  }
  return { directory: inside(root), root, made: true };
}

/** The user's checkout, or where it would be beside a bare repository. */
function mainTree({ commonDir }: GitDirectories): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir.replace(/\.git$/, '');
}

async function make(project: Project, root: string, branch: string): Promise<void> {
  const repository = openRepository(project.git);
  try {
    const existing = await repository.readRef(branch);
    const [below] = (await refsBelow(project.git, `${branch}/`, 1)).keys();
    if (below !== undefined) throw new Error(`there is a branch ${below}`);
    const commit = existing ?? project.head;
    const object = await repository.readObject(commit);
    const links = object?.type === 'commit' ? parseCommitLinks(object.content) : null;
    if (links === null) throw objectUnreadable(commit, object, 'commit');
    const { uid, gid } = project;
    const { tree } = links;
    const createsBranch = existing === null;
    await addWorktree(repository, { git: project.git, root, branch, commit, tree, createsBranch, owner: { uid, gid } });
  } finally {
    await repository.close();
  }
}

function notMade(name: string, why: string, cause?: unknown): FluffyError {
  return new FluffyError({
    code: 'worktree_not_made',
    what: `The worktree ${JSON.stringify(name)} could not be made`,
    why,
    fix: 'Choose another name, or make it with `git worktree add` and start fluffy there.',
    exitCode: EXIT.usage,
    ...(cause === undefined ? {} : { cause }),
  });
}
