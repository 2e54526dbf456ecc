import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { RedBy } from '../../../contracts/review/proof.ts';
import type { Baseline, Red } from '../../../contracts/session/session-facts.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import { classifyPath } from '../../policy/index.ts';
import type { PathClass } from '../../policy/index.ts';
import { settledRevisions } from '../../proof/additions/revised-tests.ts';
import { hashesOf, isChange, sensitiveTo } from '../../proof/changed-files.ts';
import { describeRun } from '../../proof/run/describe-run.ts';
import { entriesWithoutSource, sourceHashes, stagedWork, testHashes } from '../../proof/in-source/staged-work.ts';
import type { StagedWork } from '../../proof/in-source/staged-work.ts';
import { asObservation, observe } from '../../proof/observations/observe.ts';
import { judgeRed } from '../../proof/red.ts';
import { redCaseLimitMs } from '../../proof/run/time-limits.ts';
import type { TestSite } from '../../proof/run/run-tests.ts';
import { whyShadowed } from '../../proof/shadowed-modules.ts';
import { failOnStandIns, judgeStandIns, redWithStandIns } from '../../proof/stand-ins/red-with-stand-ins.ts';
import type { StandInRed } from '../../proof/stand-ins/red-with-stand-ins.ts';
import { thrownBySource } from '../../proof/stand-ins/thrown-by-source.ts';
import type { ThrownBySource } from '../../proof/stand-ins/thrown-by-source.ts';
import { caseId, describeCase } from '../../proof/test-case-id.ts';
import type { TestCaseId } from '../../proof/test-case-id.ts';
import { withoutSource } from '../../proof/without-source.ts';
import { move } from '../../record/fire-event.ts';
import { explainNotCollected } from '../../runners/collected-name.ts';
import { runnerFor } from '../../runners/command-parts.ts';
import { resolvesInside } from '../../runners/missing-module.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import { attemptAndReport, refuseRun, shortResult, suiteBefore } from './suite-run.ts';
import type { TestCall, View } from './suite-run.ts';

const WITHOUT_SOURCE =
  'These tests ran without the staged source, because they must be seen to fail without it. The source is restored after this run.';

/** In test_writing: the new tests must fail; then the source can be written. */
export async function redGate(call: TestCall, paths: readonly ProjectPath[]): Promise<ToolAnswer> {
  const { services, workspace } = call;
  const baseline = await suiteBefore(call);
  const work = await stagedWork(call);
  const { changes } = work;
  const isSensitive = sensitiveTo(call.command, services.options.project_root);
  const isSource = (kind: PathClass, path: string) => isChange(kind) && !isSensitive(kind, path);
  const hasSource = Object.keys(sourceHashes(work, services.policy(), isSource)).length > 0;
  // Source from before a revision of the tests: red must be observed without it.
  const kept = hasSource
    ? changes.filter(
        ({ path, after }) => after.kind === 'file' && !isSource(classifyPath(services.policy(), path), path),
      )
    : changes;
  const view = hasSource
    ? await withoutSource(services, workspace, { changes: kept, texts: entriesWithoutSource(work) })
    : null;
  if (view?.kind === 'failed')
    return failure('conflict', `${view.path} could not be set up to see the tests fail without the source.`);
  try {
    return await redIn(call, paths, { work, kept, baseline, view });
  } finally {
    await view?.close();
  }
}

interface RedView {
  readonly work: StagedWork;
  /** The changes that the run sees. */
  readonly kept: ChangeSet;
  readonly baseline: Baseline;
  /** null: no source is staged. */
  readonly view: View | null;
}

