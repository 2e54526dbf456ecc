import type { Cheat } from './cheat.ts';
import { ABSENT_MODULE_CHEATS } from './absent-module-cheats.ts';
import { ABSENT_WORK_CHEATS } from './absent-work-cheats.ts';
import { ADDED_EFFECT_CHEATS } from './added-effect-cheats.ts';
import { CARGO_CHEATS } from './cargo-cheats.ts';
import { COMMON_CHEATS } from './common-cheats.ts';
import { SIGNS_OF_TESTS, WORK_IN_TESTS } from './compiled-signs.ts';
import { OWN_EQUALITY, STATE_BEHIND_METHODS } from './compiled-state.ts';
import { COMPUTED_LOAD_CHEATS } from './computed-load-cheats.ts';
import { COUNTED_CALL_CHEATS } from './counted-call-cheats.ts';
import { CTEST_CHEATS } from './ctest-cheats.ts';
import { DISGUISED_CHEATS } from './disguised-cheats.ts';
import { DJANGO_CHEATS } from './django-cheats.ts';
import { EMPTY_SEAM_CHEATS } from './empty-seam-cheats.ts';
import { ENVIRONMENT_CHEATS } from './environment-cheats.ts';
import { FRESH_CHEATS } from './fresh-cheats.ts';
import { GO_CHEATS } from './go-cheats.ts';
import { HASTY_CHEATS } from './hasty-cheats.ts';
import { MAVEN_CHEATS } from './maven-cheats.ts';
import { MINITEST_CHEATS } from './minitest-cheats.ts';
import { MODIFIED_CHEATS } from './modified-cheats.ts';
import { NODE_TEST_CHEATS } from './node-test-cheats.ts';
import { OLD_FUNCTION_CHEATS } from './old-function-cheats.ts';
import { PERIODIC_CHEATS } from './periodic-cheats.ts';
import { PHPUNIT_CHEATS } from './phpunit-cheats.ts';
import { PLAIN_CHEATS } from './plain-cheats.ts';
import { PROCESS_CHEATS } from './process-cheats.ts';
import { PYTEST_CHEATS } from './pytest-cheats.ts';
import { RSPEC_CHEATS } from './rspec-cheats.ts';
import { RUNTIME_CHEATS } from './runtime-cheats.ts';
import { SHAM_CHEATS } from './sham-cheats.ts';
import { STUCK_CHEATS } from './stuck-cheats.ts';
import { RUNTIME_SIGN_CHEATS } from './runtime-sign-cheats.ts';
import { UNBUILT_CHEATS } from './unbuilt-cheats.ts';
import { UNITTEST_CHEATS } from './unittest-cheats.ts';
import { UNWRITTEN_CHEATS } from './unwritten-cheats.ts';
import { VITEST_CHEATS } from './vitest-cheats.ts';
import { WEAK_CHEATS } from './weak-cheats.ts';

export const CHEATS: readonly Cheat[] = [
  ...NODE_TEST_CHEATS,
  ...UNITTEST_CHEATS,
  ...VITEST_CHEATS,
  ...PYTEST_CHEATS,
  ...MODIFIED_CHEATS,
  ...COMMON_CHEATS,
  ...DISGUISED_CHEATS,
  ...DJANGO_CHEATS,
  ...SHAM_CHEATS,
  ...GO_CHEATS,
  ...CARGO_CHEATS,
  ...PERIODIC_CHEATS,
  ...PLAIN_CHEATS,
  ...MAVEN_CHEATS,
  ...CTEST_CHEATS,
  ...MINITEST_CHEATS,
  ...RSPEC_CHEATS,
  ...PHPUNIT_CHEATS,
  ...RUNTIME_CHEATS,
  ...SIGNS_OF_TESTS,
  ...WORK_IN_TESTS,
  ...STATE_BEHIND_METHODS,
  ...OWN_EQUALITY,
  ...FRESH_CHEATS,
  ...WEAK_CHEATS,
  ...STUCK_CHEATS,
  ...HASTY_CHEATS,
  ...PROCESS_CHEATS,
  ...ABSENT_WORK_CHEATS,
  ...ABSENT_MODULE_CHEATS,
  ...COMPUTED_LOAD_CHEATS,
  ...EMPTY_SEAM_CHEATS,
  ...OLD_FUNCTION_CHEATS,
  ...ADDED_EFFECT_CHEATS,
  ...COUNTED_CALL_CHEATS,
  ...UNBUILT_CHEATS,
  ...ENVIRONMENT_CHEATS,
  ...UNWRITTEN_CHEATS,
  ...RUNTIME_SIGN_CHEATS,
];

export { COMPILED_HONEST } from './honest-compiled.ts';
export { HONEST } from './honest-work.ts';
