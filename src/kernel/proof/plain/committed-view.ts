import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import { fromByteString } from '../../../lib/git/byte-string.ts';
import { parseIndex } from '../../../lib/git/git-index.ts';
import type { SessionContext } from '../../services.ts';
import { stagedEntries } from '../views/staged-entries.ts';

/**
 * Directories and files that the installation of dependencies creates. Git ignores them, but every checkout needs them.
 */
const INSTALLED =
  /^(?:node_modules|\.venv|venv|\.tox|\.nox|__pypackages__|vendor|\.yarn|\.pnp\..*|.*\.egg-info|.*\.dist-info)$/;

const MAX_INDEX_BYTES = 256 * 1024 * 1024;

export type CommittedView =
  | {
      readonly kind: 'ok';
      /** Entries over the untouched project: exactly the tree that would be committed, and installed dependencies. */
      readonly committed: readonly ViewEntry[];
      /** The tree of HEAD, and installed dependencies. */
      readonly onHead: readonly ViewEntry[];
    }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Returns how a checkout of the commit differs from the user's project: it has no uncommitted work, and no files that
 * git ignores.
 */
export async function committedView(context: SessionContext): Promise<CommittedView> {
  const { services, session, workspace, signal } = context;
  const changes = await workspace.changes();
  const staged = await stagedEntries(workspace, changes);
  if (staged.kind === 'failed') return { kind: 'failed', why: `${staged.path} could not be read` };
  const ignored = await ignoredOf(workspace, changes);
  if (ignored.kind === 'too-many') return { kind: 'failed', why: ignored.reason };
  const hidden = ignored.paths
    .filter((path) => !path.split('/').some((name) => INSTALLED.test(name)))
    .map((path): ViewEntry => ({ path, entry: { kind: 'absent' } }));
  const isClean = (session.snapshot.dirty_at_start ?? []).length === 0;
  const found = isClean ? null : await services.commits.committable(session, workspace, signal);
  if (found?.kind === 'refused') return { kind: 'failed', why: found.reason };
  return {
    kind: 'ok',
    committed: [...hidden, ...staged.entries, ...(found?.view.overrides ?? [])],
    onHead: [...hidden, ...(found?.view.onHead ?? [])],
  };
}

/**
 * The ignored paths. Files in git's index and files that the session changes are committed even if a pattern ignores
 * them.
 */
async function ignoredOf(workspace: Workspace, changes: ChangeSet): ReturnType<Workspace['ignored']> {
  const bytes = await workspace.gitIndex(MAX_INDEX_BYTES);
  const index = bytes === null ? null : parseIndex(bytes);
  const tracked = index?.kind === 'ok' ? index.index.entries.map(({ path }) => fromByteString(path)) : [];
  return workspace.ignored(new Set([...tracked, ...changes.map(({ path }) => path)]));
}
