import type { Baseline, Red } from '../../../contracts/session-facts.ts';
import type { TestRun } from '../../../contracts/test-run.ts';
import { describeRun } from '../../proof/describe-run.ts';
import type { GreenOutcome } from '../../proof/green.ts';
import { judgeStaged, keptRun } from '../../proof/green-run.ts';
import { prove, reasonsOf } from '../../proof/observations/prove.ts';
import { redStillHolds } from '../../proof/red-still-holds.ts';
import { exemptAsTypeOnly, whyNotTypeOnly } from '../../proof/type-only/type-only-change.ts';
import { record } from '../../record/audit-trail.ts';
import { move } from '../../record/fire-event.ts';
import type { Session } from '../../session/session.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import { judgeKept, keepsBehaviour } from './kept-gate.ts';
import { refuseRun, runAndReport, shortResult } from './suite-run.ts';
import type { TestCall } from './suite-run.ts';

/** With changes: the whole suite must pass, and what was red must be proved to pass because of the new source. */
export async function greenGate(call: TestCall): Promise<ToolAnswer> {
  const { services, session, workspace } = call;
  const strict = session.state === 'code_writing';
  if (exemptAsTypeOnly(services, session)) {
    const reasons = await whyNotTypeOnly(services, workspace, call.signal);
    if (reasons.length > 0) return notTypeOnly(call, reasons);
  }
  const baseline = await call.baseline.get(services, session, call.signal);
  const keeps = keepsBehaviour(session);
  const red = strict && !keeps ? redOf(session) : null;
  move(services, session, 'validation_started');
  const run = await runAndReport(call, []);
  const judged = keeps ? await judgeKept(call, run, baseline) : await judge(call, run, { baseline, red });
  if (judged.kind === 'not-green') {
    move(services, session, 'green_failed', judged.code);
    return refuseRun(call, judged.code, judged.why, run);
  }
  session.update({
    findings: [...judged.findings],
    green: { ...keptRun(services, run), staging_digest: await workspace.stagingDigest() },
  });
  move(services, session, 'green_confirmed');
  const text = `${describeRun(run)}\n\nThe whole suite passes. Call git.commit with the commit message.`;
  return { ok: true, text, summary: shortResult(run) };
}

/** The run of the whole suite; with `red`, also what is observed beyond it, which the session keeps as its proof. */
async function judge(
  call: TestCall,
  run: TestRun,
  { baseline, red }: { readonly baseline: Baseline; readonly red: Red | null },
): Promise<GreenOutcome> {
  const { services, session, workspace, command, signal } = call;
  const outcome = judgeStaged(services, await workspace.changes(), { run, baseline, red });
  if (outcome.kind === 'not-green' || red === null) return outcome;
  const again = await redStillHolds(services, { session, workspace }, command, { red, baseline }, signal);
  if (again.kind === 'refused') return { kind: 'not-green', code: 'sensitive_changed', why: again.why };
  const { refusal, ...proof } = await prove(call, { command, red, baseline, suiteMs: run.duration_ms });
  if (refusal !== null) return { kind: 'not-green', ...refusal };
  session.update({ proof: { ...proof, staging_digest: await workspace.stagingDigest() } });
  const rerun = again.kind === 'rerun' ? [again.finding] : [];
  return { kind: 'green', findings: [...outcome.findings, ...rerun, ...reasonsOf(proof)] };
}

/** The exemption was for types, and this is more: the change stays where it is until it is one of types again, or is taken back. */
function notTypeOnly({ services, session, callId }: TestCall, reasons: readonly string[]): ToolAnswer {
  const message = `The exemption is for a change of types alone, and this is not known to be one: ${reasons.join('; ')}. Take that part back, or drop the task and write a failing test first.`;
  session.update({ refused: { ...session.snapshot.refused, gate: true } });
  record(services, session, 'syscall', {
    tool_name: 'test.run',
    policy_decision: 'denied',
    deny_reason: message,
    metadata: { call_id: callId },
  });
  return failure('policy_denied', message);
}

function redOf(session: Session): Red {
  const { red } = session.snapshot;
  if (red === null) throw new Error('code is written without red');
  return red;
}
