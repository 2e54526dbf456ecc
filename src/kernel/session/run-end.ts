import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Question } from '../../contracts/session/question.ts';

/** Why a run ended. */
export type RunEnd =
  | { readonly kind: 'committed'; readonly commit: string; readonly subject: string }
  | { readonly kind: 'answered' }
  | { readonly kind: 'waiting' }
  /** The model asked the user. `answerWith`: the way to send the answer. */
  | { readonly kind: 'asked'; readonly question: Question; readonly answerWith: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'gave-up'; readonly reason: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'limit'; readonly limit: string }
  /** The error carries the exit code of the process. */
  | { readonly kind: 'failed'; readonly error: FluffyError }
  | { readonly kind: 'merge-failed'; readonly reason: string }
  | { readonly kind: 'interrupted'; readonly signal: 'interrupt' | 'terminate' };
