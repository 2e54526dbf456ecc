import type { Effort } from './model-facts.ts';

/** Tokens that a model may think with, for vendors that take a number. They count towards the answer. */
export const THINKING_TOKENS: Readonly<Record<Effort, number>> = { low: 4_000, medium: 10_000, high: 24_000 };
