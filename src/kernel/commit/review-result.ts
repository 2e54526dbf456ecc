import type { RunEnd } from '../session/run-end.ts';

/** The result of a review: the run ends, or continues with a message to the model. */
export type ReviewResult =
  { readonly kind: 'end'; readonly end: RunEnd } | { readonly kind: 'continue'; readonly message: string };
