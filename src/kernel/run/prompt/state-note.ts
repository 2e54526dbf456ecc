import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import type { PlannedKind } from '../../../contracts/review/change-kinds.ts';
import type { RunLimits } from '../../../contracts/session/session-protocol.ts';
import type { SessionMode, SessionState } from '../../../contracts/session/workflow-states.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import type { Spent } from '../limits.ts';
import { taggedNote } from '../../context/tagged-note.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

export interface StateFacts {
  readonly mode: SessionMode;
  readonly state: SessionState;
  readonly kind: PlannedKind;
  readonly exempt: boolean;
  readonly openTools: readonly string[];
  /** The edit format that suits the model. */
  readonly editFormat: ModelChoice['edit_format'];
  /** Cases that must pass, with the names that people know. */
  readonly red: readonly string[];
  readonly limits: RunLimits;
  readonly spent: Spent;
}

const MAX_RED = 10;
/** Shares of a limit at which the model is reminded of it. */
const STEPS = [0.95, 0.8, 0.5];

/**
 * State, open tools and limits. The text is made to change seldom, because each change adds a message to the
 * conversation. Pure.
 */
export function stateNote(facts: StateFacts): string {
  const lines = [
    `Mode: ${facts.mode}. State: ${facts.state}. ${stateHint(facts)}`,
    `Tools open now: ${facts.openTools.join(', ')}.${editHint(facts)}`,
    ...limitLines(facts.limits, facts.spent),
  ];
  return taggedNote('session_state', lines.join('\n'));
}

const TEST_WRITING: Readonly<Record<PlannedKind, string>> = {
  feature: 'Only tests can be written. The source opens when test.run has seen a new test fail.',
  fix: 'Only tests can be written. The source opens when test.run has seen a new test fail.',
  refactor: 'Only tests can be written. The source opens when test.run has seen the suite pass.',
  deletion:
    'Only tests can be changed: delete the tests of the code that you will delete. The source opens when test.run has seen the suite pass.',
  tests: 'Only tests can be written. test.run has to see the suite pass, then git.commit.',
};

function stateHint(facts: StateFacts): string {
  switch (facts.state) {
    case 'idle':
    case 'planning':
      return 'Nothing is written yet. Read, then call plan.complete, or answer.';
    case 'test_writing':
      return TEST_WRITING[facts.kind];
    case 'code_writing':
      return `The source can be written, tests are frozen.${toMakePass(facts.red)} test.run runs the whole suite.`;
    case 'validating':
      return 'Tests are being run.';
    case 'reviewing':
      return 'All tests pass. Call git.commit with a message.';
    case 'committing':
      return 'The change is being committed.';
    case 'exploring':
      return facts.exempt
        ? 'Under the exemption only its paths can be written. Then test.run.'
        : 'Tests and source can be written; the commit will be marked unverified. End with test.run.';
    case 'retroactive_testing':
      return 'Write tests for the change that is staged, then test.run.';
    default:
      return assertNever(facts.state);
  }
}

const EDIT_TOOLS = { replace: 'fs.edit', patch: 'fs.patch' } as const;

function editHint({ editFormat, openTools }: StateFacts): string {
  if (editFormat === undefined) return '';
  const tool = EDIT_TOOLS[editFormat];
  return openTools.includes(tool) ? ` Change files that exist with ${tool}.` : '';
}

function toMakePass(red: readonly string[]): string {
  if (red.length === 0) return '';
  return ` To make pass: ${listFirst(red, { max: MAX_RED, separator: '; ' })}.`;
}

function limitLines(limits: RunLimits, { turns, usage, costUsd, elapsedMs }: Spent): string[] {
  const used: readonly (readonly [spent: number, limit: number | undefined, words: string])[] = [
    [turns, limits.max_turns, `${limits.max_turns} messages of yours`],
    [usage.input_tokens + usage.output_tokens, limits.max_tokens, `${limits.max_tokens} tokens`],
    [costUsd, limits.max_cost_usd, `${limits.max_cost_usd} USD`],
    [elapsedMs, limits.max_duration_ms, `${(limits.max_duration_ms ?? 0) / 60_000} minutes`],
  ];
  const lines = used.flatMap(([spent, limit, words]) =>
    limit === undefined ? [] : [`${words}${usedShare(spent / limit)}`],
  );
  return lines.length === 0 ? [] : [`The run ends at: ${lines.join(', ')}.`];
}

function usedShare(share: number): string {
  const step = STEPS.find((each) => share >= each);
  return step === undefined ? '' : ` (${step * 100} per cent are used)`;
}
