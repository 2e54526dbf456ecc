import type { PlannedKind } from '../../../contracts/review/change-kinds.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { Snapshot } from '../../session/snapshot.ts';
import type { GreenOutcome } from '../green.ts';
import type { SourceTexts } from './source-texts.ts';
import { caseId, casesById, describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

type NotGreen = Extract<GreenOutcome, { kind: 'not-green' }>;
const MAX_NAMED = 5;

type Opened = NonNullable<Snapshot['opened']>;

export interface KeptFacts {
  readonly kind: PlannedKind;
  /** The run of the whole suite that was judged green. */
  readonly run: TestRun;
  readonly opened: Opened | null;
  /** Hash of each test file that the session changed, taken for this run. */
  readonly testHashes: Readonly<Record<string, string>>;
  readonly sources: readonly SourceTexts[];
  /** Changed paths that the policy calls source, including deleted files. */
  readonly sourcePaths: readonly string[];
}

/**
 * Pure: returns why a change does not match its planned kind although the suite passes; null if it matches. The kinds
 * are those that need no failing test.
 */
export function whyNotKept(facts: KeptFacts): NotGreen | null {
  if (facts.kind === 'tests') return whyNotTestsAlone(facts);
  const { opened, run, testHashes, sources } = facts;
  if (opened === null) throw new Error('source is written without a run that opened it');
  for (const file of new Set([...Object.keys(opened.frozen), ...Object.keys(testHashes)])) {
    if (testHashes[file] === opened.frozen[file]) continue;
    return notGreen(
      'tests_changed',
      `${file} has changed since the suite opened the source. Restore it, or go back with workflow.revise_tests.`,
    );
  }
  if (sources.length === 0) {
    const next = 'Change the source, or go back with workflow.revise_tests and plan again with kind tests.';
    return notGreen('no_source_change', `No source file has changed yet. ${next}`);
  }
  const byId = casesById(run.cases);
  const lost = opened.cases.find((id) => byId.get(id as TestCaseId)?.status !== 'passed');
  if (lost !== undefined) {
    return notGreen(
      'regression',
      `${describeCase(lost as TestCaseId)} passed before the change and does not now. Change the source.`,
    );
  }
  return facts.kind === 'deletion' ? whyNoDeletion(sources) : null;
}

function whyNotTestsAlone({ run, testHashes, sourcePaths }: KeptFacts): NotGreen | null {
  if (sourcePaths.length > 0) {
    return notGreen(
      'not_tests_alone',
      `${listFirst(sourcePaths, { max: MAX_NAMED })} changed, but the plan is for tests only. Call plan.complete again with another kind.`,
    );
  }
  const written = Object.keys(testHashes).filter((path) => testHashes[path] !== 'deleted');
  if (written.length === 0) {
    return notGreen(
      'no_tests_written',
      'No test file has been added or changed yet. Write the tests, then call test.run.',
    );
  }
  if (!run.cases.some(({ file, status }) => status === 'passed' && written.includes(file))) {
    return notGreen(
      'zero_tests_collected',
      `No case of ${written.join(', ')} passed in this run. Check its name and that it registers tests, then call test.run.`,
    );
  }
  return null;
}

/** A deletion only removes lines. A change that replaces lines needs another kind. */
function whyNoDeletion(sources: readonly SourceTexts[]): NotGreen | null {
  for (const { path, before, after } of sources) {
    if (after === null) continue;
    const added = before === null ? after.split('\n')[0] : firstAddedLine(before, after);
    if (added === undefined || added === null) continue;
    return notGreen(
      'not_a_deletion',
      `${path} has a line that was not there before: ${added.trim().slice(0, 120)}. Take it out, or go back with workflow.revise_tests and plan again with kind refactor or feature.`,
    );
  }
  return null;
}

/**
 * The first line of `after` that is not in `before` at the same place in the order. A line that only became shorter
 * counts as the same, for example a list of names. null if there is no such line.
 */
function firstAddedLine(before: string, after: string): string | null {
  const old = before.split('\n');
  let at = 0;
  for (const line of after.split('\n')) {
    const exact = old.indexOf(line, at);
    const found = exact === -1 ? old.findIndex((each, index) => index >= at && isShortened(each, line)) : exact;
    if (found === -1) {
      if (line.trim() !== '') return line;
    } else at = found + 1;
  }
  return null;
}

function isShortened(before: string, after: string): boolean {
  const left = wordsOf(before);
  let at = 0;
  return wordsOf(after).every((word) => {
    at = left.indexOf(word, at) + 1;
    return at > 0;
  });
}

function wordsOf(line: string): string[] {
  return line.match(/[\w$]+|[^\w\s]/g) ?? [];
}

/** Returns the passed cases of changed test files. They have to pass again at the end. */
export function casesOf(run: TestRun, files: ReadonlySet<string>): string[] {
  return run.cases.filter(({ file, status }) => status === 'passed' && files.has(file)).map(caseId);
}

function notGreen(code: NotGreen['code'], why: string): NotGreen {
  return { kind: 'not-green', code, why };
}
