import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';

/**
 * Opens the session's workspace. Before anything is written, records its base commit and the uncommitted paths. Throws
 * FluffyError if no work can start on the repository in its present state.
 */
export async function openSession(services: Services, session: Session, signal: AbortSignal): Promise<Workspace> {
  const workspace = await services.workspaces.open(session.id);
  if (session.snapshot.base === null) {
    const base = await services.commits.base();
    if (base.kind === 'problem') {
      throw new FluffyError({
        code: 'repository_not_ready',
        what: 'No work can start on this repository',
        why: base.reason,
        fix: 'Bring the repository to a branch with a commit and nothing in progress, then start again',
        exitCode: EXIT.usage,
      });
    }
    session.update({ base: { branch: base.branch, head: base.head } });
  }
  if (session.snapshot.dirty_at_start === null) {
    session.update({ dirty_at_start: [...(await services.commits.dirtyPaths(session, workspace, signal))] });
  }
  session.save();
  return workspace;
}
