import type { RequestResult } from '../../../contracts/session/session-protocol.ts';
import { messageOf } from '../../../lib/text/message-of.ts';
import type { Session } from '../../session/session.ts';
import { record } from '../../record/audit-trail.ts';
import type { UndoResult, Services } from '../../services.ts';

type Answer = RequestResult<'session.undo'>;

/**
 * `/undo`: undoes the session's last commit, if nothing was built on it since. Only people can request it; no tool calls this. Files, index and
 * branch are restored to their state before the merge; the commit itself stays in the reflog.
 */
export async function undoLast(services: Services, session: Session): Promise<Answer> {
  const commit = session.row.commits.at(-1);
  if (commit === undefined) return refused('This session has made no commit.');
  if (session.state !== 'idle')
    return refused(
      `A task is under way (state ${session.state}). Finish it, or drop it with /reset, then undo.`,
      commit,
    );
  record(services, session, 'merge_intent', {
    caller: 'user',
    input_summary: `undo ${commit}`,
    metadata: { undoes: commit },
  });
  const result = await services.commits.undo(commit).catch((error: unknown): UndoResult => ({
    kind: 'failed',
    reason: messageOf(error),
  }));
  if (result.kind === 'undone') {
    undone(services, session, commit);
    await services.anchor();
    return { outcome: 'undone', commit, paths: [], message: `Commit ${commit} is undone.` };
  }
  const paths = result.kind === 'conflict' ? result.paths : [];
  const { reason } = result;
  record(services, session, 'merge_rejected', {
    caller: 'user',
    policy_decision: 'denied',
    deny_reason: reason,
    input_summary: `undo ${commit}`,
  });
  return refused(WHY[result.kind](reason), commit, paths);
}

const WHY: Readonly<Record<Exclude<UndoResult['kind'], 'undone'>, (reason: string) => string>> = {
  conflict: (reason) => `The commit was not undone: ${reason}. Nothing was changed.`,
  unknown: (reason) => `The commit was not undone: ${reason}. Use git revert.`,
  pending: (reason) => `The undo is not finished: ${reason}. The next start of fluffy completes or reverts it.`,
  failed: (reason) => `The commit was not undone: ${reason}. Nothing was changed.`,
};

/** Removes that commit from the session. Also called if recovery finds a completed undo. */
export function undone(services: Services, session: Session, commit: string): void {
  const commits = session.row.commits.filter((each) => each !== commit);
  record(services, session, 'merge_undone', { caller: 'user', output_summary: commit, metadata: { undone: commit } });
  session.updateRow({ commits, status: commits.length > 0 ? 'committed' : 'done' });
  session.update({ files_changed: [], undone: [...session.snapshot.undone, commit] });
  session.emit({
    type: 'notice',
    level: 'info',
    what: `Commit ${commit.slice(0, 10)} is undone`,
    why: 'you requested it; files, index and branch are restored',
    fix: '/redo makes it again, until the next commit',
    code: 'undone',
  });
  session.save();
}

function refused(message: string, commit?: string, paths: readonly string[] = []): Answer {
  return { outcome: 'refused', ...(commit === undefined ? {} : { commit }), paths: [...paths], message };
}
