import { BaselineRun } from '../proof/baseline-run.ts';
import type { SessionContext } from '../services.ts';
import type { CallReply } from './call.ts';
import { receiveCalls, runCalls } from './run-calls.ts';

/**
 * Runs calls in the user's name, with the same policy, sandboxes and records as calls of the model. Replies are in the
 * order of the calls.
 */
export function callForUser(
  context: SessionContext,
  calls: readonly (readonly [tool: string, input: object])[],
): Promise<CallReply[]> {
  const { random, tools } = context.services;
  const sent = calls.map(([tool, input]) => ({
    call_id: random.id('u', 12),
    tool,
    arguments: JSON.stringify(input),
  }));
  return runCalls({ ...context, baseline: new BaselineRun(), caller: 'user' }, receiveCalls(tools(), sent));
}
