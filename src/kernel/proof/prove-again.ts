import { move } from '../record/fire-event.ts';
import type { SessionContext } from '../services.ts';
import { describeRun } from './describe-run.ts';
import { judgeStaged, keptRun } from './green-run.ts';
import { reportRun } from './report-run.ts';
import { runSuite } from './run-tests.ts';

/**
 * After the branch has moved under a change that was green: the whole suite runs again with the change on the new head, without the model. From a
 * state in which work is done; green leads to review again. Answers null then, or why it is not green.
 */
export async function proveAgain({ services, session, workspace, signal }: SessionContext): Promise<string | null> {
  const { snapshot } = session;
  const { test_command: command } = snapshot.options;
  if (command === null) throw new Error('a green run without a test command');
  move(services, session, 'validation_started', 'branch_moved');
  const run = await runSuite(services, { id: session.id, workspace, session }, command, signal);
  reportRun(services, session, run);
  const outcome = judgeStaged(services, await workspace.changes(), {
    run,
    baseline: snapshot.baseline ?? { kind: 'unknown', why: 'not run' },
    red: snapshot.red,
  });
  if (outcome.kind === 'not-green') {
    session.update({ green: null, refused: { ...session.snapshot.refused, gate: true } });
    move(services, session, 'green_failed', outcome.code);
    return `the branch has moved since the tests passed, and on its new head: ${outcome.why}\n\n${describeRun(run)}`;
  }
  session.update({
    findings: [...new Set([...session.snapshot.findings, ...outcome.findings])],
    green: { ...keptRun(services, run), staging_digest: await workspace.stagingDigest() },
  });
  move(services, session, 'green_confirmed');
  return null;
}
