import type { SessionMode, SessionState } from '../../contracts/session/workflow-states.ts';
import type { ViewState } from '../store/view-state.ts';
import { todoProgress } from '../../lib/text/todo-words.ts';
import { widestCells } from '../text/cells.ts';
import { cutRow } from '../text/cut-row.ts';
import { elapsedWords, provingWords } from './proving-words.ts';
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

/** From this width on, names and the missing step share one row. */
const ONE_ROW_FROM = 124;
/** In a narrower terminal only the current step is named. */
const NAMES_FROM = 60;
/** A low terminal has no row for the names. */
const NAMES_FROM_ROWS = 18;

/**
 * The progress of the work: the steps up to the commit, which are done, what may be written now, what is missing for the next step, and the current
 * step of the plan. No row while the session is idle.
 */
export function workflowStrip(
  view: Pick<ViewState, 'mode' | 'isExempt' | 'state' | 'stateSinceMs' | 'proving' | 'card' | 'todo'>,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  nowMs: number,
): readonly Row[] {
  const steps = view.isExempt ? WITHOUT_RED : STEPS[view.mode];
  const proving = view.state === 'validating' ? view.proving : null;
  const at = steps.findIndex(({ name, states }) => (proving !== null ? name === 'proof' : states.includes(view.state)));
  const current = steps[proving !== null && at === -1 ? 1 : at];
  if (current === undefined) return [];
  const index = steps.indexOf(current);
  const needs =
    view.card !== null
      ? 'your decision'
      : proving === null
        ? stepWords(view, current, nowMs)
        : provingWords(proving, nowMs);
  const progress = view.card === null ? todoProgress(view.todo) : null;
  const missing: Row = [own(needs, 'dim'), ...(progress === null ? [] : [own(` · ${progress}`, 'dim')])];
  if (columns < NAMES_FROM || rows < NAMES_FROM_ROWS) return [[...shortSteps(steps, index), own('  '), ...missing]];
  const named = steps.flatMap((step, place): Span[] => [
    ...(place === 0 ? [] : [own(' › ', 'dim')]),
    stepSpan(step.name, place - index),
  ]);
  return columns < ONE_ROW_FROM
    ? [named, fit([own('  '), ...missing], columns)]
    : [fit([...named, own('   '), ...missing], columns)];
}

/** A step that nobody can speed up shows its duration. */
function stepWords(
  { state, stateSinceMs }: Pick<ViewState, 'state' | 'stateSinceMs'>,
  { needs }: Step,
  nowMs: number,
): string {
  const lasts = state === 'validating' || state === 'committing';
  return [needs, ...(lasts ? elapsedWords(stateSinceMs ?? nowMs, nowMs) : [])].join(' · ');
}

/** Cuts to one row. The mark of a cut is two cells wide in some fonts. */
function fit(row: Row, columns: number): Row {
  return cutRow(row, columns - 1, widestCells);
}

function shortSteps(steps: readonly Step[], index: number): Row {
  return [
    own('✓'.repeat(index), 'good'),
    own('●', 'accent'),
    own('·'.repeat(steps.length - index - 1), 'dim'),
    own(` ${steps[index]?.name ?? ''}`, 'accent'),
  ];
}

function stepSpan(name: string, distance: number): Span {
  if (distance < 0) return own(`✓ ${name}`, 'good');
  return distance === 0 ? own(`● ${name}`, 'accent') : own(name, 'dim');
}
