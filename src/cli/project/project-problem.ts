import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { RepositoryProblem } from '../../contracts/ports/repository.ts';
import { ownValue } from '../../lib/own-value.ts';

/** Why fluffy cannot work in a directory. Each has an error that says what, why and how to fix it; exit code 2. */
export type ProjectProblem =
  | RepositoryProblem
  | { readonly kind: 'missing' }
  | { readonly kind: 'path-unusable'; readonly why: string }
  | { readonly kind: 'not-a-repository' }
  | { readonly kind: 'inside-git-dir' }
  | { readonly kind: 'bare' }
  | { readonly kind: 'worktree-refused'; readonly why: string }
  | { readonly kind: 'submodule' }
  | { readonly kind: 'config-invalid'; readonly file: string; readonly line: number }
  | { readonly kind: 'no-identity' }
  | { readonly kind: 'not-writable'; readonly path: string; readonly why: string; readonly fix: string }
  | { readonly kind: 'owned-by-root' }
  | { readonly kind: 'not-owned'; readonly path: string; readonly owner: number };

type ProblemCode =
  | 'project_missing'
  | 'project_path_unusable'
  | 'not_a_repository'
  | 'inside_git_dir'
  | 'bare_repository'
  | 'linked_worktree'
  | 'is_a_submodule'
  | 'no_commit'
  | 'detached_head'
  | 'git_operation_in_progress'
  | 'repository_locked'
  | 'repository_unsupported'
  | 'git_config_invalid'
  | 'no_git_identity'
  | 'project_not_writable'
  | 'project_owned_by_root'
  | 'project_not_owned';

type Sentences = readonly [code: ProblemCode, what: string, why: string, fix: string];

export function projectError(problem: ProjectProblem, dir: string): FluffyError {
  const [code, what, why, fix] = sentences(problem, dir);
  return new FluffyError({ code, what, why, fix, exitCode: EXIT.usage });
}

const COMMANDS: Readonly<Record<Extract<RepositoryProblem, { kind: 'operation-in-progress' }>['what'], string>> = {
  merge: '`git merge --continue` or `git merge --abort`',
  rebase: '`git rebase --continue` or `git rebase --abort`',
  'cherry-pick': '`git cherry-pick --continue` or `git cherry-pick --abort`',
  revert: '`git revert --continue` or `git revert --abort`',
  bisect: '`git bisect reset`',
};

type OfKind<K extends ProjectProblem['kind']> = Extract<ProjectProblem, { kind: K }>;

const INDEX_FIX: Readonly<Record<string, string>> = {
  'split index': 'Run `git update-index --no-split-index`; `git config core.splitIndex false` keeps it so.',
  'sparse index': 'Run `git sparse-checkout reapply --no-sparse-index`; checked-out files do not change.',
};

const SENTENCES: { readonly [K in ProjectProblem['kind']]: (dir: string, problem: OfKind<K>) => Sentences } = {
  missing: (dir) => [
    'project_missing',
    `${dir} is not a directory`,
    'a project is a directory with a git repository',
    'Name an existing directory with --project, or start fluffy inside one.',
  ],
  'path-unusable': (dir, problem) => [
    'project_path_unusable',
    `The project's path cannot be used: ${JSON.stringify(dir)}`,
    problem.why,
    'Move or rename the project, or reach it by a shorter, plainer path.',
  ],
  'not-a-repository': (dir) => [
    'not_a_repository',
    `${dir} is not in a git repository`,
    'fluffy returns its work as a commit, so there has to be a repository to commit to',
    'Run `git init`, commit the files, and start again; or name a repository with --project.',
  ],
  'inside-git-dir': (dir) => [
    'inside_git_dir',
    `${dir} is inside a .git directory`,
    "that is git's own store, not the project",
    'Go to the directory that contains .git and start again.',
  ],
  bare: (dir) => [
    'bare_repository',
    `${dir} is a bare repository`,
    'it has no working tree, so there are no files to work on',
    'Clone it (`git clone`) and start fluffy in the clone.',
  ],
  'worktree-refused': (dir, problem) => [
    'linked_worktree',
    `${dir} claims to be a linked worktree, but is not one`,
    problem.why,
    'Run `git worktree repair` in the main working tree, or start fluffy there or in a clone.',
  ],
  submodule: (dir) => [
    'is_a_submodule',
    `${dir} is a submodule of another repository`,
    "its objects and its configuration are in that repository's .git directory, and fluffy would have to write there",
    'Clone the repository of the submodule by itself and start fluffy in the clone.',
  ],
  'no-commit': () => [
    'no_commit',
    'The repository has no commit yet',
    'changes are made, compared and undone against a commit',
    'Commit what is there: `git add -A && git commit -m "Start"` (or `git commit --allow-empty -m "Start"`).',
  ],
  'detached-head': () => [
    'detached_head',
    'HEAD is not on a branch',
    'a commit made here would belong to no branch and be lost at the next checkout',
    'Go to a branch (`git switch NAME`) or make one here (`git switch -c NAME`).',
  ],
  'operation-in-progress': (_dir, problem) => [
    'git_operation_in_progress',
    `A ${problem.what} is in progress`,
    'a commit made now would become part of it',
    `End it first: ${COMMANDS[problem.what]}.`,
  ],
  locked: (_dir, problem) => [
    'repository_locked',
    `${problem.path} is there: git is locked`,
    'another git process is at work in the repository, or one died and left its lock behind',
    `Wait for it. If no git process runs, remove the lock: rm '${problem.path.replaceAll("'", "'\\''")}'`,
  ],
  'index-unsupported': (_dir, problem) => [
    'repository_unsupported',
    `The repository has a ${problem.what}`,
    'a commit changes the index, and fluffy does not write one of this kind',
    ownValue(INDEX_FIX, problem.what) ?? 'Build the index again: move .git/index away, then run `git reset`.',
  ],
  unsupported: (_dir, problem) => [
    'repository_unsupported',
    `The repository uses ${problem.what}`,
    'fluffy reads repositories itself and does not understand this one',
    'Use an ordinary clone of the repository (`git clone --no-local`) with git’s default formats.',
  ],
  'config-invalid': (_dir, problem) => [
    'git_config_invalid',
    `git's configuration cannot be read: ${problem.file}:${problem.line}`,
    'the line is not in the form that git understands',
    `Fix the line; \`git config --file ${problem.file} --list\` shows git's own error message.`,
  ],
  'no-identity': () => [
    'no_git_identity',
    'git does not know who you are',
    'a commit names its author, and neither user.name and user.email nor GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL are set',
    'Run `git config --global user.name "Your Name"` and `git config --global user.email you@example.com`.',
  ],
  'not-writable': (_dir, problem) => [
    'project_not_writable',
    `${problem.path} cannot be written`,
    problem.why,
    problem.fix,
  ],
  'owned-by-root': (dir) => [
    'project_owned_by_root',
    `${dir} belongs to root`,
    'sandboxes run as the owner of the project, and root is refused unless you ask for it',
    'Give it to an ordinary user (`chown -R USER .`), or add --allow-root: uid 0 without any capability.',
  ],
  'not-owned': (_dir, problem) => [
    'project_not_owned',
    `${problem.path} belongs to another user (uid ${problem.owner})`,
    "fluffy works as the project's owner, and only root may act for another user",
    'Run fluffy as that user, or take the project over with `chown -R`.',
  ],
};

function sentences<K extends ProjectProblem['kind']>(
  problem: OfKind<K> & { readonly kind: K },
  dir: string,
): Sentences {
  return SENTENCES[problem.kind](dir, problem);
}
