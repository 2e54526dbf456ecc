import type { Effort } from './model-facts.ts';

/** Maximum tokens for thoughts, for vendors that need a number. They count as part of the answer. */
export const THINKING_TOKENS: Readonly<Record<Effort, number>> = { low: 4_000, medium: 10_000, high: 24_000 };
