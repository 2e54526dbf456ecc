import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Question } from '../../contracts/session/question.ts';

/** Why a run ended. */
export type RunEnd =
  | { readonly kind: 'committed'; readonly commit: string; readonly subject: string }
  | { readonly kind: 'answered' }
  | { readonly kind: 'waiting' }
  /** The model asked the user. `answerWith`: how an answer reaches it. */
  | { readonly kind: 'asked'; readonly question: Question; readonly answerWith: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'gave-up'; readonly reason: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'limit'; readonly limit: string }
  /** The error says how the process exits. */
  | { readonly kind: 'failed'; readonly error: FluffyError }
  | { readonly kind: 'merge-failed'; readonly reason: string }
  | { readonly kind: 'interrupted'; readonly signal: 'interrupt' | 'terminate' };
