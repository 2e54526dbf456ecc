import type { SessionMode, SessionState } from '../../contracts/session/workflow-states.ts';
import type { ViewState } from '../store/view-state.ts';
import { todoProgress } from '../../lib/text/todo-words.ts';
import { own } from '../text/span.ts';
import type { Row, Span } from '../text/span.ts';

interface Step {
  readonly name: string;
  readonly states: readonly SessionState[];
  /** What may be written now, and what leads to the next step. */
  readonly needs: string;
}

const STRICT: readonly Step[] = [
  { name: 'plan', states: ['planning'], needs: 'nothing can be written yet; next: a plan' },
  { name: 'red', states: ['test_writing'], needs: 'tests are open; next: a new test that fails' },
  { name: 'source', states: ['code_writing'], needs: 'source is open, tests are frozen; next: the whole suite' },
  { name: 'green', states: ['validating'], needs: 'the whole suite runs' },
  { name: 'proof', states: [], needs: 'the tests are tried without the new source, and more' },
  { name: 'review', states: ['reviewing'], needs: 'next: the commit' },
  { name: 'commit', states: ['committing'], needs: 'merging and committing' },
];

const WITHOUT_RED: readonly Step[] = [
  {
    name: 'write',
    states: ['planning', 'exploring', 'retroactive_testing', 'test_writing', 'code_writing'],
    needs: 'source and tests are open; next: the whole suite',
  },
  { name: 'suite', states: ['validating'], needs: 'the whole suite runs' },
  { name: 'review', states: ['reviewing'], needs: 'next: the commit' },
  { name: 'commit', states: ['committing'], needs: 'merging and committing' },
];

const STEPS: Readonly<Record<SessionMode, readonly Step[]>> = {
  strict: STRICT,
  explore: WITHOUT_RED,
  debug: WITHOUT_RED,
};

/** With less room, only the current step is named: what is missing matters more than the names of the others. */
const ALL_STEPS_FROM = 124;

/** Where the work is: the steps up to the commit, which of them are done, and what is missing for the next. Null while the session is idle. */
export function workflowStrip(
  view: Pick<ViewState, 'mode' | 'state' | 'proving' | 'card' | 'todo'>,
  columns: number,
): Row | null {
  const steps = STEPS[view.mode];
  const proving = view.proving !== null && view.state === 'validating';
  const at = steps.findIndex(({ name, states }) => (proving ? name === 'proof' : states.includes(view.state)));
  const current = steps[proving && at === -1 ? 1 : at];
  if (current === undefined) return null;
  const needs = needsNow(view, proving ? (view.proving ?? '') : null) ?? current.needs;
  const index = steps.indexOf(current);
  if (columns < ALL_STEPS_FROM) {
    return [
      own('✓'.repeat(index), 'good'),
      own('●', 'accent'),
      own('·'.repeat(steps.length - index - 1), 'dim'),
      own(` ${current.name}`, 'accent'),
      own(`  ${needs}`, 'dim'),
    ];
  }
  const named = steps.flatMap((step, place): Span[] => [
    ...(place === 0 ? [] : [own(' › ', 'dim')]),
    stepSpan(step.name, place - index),
  ]);
  return [...named, own(`   ${needs}`, 'dim')];
}

function needsNow({ card, todo }: Pick<ViewState, 'card' | 'todo'>, proving: string | null): string | null {
  if (card !== null) return 'your decision';
  return proving ?? todoProgress(todo);
}

function stepSpan(name: string, distance: number): Span {
  if (distance < 0) return own(`✓ ${name}`, 'good');
  return distance === 0 ? own(`● ${name}`, 'accent') : own(name, 'dim');
}
