import { CARGO_WAYS } from './cargo-ways.ts';
import { CONSTANT_WAYS } from './constant-ways.ts';
import { CTEST_WAYS } from './ctest-ways.ts';
import { DJANGO_WAYS } from './django-ways.ts';
import { EVERYDAY_NODE_WAYS } from './everyday-node-ways.ts';
import { EVERYDAY_PYTEST_WAYS } from './everyday-pytest-ways.ts';
import { EVERYDAY_VITEST_WAYS } from './everyday-vitest-ways.ts';
import { JEST_WAYS } from './jest-ways.ts';
import { LIBRARY_WAYS } from './library-ways.ts';
import { MOCHA_WAYS } from './mocha-ways.ts';
import { NODE_TEST_WAYS } from './node-test-ways.ts';
import { OLD_FUNCTION_WAYS } from './old-function-ways.ts';
import { ORDINARY_WAYS } from './ordinary-ways.ts';
import { PHPUNIT_WAYS } from './php-ways.ts';
import { PYTEST_WAYS } from './pytest-ways.ts';
import { PYTEST_STATE_WAYS } from './state-ways.ts';
import { MINITEST_WAYS, RSPEC_WAYS } from './ruby-ways.ts';
import { BUN_WAYS, DENO_WAYS } from './runtime-ways.ts';
import { TABLE_WAYS } from './table-ways.ts';
import { UNWRITTEN_JAVA } from './unwritten/java.ts';
import { UNWRITTEN_PHP } from './unwritten/php.ts';
import { UNWRITTEN_RUBY } from './unwritten/ruby.ts';
import { UNWRITTEN_RUST } from './unwritten/rust.ts';
import { UNWRITTEN_SCRIPTS } from './unwritten/scripts.ts';
import { UNUSUAL_PROJECTS } from './unusual-projects.ts';
import { UNITTEST_WAYS } from './unittest-ways.ts';
import { VARIED_WAYS } from './varied-ways.ts';
import { VITEST_WAYS } from './vitest-ways.ts';
import type { HonestWay, RunnerWays } from './way.ts';
import { WORKFLOW_WAYS } from './workflow-ways.ts';

export type PlayedWay = HonestWay & Pick<RunnerWays, 'runner' | 'project'>;

const GROUPS: readonly RunnerWays[] = [
  NODE_TEST_WAYS,
  PYTEST_STATE_WAYS,
  WORKFLOW_WAYS,
  UNUSUAL_PROJECTS,
  VITEST_WAYS,
  JEST_WAYS,
  MOCHA_WAYS,
  PYTEST_WAYS,
  UNITTEST_WAYS,
  CARGO_WAYS,
  CTEST_WAYS,
  DJANGO_WAYS,
  BUN_WAYS,
  DENO_WAYS,
  MINITEST_WAYS,
  RSPEC_WAYS,
  PHPUNIT_WAYS,
  ...ORDINARY_WAYS,
  ...LIBRARY_WAYS,
  EVERYDAY_NODE_WAYS,
  EVERYDAY_VITEST_WAYS,
  EVERYDAY_PYTEST_WAYS,
  ...VARIED_WAYS,
  ...TABLE_WAYS,
  ...CONSTANT_WAYS,
  ...OLD_FUNCTION_WAYS,
  ...UNWRITTEN_RUBY,
  UNWRITTEN_JAVA,
  UNWRITTEN_RUST,
  UNWRITTEN_PHP,
  ...UNWRITTEN_SCRIPTS,
];

export const HONEST_WAYS: readonly PlayedWay[] = GROUPS.flatMap(({ runner, project, ways }) =>
  ways.map((way) => ({ ...way, runner, project })),
);
