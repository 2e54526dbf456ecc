import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import { fromByteString } from '../../../lib/git/byte-string.ts';
import { parseIndex } from '../../../lib/git/git-index.ts';
import type { SessionContext } from '../../services.ts';
import { stagedEntries } from '../views/staged-entries.ts';

/** Directories and files that installing dependencies makes, which git ignores and every checkout needs. */
const INSTALLED =
  /^(?:node_modules|\.venv|venv|\.tox|\.nox|__pypackages__|vendor|\.yarn|\.pnp\..*|.*\.egg-info|.*\.dist-info)$/;

const MAX_INDEX_BYTES = 256 * 1024 * 1024;

export type CommittedView =
  | {
      readonly kind: 'ok';
      /** Over the untouched project: exactly the tree that would be committed, and installed dependencies. */
      readonly committed: readonly ViewEntry[];
      /** The tree of HEAD, and installed dependencies. */
      readonly onHead: readonly ViewEntry[];
    }
  | { readonly kind: 'failed'; readonly why: string };

/** How a checkout of what would be committed differs from the user's project: without uncommitted work, and without what git ignores. */
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

/** What git has in its index, and what the session changes, is committed although a pattern ignores it. */
async function ignoredOf(workspace: Workspace, changes: ChangeSet): ReturnType<Workspace['ignored']> {
  const bytes = await workspace.gitIndex(MAX_INDEX_BYTES);
  const index = bytes === null ? null : parseIndex(bytes);
  const tracked = index?.kind === 'ok' ? index.index.entries.map(({ path }) => fromByteString(path)) : [];
  return workspace.ignored(new Set([...tracked, ...changes.map(({ path }) => path)]));
}
