import { assertNever } from '../../lib/assert-never.ts';
import type { SessionState } from '../../contracts/workflow-states.ts';

/** What follows when the model ends a message without calling a tool. */
export type AfterAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'propose'; readonly message: string }
  | { readonly kind: 'nudge'; readonly text: string }
  | { readonly kind: 'stuck'; readonly reason: string };

export interface AnswerFacts {
  readonly state: SessionState;
  /** Answers without a call in a row, this one included. */
  readonly idleAnswers: number;
  readonly planSummary: string | null;
  readonly hasStaged: boolean;
}

const MAX_NUDGES = 2;

/** Pure. An answer ends a task only where nothing is under way; elsewhere the model is told where it stands, and after a while the run ends. */
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
