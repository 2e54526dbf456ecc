import { record } from '../../record/audit-trail.ts';
import { move } from '../../record/fire-event.ts';
import type { CommitResult, SessionWork } from '../../services.ts';
import type { ReviewResult } from '../review-result.ts';

/** Updates the session after a merge. `paths`: the paths that the commit changes. */
export async function settleMerge(
  context: SessionWork,
  result: CommitResult,
  paths: readonly string[],
): Promise<ReviewResult> {
  const { services, session } = context;
  if (result.kind === 'committed') {
    const subject = session.snapshot.review?.message.split('\n')[0] ?? '';
    await completed(context, result.commit, paths);
    return { kind: 'end', end: { kind: 'committed', commit: result.commit, subject } };
  }
  if (result.kind === 'pending') {
    record(services, session, 'merge_rejected', { policy_decision: 'denied', deny_reason: result.reason });
    return {
      kind: 'end',
      end: {
        kind: 'merge-failed',
        reason: `The merge is not finished: ${result.reason}. The next start of fluffy completes or reverts it.`,
      },
    };
  }
  const reason = result.kind === 'conflict' ? `${result.reason} ${result.paths.join(', ')}` : result.reason;
  record(services, session, 'merge_rejected', { policy_decision: 'denied', deny_reason: reason });
  session.update({ review: null, prepared: null, commit_message: null, green: null });
  session.emit({
    type: 'notice',
    level: 'warn',
    what: 'The change was not merged; the project was not changed',
    why: reason,
    fix: 'Look at the files named, then resume the session: fluffy --continue',
    code: result.kind === 'conflict' ? 'conflict' : 'merge_failed',
  });
  move(services, session, 'commit_failed', result.kind);
  return { kind: 'end', end: { kind: 'merge-failed', reason: `The change was not merged: ${reason}` } };
}

/**
 * After the merge: the session has its commit, and nothing is staged any more. Also called if recovery finds a merge
 * that was completed.
 */
export async function completed(
  { services, session, workspace }: SessionWork,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  record(services, session, 'merge_completed', { output_summary: commit, metadata: { commit } });
  session.updateRow({ commits: [...session.row.commits, commit] });
  session.update({ review: null, files_changed: [...paths], undone: [], plan_commit: commit });
  move(services, session, 'commit_completed', commit);
  await workspace.reset();
}
