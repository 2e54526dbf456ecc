import type { ProjectPath } from '../../../contracts/ids.ts';
import { describeRun } from '../../proof/run/describe-run.ts';
import { countedSources } from '../../proof/executed/counted-sources.ts';
import { keptRun } from '../../proof/green-run.ts';
import { judgeWork } from '../../proof/judge-work.ts';
import { exemptAsTypeOnly, whyNotTypeOnly } from '../../proof/type-only/type-only-change.ts';
import { record } from '../../record/audit-trail.ts';
import { move } from '../../record/fire-event.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import { afterGreen } from './after-green.ts';
import { newlyFailingFiles, runLikelyFailing } from './likely-failing.ts';
import { attemptAndReport, refuseRun, shortResult, suiteBefore } from './suite-run.ts';
import type { TestCall } from './suite-run.ts';

/**
 * With staged changes: the whole suite must pass, and the cases that were red must be proved to pass because of the new
 * source. In a long suite, the paths in `named` (from the model) run first.
 */
export async function greenGate(call: TestCall, named: readonly ProjectPath[] = []): Promise<ToolAnswer> {
  const { services, session, workspace } = call;
  if (exemptAsTypeOnly(services, session)) {
    const reasons = await whyNotTypeOnly(services, workspace, call.signal);
    if (reasons.length > 0) return notTypeOnly(call, reasons);
  }
  const baseline = await suiteBefore(call);
  move(services, session, 'validation_started');
  const { command } = call;
  const early = await runLikelyFailing(call, { baseline, named });
  if (early !== null) {
    // Each failing file is run alone only once: a file that fails only when run alone must not block the whole suite
    // for ever.
    session.update({ failing_files: [] });
    move(services, session, 'green_failed', early.code);
    return refuseRun(call, early.code, early.why, early.run);
  }
  const cover = await countedSources(call, command);
  const { run, executed } = await attemptAndReport(call, { id: session.id, workspace, session, cover });
  const judged = await judgeWork(call, { command, run, executed, baseline });
  session.update({ failing_files: newlyFailingFiles(run, baseline) });
  if (judged.kind === 'not-green') {
    move(services, session, 'green_failed', judged.code);
    return refuseRun(call, judged.code, judged.why, run);
  }
  const staging_digest = await workspace.stagingDigest();
  session.update({
    findings: [...judged.findings],
    proof: judged.proof === null ? null : { ...judged.proof, staging_digest },
    green: { ...keptRun(services, run), staging_digest },
  });
  move(services, session, 'green_confirmed');
  const text = `${describeRun(run)}\n\nThe whole suite passes. ${afterGreen(judged.proof, command)}`;
  return { ok: true, text, summary: shortResult(run) };
}

/**
 * The exemption covers types only, and this change is more. It stays in this state until the change is only of types
 * again, or is reverted.
 */
function notTypeOnly({ services, session, callId }: TestCall, reasons: readonly string[]): ToolAnswer {
  const message = `The exemption is for a change of types only, and this change may be more: ${reasons.join('; ')}. Revert that part, or drop the task and write a failing test first.`;
  session.update({ refused: { ...session.snapshot.refused, gate: true } });
  record(services, session, 'syscall', {
    tool_name: 'test.run',
    policy_decision: 'denied',
    deny_reason: message,
    metadata: { call_id: callId },
  });
  return failure('policy_denied', message);
}
