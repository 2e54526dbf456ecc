import { oneLine } from '../../lib/text/one-line.ts';
import type { Session } from '../session/session.ts';
import type { SessionState } from '../../contracts/session/workflow-states.ts';

/** For a model that makes no progress: what is missing in each state, and what to do. */
export const MISSING: Readonly<Record<SessionState, string>> = {
  idle: 'Answer in words, or call plan.complete.',
  planning:
    'Nothing is planned yet. Call plan.complete, answer the question in words, or call task.give_up with the reason.',
  test_writing:
    'test.run has not confirmed what it needs yet. Change a test as its last answer says, call plan.complete with another kind, or call task.give_up with the reason.',
  code_writing:
    'The suite does not pass yet. Change the source as the last answer of test.run says, go back with workflow.revise_tests, or call task.give_up with the reason.',
  validating: 'Wait for the result of test.run.',
  reviewing: 'All tests pass. Call git.commit with the commit message.',
  committing: 'The change is being committed.',
  exploring: 'Change something and call test.run, answer in words, or call task.give_up with the reason.',
  retroactive_testing: 'Write tests for the staged change and call test.run, or call task.give_up with the reason.',
};

const MAX_WHY = 600;

/**
 * For people: why the model made no progress, if its last call (of `callIds`) or the commit of the staged changes was
 * refused; null otherwise.
 */
export function whyRefused(
  { snapshot: { commit_refused: commit, last_refusal: refusal } }: Pick<Session, 'snapshot'>,
  callIds: readonly string[],
  stagingDigest: string,
): string | null {
  if (refusal !== null && callIds.includes(refusal.call_id)) {
    const why = refusal.kind === 'other' ? refusal.message : refusal.reasons.join('; ');
    return `${refusal.syscall} was refused: ${oneLine(why, MAX_WHY)}`;
  }
  return commit?.staging_digest === stagingDigest
    ? `No commit could be made: ${oneLine(commit.reason, MAX_WHY)}`
    : null;
}
