import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { bunTest } from './bun-test/runner.ts';
import { cargoTest } from './cargo-test/runner.ts';
import { ctest } from './ctest/runner.ts';
import { denoTest } from './deno-test/runner.ts';
import { djangoTest } from './django-test/runner.ts';
import { generic } from './generic/runner.ts';
import { goTest } from './go-test/runner.ts';
import { jest } from './jest/runner.ts';
import { maven } from './maven/runner.ts';
import { minitest } from './minitest/runner.ts';
import { mocha } from './mocha/runner.ts';
import { nodeTest } from './node-test/runner.ts';
import { phpunit } from './phpunit/runner.ts';
import { pytest } from './pytest/runner.ts';
import { rspec } from './rspec/runner.ts';
import type { Runner } from './runner.ts';
import { unittest } from './unittest/runner.ts';
import type { UnsupportedRunner } from './unsupported.ts';
import { vitest } from './vitest/runner.ts';

/** All test runners whose results can be judged. If two signs are equally strong, the earlier runner is used. */
export const RUNNERS: readonly Runner[] = [
  nodeTest,
  vitest,
  jest,
  mocha,
  bunTest,
  denoTest,
  pytest,
  unittest,
  djangoTest,
  goTest,
  cargoTest,
  maven,
  ctest,
  minitest,
  rspec,
  phpunit,
  generic,
];

/** Runners that are recognised but not supported. Supported runners come before them. */
export const UNSUPPORTED: readonly UnsupportedRunner[] = [
  {
    name: 'gradle',
    title: 'JUnit by Gradle',
    command: ['gradle', '--offline', 'test'],
    junit: 'build/test-results/test/*.xml',
    needs: 'Gradle, a JDK and the packages of the project',
    files: /^(?:build|settings)\.gradle(?:\.kts)?$/,
  },
  {
    name: 'dotnet-test',
    title: 'dotnet test',
    command: ['dotnet', 'test'],
    needs: 'the .NET SDK and the packages of the project',
    files: /\.(?:sln|slnx|csproj|fsproj|vbproj)$/,
  },
  { name: 'playwright', title: 'Playwright', dependency: '@playwright/test' },
  { name: 'ava', title: 'AVA', starts: ['ava'], dependency: 'ava' },
  { name: 'tape', title: 'tape', starts: ['tape'], dependency: 'tape' },
  { name: 'tap', title: 'node-tap', starts: ['tap'], dependency: 'tap' },
  { name: 'jasmine', title: 'Jasmine', starts: ['jasmine'], dependency: 'jasmine' },
  { name: 'minijasminenode', title: 'minijasminenode', starts: ['minijasminenode'] },
  { name: 'uvu', title: 'uvu', starts: ['uvu'], dependency: 'uvu' },
  { name: 'tea-time', title: 'tea-time', starts: ['tea-time'] },
];

/** Values of `test.runner`. Those that are recognised but not supported come last. */
export const RUNNER_NAMES: readonly string[] = [...RUNNERS, ...UNSUPPORTED].map(({ name }) => name);

/** The supported runners, for messages. */
export const SUPPORTED_NAMES = RUNNERS.map(({ name }) => name).join(', ');

/** Returns null if the runner is not supported. */
export function runnerNamed(name: string): Runner | null {
  return RUNNERS.find((each) => each.name === name) ?? null;
}

/**
 * Throws FluffyError `unknown_test_runner` if the runner is not supported. `because`: why the project seems to use it.
 */
export function requireRunner(name: string, because = 'test.runner in .fluffy/config.yaml names it'): Runner {
  const runner = runnerNamed(name);
  if (runner !== null) return runner;
  const title = UNSUPPORTED.find((each) => each.name === name)?.title ?? name;
  throw new FluffyError({
    code: 'unknown_test_runner',
    what: `Tests run by ${title} cannot be judged yet`,
    why: `${because}; results can be judged from ${SUPPORTED_NAMES}`,
    fix: 'Name its command in test.commands of your own configuration (docs/test-runners.md, "A command of your own"), use --mode explore to work without proof, or set test.runner in .fluffy/config.yaml if it has tests for one of these',
    exitCode: EXIT.usage,
  });
}
