import { createHash } from 'node:crypto';
import type { ChangeSet, FileChange } from '../../contracts/review/change-set.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import type { CommitSignature, PreparedCommit, TreeEditEntry } from '../../contracts/review/prepared-commit.ts';
import type { Repository, RepositoryState, StoredObject } from '../../contracts/ports/repository.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { encodeCommit } from '../../lib/git/commit.ts';
import { composeTree } from '../../lib/git/compose-tree.ts';
import type { TreeEdit } from '../../lib/git/compose-tree.ts';
import { withLineFeeds } from '../../lib/git/line-feeds.ts';
import { hashObject } from '../../lib/git/object-id.ts';
import { MODE, entryAt } from '../../lib/git/tree.ts';
import { worktreePathProblem } from '../../lib/git/worktree-path.ts';
import { readTree } from './read-tree.ts';

/** The staged changes as git objects, made by the kernel itself. */
export interface ComposedChanges {
  readonly tree: ObjectId;
  readonly edits: readonly TreeEditEntry[];
  readonly objects: ReadonlyMap<ObjectId, StoredObject>;
  /** Blobs with the bytes of working files that git stores in another form. */
  readonly files: ReadonlyMap<ObjectId, StoredObject>;
}

export type ComposeChangesOutcome =
  | { readonly kind: 'composed'; readonly composed: ComposedChanges }
  | { readonly kind: 'nothing-to-commit' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Content of a staged file; null if it no longer exists. */
export type ReadStaged = (path: string) => Promise<Buffer | null>;

/**
 * HEAD's tree with exactly these changes. Every blob is hashed from staged content, which must still agree with the
 * change set. `lineFeeds`: paths that are stored with LF although the file has CRLF.
 */
export async function composeChanges(
  repository: Repository,
  state: RepositoryState,
  changes: ChangeSet,
  readStaged: ReadStaged,
  lineFeeds: ReadonlySet<string> = new Set(),
): Promise<ComposeChangesOutcome> {
  const objects = new Map<ObjectId, StoredObject>();
  const files = new Map<ObjectId, StoredObject>();
  const fileOf = new Map<string, ObjectId>();
  const edits = new Map<string, TreeEdit>();
  for (const change of changes) {
    const problem = pathProblem(change);
    if (problem !== null) return { kind: 'refused', reason: `${JSON.stringify(change.path)}: ${problem}` };
    const content = await contentAfter(change, readStaged);
    if (content === 'moved') return { kind: 'refused', reason: `${change.path} has changed since the review` };
    if (content === 'none') {
      // Git stores no directories. An added or removed directory is visible only in the files below it.
      if (change.before.kind !== 'directory') edits.set(change.path, null);
      continue;
    }
    const stored = change.after.kind === 'file' && lineFeeds.has(change.path) ? withLineFeeds(content) : content;
    const id = hashObject('blob', stored);
    objects.set(id, { type: 'blob', content: stored });
    if (stored !== content) {
      const file = hashObject('blob', content);
      files.set(file, { type: 'blob', content });
      fileOf.set(change.path, file);
    }
    edits.set(change.path, { mode: await modeAfter(repository, state, change), id });
  }
  const composed = await composeTree(state.headTree, edits, (id) => readTree(repository, id));
  if (composed.kind === 'refused') return composed;
  if (composed.tree === state.headTree) return { kind: 'nothing-to-commit' };
  for (const [id, tree] of composed.created) objects.set(id, { type: 'tree', content: tree });
  const entries = [...edits].map(([path, entry]): TreeEditEntry => {
    const file = fileOf.get(path);
    return { path, entry, ...(file === undefined ? {} : { file }) };
  });
  return { kind: 'composed', composed: { tree: composed.tree, edits: entries, objects, files } };
}

/** The commit of a composed tree on HEAD. `message` is complete, with its trailers. */
export function composeCommit(
  state: RepositoryState,
  changes: ChangeSet,
  { tree, edits, objects, files }: ComposedChanges,
  { message, author, committer }: { message: string; author: CommitSignature; committer: CommitSignature },
): { readonly prepared: PreparedCommit; readonly objects: ReadonlyMap<ObjectId, StoredObject> } {
  const content = encodeCommit({ tree, parents: [state.head], author, committer, message });
  const commit = hashObject('commit', content);
  const all = new Map(objects).set(commit, { type: 'commit', content });
  const prepared: PreparedCommit = {
    commit,
    tree,
    parent: state.head,
    branchRef: state.branchRef,
    message,
    committer,
    changes,
    edits,
    objects: [...all.keys(), ...files.keys()],
  };
  return { prepared, objects: all };
}

function pathProblem({ path, after }: FileChange): string | null {
  const problem = worktreePathProblem(path);
  if (problem !== null) return problem;
  const name = path.split('/').at(-1)?.toLowerCase();
  return after.kind === 'symlink' && name?.startsWith('.gitmodules') === true
    ? 'a link where git reads its own settings'
    : null;
}

async function contentAfter({ path, after }: FileChange, readStaged: ReadStaged): Promise<Buffer | 'none' | 'moved'> {
  switch (after.kind) {
    case 'absent':
    case 'directory':
      return 'none';
    case 'symlink':
      return Buffer.from(after.target);
    case 'file': {
      const content = await readStaged(path);
      if (content === null || createHash('sha256').update(content).digest('hex') !== after.sha256) return 'moved';
      return content;
    }
    default:
      return assertNever(after);
  }
}

/** If the file system has no executable bit, a file keeps its mode of HEAD. */
async function modeAfter(repository: Repository, state: RepositoryState, { path, after }: FileChange): Promise<number> {
  if (after.kind === 'symlink') return MODE.symlink;
  const executable = after.kind === 'file' && after.executable;
  if (state.fileMode) return executable ? MODE.executable : MODE.file;
  const inHead = await entryAt((id) => readTree(repository, id), state.headTree, path);
  return inHead?.mode === MODE.executable ? MODE.executable : MODE.file;
}
