import type { RunnerWays } from './way.ts';

export const COMPILED_WAYS: readonly RunnerWays[] = [];
