import { assertNever } from '../../lib/assert-never.ts';
import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { SessionState } from '../../contracts/session/workflow-states.ts';
import { modelCutOff, modelEmptyAnswer, modelRefused } from './model/model-errors.ts';

/** What happens after the model ends a message without calling a tool. */
export type AfterAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'propose'; readonly message: string }
  | { readonly kind: 'nudge'; readonly text: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: FluffyError };

export interface AnswerFacts {
  readonly state: SessionState;
  /** Number of consecutive answers without a call, including this one. */
  readonly idleAnswers: number;
  readonly planSummary: string | null;
  readonly hasStaged: boolean;
}

/** The form of a message, which may be refused, cut off at the length limit, or empty. */
export interface AnswerForm {
  readonly text: string;
  readonly stop: 'end' | 'cut-off' | 'refusal';
  readonly hasCalls: boolean;
  /** The provider counted output tokens. */
  readonly hasOutput: boolean;
  /** Number of consecutive messages of the same kind, including this one. */
  readonly cutOffInARow: number;
  readonly emptyInARow: number;
}

/** The model is reminded this many times; after that the run ends. */
const MAX_NUDGES = 2;

/** Sent together with the results of such a message. */
export const CALLS_CUT_OFF =
  'Your message was cut off at the length limit, so its last call may be incomplete. Send less in one message: write the beginning of a large file with fs.write, then add the rest in parts with fs.edit.';

/** What follows from the form of a message alone; null if its content counts. Pure. */
export function afterForm(form: AnswerForm): Extract<AfterAnswer, { kind: 'nudge' | 'failed' }> | null {
  if (form.stop === 'refusal') return { kind: 'failed', error: modelRefused(form.text) };
  if (form.stop === 'cut-off') {
    if (form.cutOffInARow > MAX_NUDGES) return { kind: 'failed', error: modelCutOff(form.cutOffInARow) };
    return form.hasCalls
      ? null
      : { kind: 'nudge', text: 'Your message was cut off at the length limit. Go on, in smaller steps.' };
  }
  if (form.hasCalls || form.text.trim() !== '') return null;
  if (form.emptyInARow > MAX_NUDGES)
    return { kind: 'failed', error: modelEmptyAnswer(form.emptyInARow, form.hasOutput) };
  return { kind: 'nudge', text: 'Your message was empty. Answer in words, or call a tool.' };
}

/**
 * What follows from an answer without a call. It ends a task only if no work is in progress. Otherwise the model is
 * reminded of the state, and after `MAX_NUDGES` reminders the run ends. Pure.
 */
export function afterAnswer(facts: AnswerFacts): AfterAnswer {
  switch (facts.state) {
    case 'idle':
    case 'planning':
      return { kind: 'done' };
    case 'reviewing':
      return facts.idleAnswers === 1
        ? { kind: 'nudge', text: 'All tests pass. Call git.commit with the commit message.' }
        : { kind: 'propose', message: facts.planSummary ?? 'Apply the reviewed change' };
    case 'exploring':
      if (!facts.hasStaged) return { kind: 'done' };
      return nudgeOrStop(facts, 'Run test.run to have your change validated, or task.give_up.');
    case 'test_writing':
      return nudgeOrStop(
        facts,
        'Write a failing test and run it with test.run; the source opens then. Or call task.give_up with the reason.',
      );
    case 'code_writing':
      return nudgeOrStop(
        facts,
        'Change the source until test.run passes, or call workflow.revise_tests or task.give_up.',
      );
    case 'retroactive_testing':
      return nudgeOrStop(facts, 'Write tests for the staged change and run test.run.');
    case 'validating':
    case 'committing':
      return nudgeOrStop(facts, 'Go on.');
    default:
      return assertNever(facts.state);
  }
}

function nudgeOrStop(facts: AnswerFacts, text: string): AfterAnswer {
  if (facts.idleAnswers <= MAX_NUDGES)
    return { kind: 'nudge', text: `The task is not finished (state ${facts.state}). ${text}` };
  return { kind: 'stuck', reason: `The model stopped in state ${facts.state} without finishing the task.` };
}
