import type { Cheat } from './cheat.ts';
import { NODE_TEST_CHEATS } from './node-test-cheats.ts';
import { UNITTEST_CHEATS } from './unittest-cheats.ts';
import { VITEST_CHEATS } from './vitest-cheats.ts';

export const CHEATS: readonly Cheat[] = [...NODE_TEST_CHEATS, ...UNITTEST_CHEATS, ...VITEST_CHEATS];

export { HONEST } from './honest-work.ts';
