import { plannedKind } from '../../../contracts/review/change-kinds.ts';
import { settledRevisions } from '../../proof/additions/revised-tests.ts';
import { describeRun } from '../../proof/run/describe-run.ts';
import { judgeGreen } from '../../proof/green.ts';
import { entriesWithoutSource, sourceHashes, stagedWork, testHashes } from '../../proof/in-source/staged-work.ts';
import { keptAdvice } from '../../proof/kept/kept-advice.ts';
import { casesOf } from '../../proof/kept/kept-behaviour.ts';
import { move } from '../../record/fire-event.ts';
import { countCases } from '../../runners/count-cases.ts';
import { withoutSource } from '../../proof/without-source.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import { refuseRun, runAndReport, shortResult, suiteBefore } from './suite-run.ts';
import type { TestCall } from './suite-run.ts';

const START = 'A change that keeps behaviour starts from a suite that passes';

/**
 * In test_writing, for a refactoring or a deletion: the suite must pass on the unchanged source; then the source can be
 * written.
 */
export async function openingGate(call: TestCall): Promise<ToolAnswer> {
  const { services, session, workspace } = call;
  const work = await stagedWork(call);
  const policy = services.policy();
  const kind = plannedKind(session.snapshot.kind);
  const source = sourceHashes(work, policy);
  const baseline = await suiteBefore(call);
  const kept = work.changes.filter(({ path }) => source[path] === undefined);
  // Source from before a revision of the tests: the tests must pass without it. Deleted tests stay deleted.
  const view =
    Object.keys(source).length === 0
      ? null
      : await withoutSource(services, workspace, { changes: kept, texts: entriesWithoutSource(work) });
  if (view?.kind === 'failed')
    return failure(
      'conflict',
      `${view.path} could not be set up to see the suite pass without the change. Take it back and call test.run.`,
    );
  const run = await runAndReport(call, [], view).finally(() => view?.close());
  const frozen = testHashes(work, policy);
  const judged = judgeGreen({ run, baseline, red: null, testHashes: frozen, sourceChanged: false });
  if (judged.kind === 'not-green') {
    const why = `${START}: ${judged.why} Correct the test, or plan.complete again with kind fix if the source is wrong.${keptAdvice(kind, 'opening', run)}`;
    return refuseRun(call, judged.code, why, run);
  }
  if (!run.cases.some(({ status }) => status === 'passed')) {
    const why = `${START}, and no test passed. Write tests of what the source does today and call test.run, or plan.complete again with kind feature.`;
    return refuseRun(call, 'zero_tests_collected', why, run);
  }
  const cases = casesOf(run, new Set(Object.keys(frozen)));
  session.update({
    opened: { at_ms: services.clock.nowMs(), passed: countCases(run.cases).passed, cases, frozen },
    revisions: await settledRevisions(call, session.snapshot.revisions),
  });
  move(services, session, 'suite_confirmed', kind);
  const staged = view === null ? '' : ' It ran without the staged source, which is restored now.';
  const text = `${describeRun(run)}\n\nThe suite passes.${staged} The source can be written now; the tests are frozen. Then call test.run.`;
  return { ok: true, text, summary: `${shortResult(run)} (baseline confirmed)` };
}
