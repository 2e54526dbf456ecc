import { assertNever } from '../../lib/assert-never.ts';
import type { Baseline, Red } from '../../contracts/session/session-facts.ts';
import type { EvidenceReason } from '../../contracts/model/tool-errors.ts';
import type { TestCase, TestRun } from '../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { caseId, casesById, splitCaseId } from './test-case-id.ts';

const MAX_NAMED = 5;
const LIMIT_WAITS =
  'If a case waits for what may never come, give that wait a time limit, so that the case fails and not the run.';

export type RedOutcome =
  | { readonly kind: 'red'; readonly cases: readonly string[]; readonly files: readonly string[] }
  | { readonly kind: 'not-red'; readonly code: EvidenceReason; readonly why: string };

export interface RedFacts {
  readonly run: TestRun;
  readonly baseline: Baseline;
  /** Test files that this session added or changed, project-relative. */
  readonly changedTests: ReadonlySet<string>;
  /** Test files that this session deleted, project-relative. */
  readonly deletedTests?: readonly string[];
  /** Whether a module specifier in a test file names a path inside the project. The file need not exist. */
  readonly resolvesInside: (fromFile: string, specifier: string) => boolean;
  /** Whether a test file does not load because the project's own source throws. */
  readonly isThrownBySource?: (file: string) => boolean;
  /** Text for the model: which file names the runner collects, and how to name these files. */
  readonly explainNotCollected: (files: readonly string[]) => string;
}

/** Pure: decides whether this run opens the source to changes, and if not, why. */
export function judgeRed(facts: RedFacts): RedOutcome {
  const { run, changedTests } = facts;
  if (changedTests.size === 0) {
    return notRed('no_tests_written', whyNoTests(facts.deletedTests ?? []));
  }
  const unusable = unusableRun(run);
  if (unusable !== null) return unusable;
  if (![...changedTests].some((file) => run.files.includes(file))) {
    return notRed(
      'not_executed',
      `The run did not include ${[...changedTests].join(', ')}. Run these files, under a name that the test runner collects. ${facts.explainNotCollected([...changedTests])}`,
    );
  }
  if (run.cases.length === 0) {
    return notRed('zero_tests_collected', 'The runner collected no test case. Check that the file registers tests.');
  }

  const old = new Set(facts.baseline.kind === 'known' ? facts.baseline.failed : []);
  const oldBroken = new Set(facts.baseline.kind === 'known' ? facts.baseline.broken_files : []);
  const ours = [...casesById(run.cases).values()].filter((each) => changedTests.has(each.file));
  if (ours.length === 0) {
    return notRed('zero_tests_collected', `No test case was collected from ${[...changedTests].join(', ')}.`);
  }
  const failed = ours.filter((each) => each.status === 'failed');

  const broken = failed.filter((each) => failedToLoad(each) && !isSourceAtFault(each, facts));
  if (broken.length > 0) {
    const first = broken[0] as TestCase;
    return notRed(
      'load_failure',
      `${first.file} did not load: ${first.failure?.message ?? 'no message'}. Fix the test file. What it calls outside of its cases has to work without the new source: move such calls into a case.`,
    );
  }
  const cases = failed.filter((each) => !failedToLoad(each) && !old.has(caseId(each))).map(caseId);
  const files = failed.filter((each) => failedToLoad(each) && !oldBroken.has(each.file)).map((each) => each.file);
  if (cases.length + files.length > 0) return { kind: 'red', cases, files: [...new Set(files)] };

  if (run.cases.some((each) => each.status === 'failed')) {
    return notRed(
      'no_target_failed',
      'Only tests that failed before this session fail. A test that this session adds or changes must fail.',
    );
  }
  return notRed(
    'unexpected_green',
    'Every new test already passes, so it proves nothing. Write a test that fails because the behaviour is missing. To keep these as tests of existing behaviour, call plan.complete again with kind tests.',
  );
}

/**
 * Pure: returns the cases and files that were red and are not red in a second run. If a file did not load, its cases
 * were seen to fail with stand-ins. They count as red as long as the file does not load.
 */
export function noLongerRed(red: Pick<Red, 'cases' | 'files'>, again: RedOutcome): string[] {
  const still = new Set<string>(again.kind === 'red' ? [...again.cases, ...again.files] : []);
  const isUnloaded = ({ file }: { readonly file: string }): boolean => red.files.includes(file) && still.has(file);
  return [
    ...red.cases.filter((id) => !still.has(id) && !isUnloaded(splitCaseId(id))),
    ...red.files.filter((id) => !still.has(id)),
  ];
}

function whyNoTests(deleted: readonly string[]): string {
  if (deleted.length === 0) return 'No test file has been added or changed yet. Write the test first, then run it.';
  return `Tests are deleted (${listFirst(deleted, { max: MAX_NAMED })}), and none has been added or changed. To delete the tested code too, call plan.complete again with kind deletion. For any other change, write a test first, then run it.`;
}

/** Returns why a run says nothing about the tests, or null if its results can be used. */
export function unusableRun(run: TestRun): Extract<RedOutcome, { kind: 'not-red' }> | null {
  const why = run.why ?? '';
  switch (run.outcome) {
    case 'passed':
    case 'failed':
      return null;
    case 'invalid':
      return notRed('invalid_report', why === '' ? 'The test report could not be believed.' : why);
    case 'tampered':
      return notRed(
        'tampered',
        `${why}. Take out what keeps tests of the file from running or being judged: .only, filters, replaced functions of the runner. Put a hook that can fail into a suite (describe) with the cases that need it.`,
      );
    case 'timeout':
      return notRed('timeout', `${why === '' ? 'The tests did not end in time.' : why} ${LIMIT_WAITS}`);
    case 'out_of_memory':
      return notRed('runner_failure', 'The tests ran out of memory.');
    case 'killed':
      return notRed('runner_failure', `The test runner was killed. ${why}`.trim());
    case 'crashed':
      return notRed('runner_failure', `The test runner crashed. ${why}`.trim());
    default:
      return assertNever(run.outcome);
  }
}

function notRed(code: EvidenceReason, why: string): Extract<RedOutcome, { kind: 'not-red' }> {
  return { kind: 'not-red', code, why };
}

function failedToLoad(each: TestCase): boolean {
  return each.failure?.kind === 'load' || each.failure?.kind === 'crash';
}

/** Whether the failure comes from source that is not written yet: a missing module or export, or a stub that throws. */
function isSourceAtFault(each: TestCase, facts: RedFacts): boolean {
  return isMissingInside(each, facts) || facts.isThrownBySource?.(each.file) === true;
}

function isMissingInside(each: TestCase, facts: RedFacts): boolean {
  const missing = each.failure?.missing;
  return each.failure?.kind === 'load' && missing !== undefined && facts.resolvesInside(each.file, missing.specifier);
}
