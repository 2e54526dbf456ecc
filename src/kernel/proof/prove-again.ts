import { countCases } from '../runners/count-cases.ts';
import { move } from '../record/fire-event.ts';
import type { SessionContext } from '../services.ts';
import { hashesOf, isChange, isTest } from './changed-files.ts';
import { describeRun } from './describe-run.ts';
import { judgeGreen } from './green.ts';
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
  const changes = await workspace.changes();
  const outcome = judgeGreen({
    run,
    baseline: snapshot.baseline ?? { kind: 'unknown', why: 'not run' },
    red: snapshot.red,
    testHashes: hashesOf(changes, services.policy(), isTest),
    sourceChanged: Object.keys(hashesOf(changes, services.policy(), isChange)).length > 0,
  });
  if (outcome.kind === 'not-green') {
    session.update({ green: null, refused: { ...session.snapshot.refused, gate: true } });
    move(services, session, 'green_failed', outcome.code);
    return `the branch has moved since the tests passed, and on its new head: ${outcome.why}\n\n${describeRun(run)}`;
  }
  const { passed, skipped } = countCases(run.cases);
  session.update({
    findings: [...new Set([...session.snapshot.findings, ...outcome.findings])],
    green: {
      run_id: services.random.id('t', 16),
      at_ms: services.clock.nowMs(),
      staging_digest: await workspace.stagingDigest(),
      passed,
      skipped,
      failed: run.cases.filter((each) => each.status === 'failed').map(({ file, name }) => ({ file, name })),
    },
  });
  move(services, session, 'green_confirmed');
  return null;
}
