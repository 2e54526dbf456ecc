import type { ProjectPath, SessionId } from '../../../contracts/ids.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { CaseCounts } from '../../../contracts/ports/sandboxes.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { EvidenceReason, ToolErrorCode } from '../../../contracts/model/tool-errors.ts';
import { namedIn } from '../../access/hidden-note.ts';
import { describeRun, saidBy } from '../../proof/run/describe-run.ts';
import { reportRun } from '../../proof/run/report-run.ts';
import type { Attempt } from '../../proof/run/merge-attempts.ts';
import { TEST_TIMEOUT_MS, attemptSuite } from '../../proof/run/run-tests.ts';
import type { TestSite } from '../../proof/run/run-tests.ts';
import { countCases } from '../../runners/count-cases.ts';
import type { Session } from '../../session/session.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { CallContext } from '../call.ts';

const PROGRESS_EVERY_MS = 30_000;

/** A call of `test.run` in a project whose test command is known. */
export interface TestCall extends CallContext {
  readonly callId: string;
  readonly command: TestCommand;
}

/** The view of the project in which tests run: the session's own, or a second one. */
export interface View {
  readonly id: SessionId;
  readonly workspace: Workspace;
  readonly overrides?: readonly ViewEntry[];
}

/** Runs the test files at or below `paths` (all if empty) and shows the result. */
export async function runAndReport(
  call: TestCall,
  paths: readonly ProjectPath[],
  view: View | null = null,
): Promise<TestRun> {
  const { id, workspace, overrides = [] }: View = view ?? { id: call.session.id, workspace: call.workspace };
  return (await attemptAndReport(call, { id, workspace, session: call.session, overrides }, paths)).run;
}

/** Like `runAndReport`, and also returns the executed lines of the files in the site's `cover`. */
export async function attemptAndReport(
  call: TestCall,
  site: TestSite,
  paths: readonly ProjectPath[] = [],
): Promise<Attempt> {
  const { services, command, signal } = call;
  const counted = { ...site, onCounts: countsOf(call) };
  const attempt = await withProgress(call, attemptSuite(services, counted, command, signal, paths));
  // If there is no test file at the paths, nothing was run.
  if (paths.length === 0 || attempt.run.requested.length > 0) showRun(call, attempt.run);
  return attempt;
}

export function showRun({ services, session, callId }: TestCall, run: TestRun): void {
  reportRun(services, session, run, callId);
  noticeHiddenFiles(session, run);
}

/**
 * The result of the suite before the session. If that run is still in progress, its time and cases are shown with this
 * call.
 */
export function suiteBefore(call: TestCall): Promise<Baseline> {
  const { services, session, signal, baseline } = call;
  return withProgress(call, baseline.get(services, session, signal, countsOf(call)));
}

/** Shows how many cases have ended, if the runner reports it. */
export function countsOf({ session, callId }: TestCall): (counts: CaseCounts) => void {
  return ({ done, failed }) => session.stream({ type: 'test.counts', call_id: callId, done, failed });
}

export function withProgress<T>(call: TestCall, run: Promise<T>): Promise<T> {
  const over = new AbortController();
  void reportProgress(call, over.signal);
  return run.finally(() => over.abort());
}

/** Reports progress, so that a run of many minutes does not look as if it hangs. */
async function reportProgress({ services: { clock }, session, callId, command }: TestCall, over: AbortSignal) {
  const startedMs = clock.monotonicMs();
  while (!over.aborted) {
    await clock.sleep(PROGRESS_EVERY_MS, over).catch(() => undefined);
    if (over.aborted) return;
    session.stream({
      type: 'test.progress',
      call_id: callId,
      elapsed_ms: clock.monotonicMs() - startedMs,
      timeout_ms: command.timeout_ms ?? TEST_TIMEOUT_MS,
    });
  }
}

/**
 * Shows a notice if a failing test names a file that policy hides from it. Nothing else would explain to people why the
 * test fails here and not on their machine.
 */
function noticeHiddenFiles(session: Session, run: TestRun): void {
  const missed = run.outcome === 'passed' ? [] : namedIn(run.hidden ?? [], saidBy(run));
  if (missed.length === 0) return;
  session.emit({
    type: 'notice',
    level: 'info',
    what: `Tests use files that policy hides from them: ${missed.map(({ path }) => path).join(', ')}`,
    why: `code of the model must not print what the model may not read (rule ${[...new Set(missed.map(({ rule }) => rule))].join(', ')})`,
    fix: 'Nothing, if they failed before; to open such a file to tests and model: fluffy config policy edit',
    code: 'hidden_by_policy',
  });
}

/**
 * Refuses to open a gate: the model gets the reason and what to do, people get a notice, and the session keeps it for
 * the exit code.
 */
export function refuseRun({ session }: TestCall, code: EvidenceReason, why: string, run: TestRun): ToolAnswer {
  session.update({ refused: { ...session.snapshot.refused, gate: true } });
  session.emit({
    type: 'notice',
    level: 'info',
    what: session.state === 'test_writing' ? 'The source stays closed' : 'The change is not ready for review',
    why,
    fix: 'Nothing: the model has received this message',
    code,
  });
  return {
    ok: false,
    error: { code: code as ToolErrorCode, message: why, retryable: true },
    text: `${why}\n\n${describeRun(run)}`,
  };
}

/** One line for people: `2 failed, 7 passed`. */
export function shortResult(run: TestRun): string {
  const { failed, passed } = countCases(run.cases);
  if (run.outcome !== 'passed' && run.outcome !== 'failed') return run.outcome;
  return failed === 0 ? `${passed} passed` : `${failed} failed, ${passed} passed`;
}
