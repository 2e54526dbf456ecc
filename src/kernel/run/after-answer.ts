import { assertNever } from '../../lib/assert-never.ts';
import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { SessionState } from '../../contracts/session/workflow-states.ts';
import { modelCutOff, modelEmptyAnswer, modelRefused } from './model/model-errors.ts';

/** What follows when the model ends a message without calling a tool. */
export type AfterAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'propose'; readonly message: string }
  | { readonly kind: 'nudge'; readonly text: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: FluffyError };

export interface AnswerFacts {
  readonly state: SessionState;
  /** Answers without a call in a row, this one included. */
  readonly idleAnswers: number;
  readonly planSummary: string | null;
  readonly hasStaged: boolean;
}

/** A message that is no proper answer: refused, cut off at the length limit, or empty. */
export interface AnswerForm {
  readonly text: string;
  readonly stop: 'end' | 'cut-off' | 'refusal';
  readonly hasCalls: boolean;
  /** The provider counted output tokens. */
  readonly hasOutput: boolean;
  /** Messages in a row of the same kind, this one included. */
  readonly cutOffInARow: number;
  readonly emptyInARow: number;
}

/** The model is reminded this many times; after that the run ends. */
const MAX_NUDGES = 2;

/** Beside the results of such a message. */
export const CALLS_CUT_OFF =
  'Your message was cut off at the length limit, so its last call may be incomplete. Send less in one message: write the beginning of a large file with fs.write, then add the rest in parts with fs.edit.';

/** Pure: what follows from the form of a message alone; null when its content counts. */
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

/** Pure. An answer ends a task only where nothing is under way. Elsewhere the model is reminded of the state, and after a while the run ends. */
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
