import type { Baseline, Red } from '../../contracts/session/session-facts.ts';
import type { EvidenceReason } from '../../contracts/model/tool-errors.ts';
import type { TestCase, TestRun } from '../../contracts/sandbox/test-run.ts';
import { unusableRun } from './red.ts';
import { caseId, casesById, describeCase, outcomeOf, splitCaseId } from './test-case-id.ts';
import type { TestCaseId } from './test-case-id.ts';

/** `findings` are shown at review: facts that a person should know although the gate is passed. */
export type GreenOutcome =
  | { readonly kind: 'green'; readonly findings: readonly string[] }
  | { readonly kind: 'not-green'; readonly code: EvidenceReason; readonly why: string };

export interface GreenFacts {
  /** A run of the whole configured suite. */
  readonly run: TestRun;
  readonly baseline: Baseline;
  /** null in the explore flow, which has no red run. */
  readonly red: Red | null;
  /** Hash of each test file that the session changed, taken for this run. */
  readonly testHashes: Readonly<Record<string, string>>;
  readonly sourceChanged: boolean;
}

/** Pure: decides whether this run of the whole suite opens the review. */
export function judgeGreen(facts: GreenFacts): GreenOutcome {
  const { run, red } = facts;
  const unusable = unusableRun(run);
  if (unusable !== null) return notGreen(unusable.code, unusable.why);
  if (red !== null && !facts.sourceChanged) {
    return notGreen('no_source_change', 'No source file has changed since the tests were seen to fail.');
  }
  const byId = casesById(run.cases);
  if (red !== null) {
    const refused = redCasesHold(red, facts);
    if (refused !== null) return refused;
  }
  return comparedWithBaseline(facts.baseline, byId, red !== null);
}

function redCasesHold(
  red: Red,
  { run, baseline, testHashes: hashes }: GreenFacts,
): Extract<GreenOutcome, { kind: 'not-green' }> | null {
  for (const file of new Set([...Object.keys(red.frozen), ...Object.keys(hashes)])) {
    if (hashes[file] !== red.frozen[file]) {
      return notGreen('tests_changed', `${file} has changed since it failed. Go back with workflow.revise_tests.`);
    }
  }
  for (const id of red.cases) {
    const found = outcomeOf(id, run.cases);
    const name = describeCase(id as TestCaseId);
    if (found === undefined) return notGreen('red_case_missing', `${name} ${whyMissing(id as TestCaseId, run, red)}`);
    if (found.status === 'failed') {
      return notGreen(
        'red_case_failing',
        `${name} still fails: ${found.failure?.message ?? 'no message'}${snapshotAdvice(found)}`,
      );
    }
    if (found.status !== 'passed') return notGreen('tests_weakened', `${name} is ${found.status}, not passed.`);
  }
  const oldFailures = new Set(baseline.kind === 'known' ? baseline.failed : []);
  for (const file of red.files) {
    const cases = run.cases.filter((each) => each.file === file && !oldFailures.has(caseId(each)));
    const failing = cases.find((each) => each.status === 'failed');
    if (failing !== undefined) {
      return notGreen(
        'red_case_failing',
        `${file} › ${failing.name} fails: ${failing.failure?.message ?? 'no message'}`,
      );
    }
    if (!cases.some((each) => each.status === 'passed')) {
      return notGreen('red_case_missing', `${file} could not load before and still yields no passing test.`);
    }
  }
  return null;
}

/**
 * Runners suggest a flag that writes a missing snapshot. Here a snapshot is a test, so it must be written before the
 * source.
 */
function snapshotAdvice({ file, failure }: TestCase): string {
  if (!/--test-update-snapshots|Snapshot .* mismatched|written when .*--ci/.test(failure?.message ?? '')) return '';
  const place = /snapshot file '[^']+'/.test(failure?.message ?? '') ? `${file}.snapshot` : 'the snapshot of this case';
  return ` No flag writes or updates a snapshot here. Go back with workflow.revise_tests and write the expected text by hand into ${place}.`;
}

function whyMissing(id: TestCaseId, { cases }: TestRun, red: Red): string {
  const broken = cases.find(({ file, failure }) => failure?.kind === 'load' && id.startsWith(`${file}\0`));
  if (broken === undefined)
    return red.files.includes(splitCaseId(id).file)
      ? 'failed before the source was there, and is not in this run. If its name contains values of the new code, the name has changed: go back with workflow.revise_tests, and write the names of suites and cases as fixed texts.'
      : 'failed before and is not in this run.';
  return `did not run, because its file does not load: ${broken.failure?.message ?? 'no message'}. Write what it loads. If the name in the test is wrong, go back with workflow.revise_tests.`;
}

function comparedWithBaseline(
  baseline: Baseline,
  byId: ReadonlyMap<string, TestRun['cases'][number]>,
  strict: boolean,
): GreenOutcome {
  const findings: string[] = [];
  const oldFailures = new Set(baseline.kind === 'known' ? baseline.failed : []);
  const oldBroken = new Set(baseline.kind === 'known' ? baseline.broken_files : []);
  const oldPasses = new Set(baseline.kind === 'known' ? baseline.passed : []);

  for (const [id, each] of byId) {
    if (each.status !== 'failed') continue;
    if (oldFailures.has(id) || oldBroken.has(each.file)) {
      findings.push(`${describeCase(id as TestCaseId)} failed before this session and still does.`);
      continue;
    }
    const code = oldPasses.has(id) ? 'regression' : 'tests_failed';
    return notGreen(code, `${describeCase(id as TestCaseId)} fails: ${each.failure?.message ?? 'no message'}`);
  }
  for (const id of oldPasses) {
    const found = byId.get(id);
    if (found === undefined) findings.push(`${describeCase(id as TestCaseId)} passed before and no longer exists.`);
    else if (found.status !== 'passed')
      findings.push(`${describeCase(id as TestCaseId)} passed before and is now ${found.status}.`);
  }
  if (baseline.kind === 'unknown' && strict) {
    findings.push(`The suite could not be run before the session's first write (${baseline.why}).`);
  }
  return { kind: 'green', findings };
}

function notGreen(code: EvidenceReason, why: string): Extract<GreenOutcome, { kind: 'not-green' }> {
  return { kind: 'not-green', code, why };
}
