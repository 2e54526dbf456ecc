import { OBSERVATION_TITLES } from '../../contracts/review/proof.ts';
import { describeCase } from '../proof/test-case-id.ts';
import type { TestCaseId } from '../proof/test-case-id.ts';
import type { Session } from '../session/session.ts';

const MAX_NAMED = 30;

/** The plan with the model's current steps, or else with the planned steps. With its commit it has ended: no step is open any more. */
export function describePlan({ row, snapshot: { plan, todo, plan_commit } }: Session): string {
  if (plan === null && todo.length === 0) return 'There is no plan yet.';
  const commit = plan_commit !== null && row.commits.includes(plan_commit) ? plan_commit : null;
  const planned = todo.length > 0 ? [] : (plan?.steps ?? []);
  const unmarked = commit !== null && todo.some(({ state }) => state !== 'done');
  return [
    ...(plan === null ? [] : [plan.summary]),
    ...(commit === null ? [] : [`Done with commit ${commit.slice(0, 10)}.`]),
    ...planned.map((step, index) => `${commit === null ? `${index + 1}.` : TODO_MARKS.done} ${step}`),
    ...todo.map(({ text, state }) => `${commit === null || state === 'done' ? TODO_MARKS[state] : ENDED_MARK} ${text}`),
    ...(unmarked ? [`${ENDED_MARK}: the model committed without marking this step as done`] : []),
  ].join('\n');
}

const TODO_MARKS = { done: '✓', doing: '●', open: '○' } as const;
const ENDED_MARK = '–';

/** The suite before the session, the tests that were red, and the last run of the whole suite. */
export function describeTests({ snapshot: { baseline, red, green, last_tests } }: Session): string {
  const lines: string[] = [];
  if (baseline?.kind === 'known') {
    lines.push(`before: ${baseline.passed.length} passed, ${baseline.failed.length} failed`);
    lines.push(...named([...baseline.failed.map(caseName), ...baseline.broken_files]));
  } else if (baseline !== null) lines.push(`before: not known, ${baseline.why}`);
  if (last_tests !== null) lines.push(`last other test run: ${last_tests}`);
  if (red !== null) {
    lines.push(`red: ${red.cases.length + red.files.length} failed before the source was written`);
    lines.push(...named([...red.cases.map(caseName), ...red.files]));
  }
  if (green !== null) {
    lines.push(`green: ${green.passed} passed, ${green.failed.length} failed, ${green.skipped} skipped`);
    lines.push(...named(green.failed.map(({ file, name }) => `${file} › ${name}`)));
  }
  return lines.length === 0 ? 'No tests have run in this task yet.' : lines.join('\n');
}

/** The observations about the change beyond red and green. That of mutants names those that no test noticed. */
export function describeProof({ snapshot: { proof } }: Session): string {
  const observations = proof?.observations ?? [];
  if (observations.length === 0) return 'Nothing has been proved yet: it begins when the whole suite has passed.';
  const width = Math.max(...observations.map(({ observation }) => OBSERVATION_TITLES[observation].length));
  const rows = observations.map(
    ({ observation, outcome, detail }) =>
      `${OUTCOME_MARKS[outcome]} ${OBSERVATION_TITLES[observation].padEnd(width)}  ${detail}`,
  );
  const { lines } = proof ?? {};
  const executed =
    lines === undefined ? [] : [`changed lines that new tests execute: ${lines.executed} of ${lines.changed}`];
  return [...rows, ...executed].join('\n');
}

const OUTCOME_MARKS = { held: '✓', failed: '✗', impossible: '–' } as const;

const caseName = (id: string): string => describeCase(id as TestCaseId);

function named(names: readonly string[]): string[] {
  const shown = names.slice(0, MAX_NAMED).map((name) => `  ${name}`);
  return names.length > shown.length ? [...shown, `  and ${names.length - shown.length} more`] : shown;
}
