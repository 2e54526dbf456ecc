import type { EvidenceReason } from '../../contracts/model/tool-errors.ts';
import { move } from '../record/fire-event.ts';
import type { SessionContext } from '../services.ts';
import type { Session } from '../session/session.ts';
import { BaselineRun } from './baseline-run.ts';
import { describeRun } from './run/describe-run.ts';
import { countedSources } from './executed/counted-sources.ts';
import { keptRun } from './green-run.ts';
import { judgeWork } from './judge-work.ts';
import { reasonsOf } from './observations/prove.ts';
import { reportRun } from './run/report-run.ts';
import { attemptSuite } from './run/run-tests.ts';

/**
 * Runs the whole suite and all observations again, without the model, because the branch has moved since the change was
 * green. The change is applied to the new head. Can be called in every state in which the work is done; green leads
 * back to review. Returns null if it is green, otherwise the reason.
 */
export async function proveAgain(context: SessionContext): Promise<string | null> {
  const { services, session, workspace, signal } = context;
  const { snapshot } = session;
  const { test_command: command } = snapshot.options;
  if (command === null) throw new Error('a green run without a test command');
  move(services, session, 'validation_started', 'branch_moved');
  // A new baseline, so that a case that another commit broke does not count against this change.
  const baseline = await new BaselineRun().get(services, session, signal);
  const cover = await countedSources(context, command);
  const site = { id: session.id, workspace, session, cover };
  const { run, executed } = await attemptSuite(services, site, command, signal);
  reportRun(services, session, run);
  const judged = await judgeWork(context, { command, run, executed, baseline });
  if (judged.kind === 'not-green') return notGreen(context, judged.code, `${judged.why}\n\n${describeRun(run)}`);
  const staging_digest = await workspace.stagingDigest();
  session.update({
    // Findings about the old head are dropped: they describe another tree.
    findings: [...new Set([...keptFindings(session), ...judged.findings])],
    proof: judged.proof === null ? null : { ...judged.proof, staging_digest },
    green: { ...keptRun(services, run), staging_digest },
  });
  move(services, session, 'green_confirmed');
  return null;
}

function keptFindings({ snapshot }: Session): string[] {
  const old = new Set(snapshot.proof === null ? [] : reasonsOf(snapshot.proof));
  return snapshot.findings.filter((finding) => !old.has(finding));
}

function notGreen({ services, session }: SessionContext, code: EvidenceReason, why: string): string {
  session.update({ green: null, refused: { ...session.snapshot.refused, gate: true } });
  move(services, session, 'green_failed', code);
  return `the branch has moved since the tests passed, and on its new head: ${why}`;
}
