import type { RunEnd } from '../session/run-end.ts';

/** What a review led to: the run ends, or goes on with a message to the model. */
export type ReviewResult =
  { readonly kind: 'end'; readonly end: RunEnd } | { readonly kind: 'continue'; readonly message: string };
