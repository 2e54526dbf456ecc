import { providerAdvice } from '../../../lib/provider-advice.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ModelFailure } from '../../../contracts/model/model.ts';

/** `message` comes from the provider; `model` is written as the user wrote it. */
export interface FailedModel {
  readonly model: string;
  readonly code: ModelFailure;
  readonly message: string;
}

/**
 * Why no model answered: each failure in the order of the requests, at least one. If the chosen model failed, the
 * advice is about it. `isFixed`: most of the request is in the requests of a new session too.
 */
export function providersFailed(failed: readonly FailedModel[], chosen: string, isFixed = false): FluffyError {
  const first = failed.find(({ model }) => model === chosen) ?? failed[0];
  if (first === undefined) throw new Error('no model has failed');
  const others = failed.filter((each) => each !== first);
  const why = others.length === 0 ? first.message : `${first.model}: ${first.message}`;
  return new FluffyError({
    code: 'provider_failed',
    what: `The model provider failed (${first.code})`,
    why: [why, ...others.map(({ model, code, message }) => `${model} as fallback: ${code}: ${message}`)].join('; '),
    fix: providerAdvice(first.code, first.model, isFixed),
    exitCode: EXIT.provider,
  });
}

export function modelRefused(text: string): FluffyError {
  return new FluffyError({
    code: 'model_refused',
    what: 'The model refused the task',
    why: text.trim() === '' ? 'it gave no reason' : text.trim().slice(0, 2_000),
    fix: 'Put the task in other words, or use another model',
    exitCode: EXIT.failed,
  });
}

/** `thought`: the provider counted output although no text arrived. */
export function modelEmptyAnswer(answers: number, thought: boolean): FluffyError {
  return new FluffyError({
    code: 'model_empty_answer',
    what: 'The model gave no answer',
    why: `${answers} messages in a row had no text and no call${thought ? ', although output was counted' : ''}`,
    fix: 'Try again, or use another model',
    exitCode: EXIT.provider,
  });
}

export function modelCutOff(answers: number): FluffyError {
  return new FluffyError({
    code: 'model_cut_off',
    what: 'The model does not finish its messages',
    why: `${answers} messages in a row were cut off at the length limit`,
    fix: 'Ask for a smaller step, or use another model',
    exitCode: EXIT.limit,
  });
}
