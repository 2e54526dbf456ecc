import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import type { Repository, RepositoryProblem, RepositoryState } from '../../contracts/ports/repository.ts';
import type { ViewEntry, Workspace } from '../../contracts/ports/workspace.ts';
import { composeChanges } from '../repository/compose-changes.ts';
import type { ComposedChanges, ReadStaged } from '../repository/compose-changes.ts';
import { pathsUnlikeHead } from '../repository/differs-from-head.ts';
import { treeView, viewDigest } from '../repository/tree-view.ts';
import type { TreeView } from '../repository/tree-view.ts';
import { unwatchedPaths } from '../repository/unwatched-paths.ts';
import type { Session } from '../session/session.ts';
import { lineFeedPaths } from './line-feed-paths.ts';
import type { GitRunner } from '../call/perform/ask-git.ts';
import { baselineChange } from './baseline-change.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Paths that differ from HEAD according to git. */
export type GitStatus =
  | { readonly kind: 'ok'; readonly dirty: readonly string[]; readonly truncated: boolean }
  /** git ran and could not read the repository. `why` is git's own message, or says that git did not end. */
  | { readonly kind: 'git-failed'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** The tree of a commit of the staged changes. */
export interface StagedTree {
  readonly state: RepositoryState;
  /** The staged changes, and the coverage baseline if it changes. */
  readonly changes: ChangeSet;
  readonly composed: ComposedChanges;
  /** Paths that are stored with LF although the file has CRLF. */
  readonly lineFeeds: ReadonlySet<string>;
  /** Entries that the kernel adds to the staged changes. */
  readonly added: readonly ViewEntry[];
}

/** Uncommitted changes in the project, compared with that tree. */
export interface UncommittedState {
  /** Paths that differ from HEAD according to git, including those of the session. */
  readonly statusPaths: readonly string[];
  /** Paths changed by the session that already differed from HEAD before it. */
  readonly unlikeHead: readonly string[];
  /** All uncommitted paths of the user. */
  readonly dirty: readonly string[];
  readonly view: TreeView;
  /** Digest of tree and view. */
  readonly digest: string;
}

type Refused = { readonly kind: 'refused'; readonly reason: string };

export async function composeStaged(
  git: GitRunner,
  repository: Repository,
): Promise<({ readonly kind: 'ok' } & StagedTree) | Refused> {
  const { session, workspace } = git;
  const outcome = await repository.state();
  if (outcome.kind === 'problem') return refused(describeProblem(outcome.problem));
  const { state } = outcome;
  if (state.head !== session.snapshot.base?.head) return refused('the branch has moved since this task began');
  const staged = await workspace.changes();
  const baseline = staged.length === 0 ? null : await baselineChange(session, workspace);
  const changes = baseline === null ? staged : inOrder([...staged, baseline.change]);
  const readStaged: ReadStaged = (path) =>
    path === baseline?.change.path ? Promise.resolve(baseline.bytes) : readNow(workspace, path);
  const found = await lineFeedPaths(git, repository, state, changes, readStaged);
  if (found.kind === 'refused') return found;
  const lineFeeds = found.paths;
  const composition = await composeChanges(repository, state, changes, readStaged, lineFeeds);
  if (composition.kind === 'nothing-to-commit') return refused('nothing has changed');
  if (composition.kind === 'refused') return composition;
  const added = baseline === null ? [] : [baseline.view];
  return { kind: 'ok', state, changes, composed: composition.composed, lineFeeds, added };
}

function inOrder(changes: ChangeSet): ChangeSet {
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export async function lookAround(
  repository: Repository,
  session: Session,
  workspace: Workspace,
  { state, changes, composed, added }: StagedTree,
  status: GitStatus,
): Promise<({ readonly kind: 'ok' } & UncommittedState) | Refused> {
  if (status.kind !== 'ok') return refused(`git status gave no result: ${status.why}`);
  if (status.truncated) return refused(`more than ${status.dirty.length} paths are not as HEAD has them`);
  const unwatched = await unwatchedPaths(await workspace.gitIndex(MAX_FILE_BYTES), workspace);
  const candidates = [...status.dirty, ...unwatched, ...(await filesAmong(session.snapshot.dirty_at_start, workspace))];
  const found = await treeView(repository, state, candidates, changes, workspace);
  const view = { ...found, overrides: [...found.overrides, ...added] };
  const unlikeHead = await pathsUnlikeHead(repository, state, {
    changes,
    dirtyAtStart: session.snapshot.dirty_at_start ?? [],
  });
  const own = new Set(changes.map((change) => change.path));
  const others = [...status.dirty, ...view.overrides.map(({ path }) => path), ...view.kept];
  const dirty = [...new Set([...others.filter((path) => !own.has(path)), ...unlikeHead])].sort();
  return { kind: 'ok', statusPaths: status.dirty, unlikeHead, dirty, view, digest: viewDigest(composed.tree, view) };
}

async function readNow(workspace: Workspace, path: string): Promise<Buffer | null> {
  const read = await workspace.read(path as ProjectPath, MAX_FILE_BYTES);
  return read.kind === 'file' ? read.bytes : null;
}

/**
 * Files that were uncommitted at the start and still are. If the session made git ignore a file, `git status` no longer
 * shows it.
 */
async function filesAmong(
  paths: readonly string[] | null,
  { kindOf }: Pick<Workspace, 'kindOf'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths ?? []) {
    if (path.endsWith('/')) continue;
    const kind = await kindOf(path as ProjectPath);
    if (kind === 'file' || kind === 'symlink') found.push(path);
  }
  return found;
}

/** Why no commit can be made on a repository in this state. */
export function describeProblem(problem: RepositoryProblem): string {
  switch (problem.kind) {
    case 'detached-head':
      return 'HEAD is on no branch';
    case 'no-commit':
      return 'there is no commit yet';
    case 'operation-in-progress':
      return `a ${problem.what} is in progress`;
    case 'locked':
      return `another git process is at work in the repository, or one died and left its lock behind: ${problem.path}`;
    case 'index-unsupported':
      return `the index uses a feature that is not understood: ${problem.what}`;
    case 'unsupported':
      return problem.what;
  }
}

function refused(reason: string): Refused {
  return { kind: 'refused', reason };
}