async function redIn(call: TestCall, paths: readonly ProjectPath[], seen: RedView): Promise<ToolAnswer> {
  const { services, session, workspace } = call;
  const { work, kept, baseline, view } = seen;
  const caseMs = redCaseLimitMs(baseline);
  const site: TestSite = { id: view?.id ?? session.id, workspace: view?.workspace ?? workspace, session, caseMs };
  const { run } = await attemptAndReport(call, { ...site, overrides: view?.overrides ?? [] }, paths);
  const note = view === null ? '' : `${WITHOUT_SOURCE}\n`;
  const shadowed = await whyShadowed(call);
  if (shadowed !== null) return refuseRun(call, 'shadowed_module', shadowed, run);
  const frozen = testHashes(work, services.policy());
  const written = Object.keys(frozen).filter((path) => frozen[path] !== 'deleted');
  const isInside = (file: string, specifier: string): boolean =>
    resolvesInside(services.options.project_root, file, specifier);
  const thrown = await thrownIn(
    call,
    site,
    run.cases.filter((each) => isThrown(each, new Set(written), isInside)),
  );
  const outcome = judgeRed({
    run,
    baseline,
    changedTests: new Set(written),
    deletedTests: Object.keys(frozen).filter((path) => frozen[path] === 'deleted'),
    resolvesInside: isInside,
    isThrownBySource: (file) => thrown?.files.includes(file) === true,
    explainNotCollected: (files) => explainNotCollected(call.command, files),
  });
  if (outcome.kind === 'not-red') return refuseRun(call, outcome.code, `${note}${outcome.why}`, run);

  const { files } = outcome;
  // Source that is built together with the tests gets its stand-ins at green, from the source that exists then.
  const loaded = files.filter((file) => runnerFor(call.command, file).builds !== true);
  const stood =
    loaded.length === 0
      ? null
      : await observe(services, session, 'stand_ins', () =>
          onStandIns(call, site, { files: loaded, run, thrown, baseline }),
        );
  if (stood?.outcome === 'failed') return refuseRun(call, 'empty_case', whyEmpty(stood.empty), run);
  const helpers = new Set(stood?.helpers);
  const tests = files.filter((file) => !helpers.has(file));
  if (outcome.cases.length + tests.length === 0) return refuseRun(call, 'zero_tests_collected', whyNoCase(files), run);

  const red: Red = {
    run_id: services.random.id('t', 16),
    cases: [...new Set([...outcome.cases, ...(stood?.cases ?? [])])],
    files: tests,
    frozen,
    sensitive: hashesOf(kept, services.policy(), sensitiveTo(call.command, services.options.project_root)),
    staging_digest: await workspace.stagingDigest(),
    at_ms: services.clock.nowMs(),
    by: redBy(run, outcome.cases, stood === null ? 0 : stood.cases.length + stood.unnamed),
    ...(stood === null ? {} : { stand_ins: asObservation(stood) }),
  };
  session.update({ red, revisions: await settledRevisions(call, session.snapshot.revisions) });
  move(services, session, 'red_confirmed', describeRed(red));
  const text = `${note}${describeRun(run)}\n\nThe new tests fail, as expected: ${describeRed(red)}. The source can be written now. The tests are frozen.`;
  return { ok: true, text, summary: `${shortResult(run)} (red confirmed)` };
}

/** Whether a changed test file did not load, for another reason than a missing module or export. */
function isThrown(
  { file, failure }: TestCase,
  written: ReadonlySet<string>,
  isInside: (file: string, specifier: string) => boolean,
): boolean {
  if (!written.has(file) || (failure?.kind !== 'load' && failure?.kind !== 'crash')) return false;
  return failure.missing === undefined || !isInside(file, failure.missing.specifier);
}

async function thrownIn(call: TestCall, site: TestSite, failed: readonly TestCase[]): Promise<ThrownBySource | null> {
  return failed.length === 0 ? null : thrownBySource(call.services, site, call.command, failed, call.signal);
}

/**
 * The results of cases in files that do not load: with stand-ins for what is missing, or with the throwing source made
 * silent.
 */
async function onStandIns(
  { services, command, signal }: TestCall,
  site: TestSite,
  {
    files,
    run,
    thrown,
    baseline,
  }: {
    readonly files: readonly string[];
    readonly run: TestRun;
    readonly thrown: ThrownBySource | null;
    readonly baseline: Baseline;
  },
): Promise<StandInRed> {
  const silenced = files.filter((file) => thrown?.files.includes(file) === true);
  const lacking = files.filter((file) => !silenced.includes(file));
  const made = [
    ...(thrown === null || silenced.length === 0 ? [] : [judgeStandIns(thrown.run, silenced, baseline)]),
    ...(lacking.length === 0
      ? []
      : [await redWithStandIns(services, site, command, { files: lacking, run, baseline }, signal)]),
  ];
  const worst = made.find(({ outcome }) => outcome === 'failed') ?? made.find(({ outcome }) => outcome !== 'held');
  const cases = made.flatMap((each) => each.cases);
  const helpers = made.flatMap((each) => each.helpers);
  const unnamed = made.reduce((sum, each) => sum + each.unnamed, 0);
  return worst === undefined
    ? {
        outcome: 'held',
        detail: failOnStandIns(cases.length + unnamed),
        cases,
        unnamed,
        empty: [],
        helpers,
      }
    : { ...worst, cases, unnamed, helpers };
}

function redBy({ cases }: TestRun, ids: readonly string[], onStandIns: number): RedBy {
  const red = cases.filter((each) => ids.includes(caseId(each)));
  const by = (kind: NonNullable<TestCase['failure']>['kind']): number =>
    red.filter(({ failure }) => failure?.kind === kind).length;
  return { assertion: by('assertion'), error: by('error'), timeout: by('timeout'), stand_ins: onStandIns };
}

function whyEmpty(cases: readonly string[]): string {
  const named = cases.slice(0, 5).map((id) => describeCase(id as TestCaseId));
  return `Does not fail although nothing that it imports exists yet: ${named.join('; ')}. Each new case must assert a result of the new code. If it expects an error, name its class or message. If it only checks that something exists, call it. Remove cases that are skipped or marked as to do.`;
}

function whyNoCase(files: readonly string[]): string {
  return `No test case is in ${files.join(', ')}. Write a test file that imports it and has a case.`;
}

function describeRed(red: Red): string {
  return [
    ...red.cases.map((id) => describeCase(id as TestCaseId)),
    ...red.files.map((file) => `${file} (does not load yet)`),
  ]
    .slice(0, 10)
    .join('; ');
}
