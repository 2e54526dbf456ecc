import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { TestCommand } from '../../contracts/session-protocol.ts';
import { nodeTestAdapter } from './node-test/adapter.ts';
import { pytestAdapter } from './pytest/adapter.ts';
import type { RunnerAdapter } from './runner-adapter.ts';
import { unittestAdapter } from './unittest/adapter.ts';
import { vitestAdapter } from './vitest/adapter.ts';

const ADAPTERS: readonly RunnerAdapter[] = [nodeTestAdapter, vitestAdapter, pytestAdapter, unittestAdapter];

/** Throws FluffyError `unknown_test_runner` for a runner that is named in configuration and not built in. */
export function adapterFor(runner: TestCommand['runner']): RunnerAdapter {
  const adapter = knownAdapter(runner);
  if (adapter !== null) return adapter;
  throw new FluffyError({
    code: 'unknown_test_runner',
    what: `The test runner ${runner} can't be used`,
    why: `Only ${ADAPTERS.map((each) => each.name).join(', ')} can be believed so far`,
    fix: 'Set test.runner in .fluffy/config.yaml to one of these',
    exitCode: EXIT.usage,
  });
}

/** null for a runner that is not built in. */
export function knownAdapter(runner: TestCommand['runner']): RunnerAdapter | null {
  return ADAPTERS.find((each) => each.name === runner) ?? null;
}
