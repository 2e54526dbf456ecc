import type { RequestResult } from '../../../contracts/session/session-protocol.ts';
import { messageOf } from '../../../lib/text/message-of.ts';
import { record } from '../../record/audit-trail.ts';
import type { RedoResult, Services } from '../../services.ts';
import type { Session } from '../../session/session.ts';

type Answer = RequestResult<'session.redo'>;

/**
 * `/redo`: makes the commit that the last `/undo` took back again: the same approved files, under the same id. Only
 * people can request it; no tool calls this. Refused if anything has changed since.
 */
export async function redoLast(services: Services, session: Session): Promise<Answer> {
  const commit = session.snapshot.undone.at(-1);
  if (commit === undefined) return refused('There is nothing to redo: /undo took no commit back since the last one.');
  if (session.state !== 'idle')
    return refused(
      `A task is under way (state ${session.state}). Finish it, or drop it with /reset, then redo.`,
      commit,
    );
  record(services, session, 'merge_intent', {
    caller: 'user',
    input_summary: `redo ${commit}`,
    metadata: { redoes: commit },
  });
  const result = await services.commits.redo(commit).catch((error: unknown): RedoResult => ({
    kind: 'failed',
    reason: messageOf(error),
  }));
  if (result.kind === 'redone') {
    redone(services, session, commit);
    await services.anchor();
    return { outcome: 'redone', commit, paths: [], message: `Commit ${commit} was made again.` };
  }
  const { reason } = result;
  record(services, session, 'merge_rejected', {
    caller: 'user',
    policy_decision: 'denied',
    deny_reason: reason,
    input_summary: `redo ${commit}`,
  });
  const next =
    result.kind === 'pending'
      ? 'The next start of fluffy completes or reverts it.'
      : `Nothing was changed. git cherry-pick ${commit} makes a commit of the same changes, as long as git keeps it.`;
  return refused(
    `The commit was not made again: ${reason}. ${next}`,
    commit,
    result.kind === 'conflict' ? result.paths : [],
  );
}

/** Adds that commit to the session again. Also called if recovery finds a completed redo. */
export function redone(services: Services, session: Session, commit: string): void {
  record(services, session, 'merge_completed', {
    caller: 'user',
    output_summary: commit,
    metadata: { redone: commit },
  });
  session.updateRow({ commits: [...session.row.commits, commit], status: 'committed' });
  session.update({ undone: session.snapshot.undone.filter((each) => each !== commit) });
  session.emit({
    type: 'notice',
    level: 'info',
    what: `Commit ${commit.slice(0, 10)} was made again`,
    why: 'you requested it; files, index and branch are restored to the undone commit',
    fix: '/undo removes it again',
    code: 'redone',
  });
  session.save();
}

function refused(message: string, commit?: string, paths: readonly string[] = []): Answer {
  return { outcome: 'refused', ...(commit === undefined ? {} : { commit }), paths: [...paths], message };
}
