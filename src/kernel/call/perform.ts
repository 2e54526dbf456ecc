import type { ToolContext } from '../tools/tool-context.ts';
import type { AuthorisedCall, CallContext, PerformedCall } from './call.ts';
import { changeFiles } from './perform/change.ts';
import { runCommand } from './perform/command.ts';
import { sessionHistory } from './perform/history.ts';
import { inspectFiles } from './perform/inspect.ts';
import { patchFile } from './perform/patch.ts';
import { patchFiles } from './perform/patch-all.ts';
import { readFiles } from './perform/read.ts';
import { runTestTool } from './perform/tests.ts';
import { workflowSteps } from './perform/workflow.ts';

/** Has the tool do its work, with what the kernel does for it. It is performed under the policy that allowed it. */
export async function performCall(live: CallContext, call: AuthorisedCall): Promise<PerformedCall> {
  const context = { ...live, services: { ...live.services, policy: () => call.policy } };
  const answer = await call.use.perform(toolContext(context, call));
  return { ...call, stage: 'performed', answer };
}

function toolContext(context: CallContext, call: AuthorisedCall): ToolContext {
  return {
    named: call.targets.named,
    signal: context.signal,
    read: (work) => readFiles(context, call, work),
    patch: (request) => patchFile(context, call, request),
    patchAll: (files) => patchFiles(context, call, files),
    change: (request) => changeFiles(context, call, request),
    inspect: (request) => inspectFiles(context, call, request),
    run: (request) => runCommand(context, call, request),
    runTests: () => runTestTool(context, call),
    get history() {
      return sessionHistory(context.session);
    },
    get workflow() {
      return workflowSteps(context, call);
    },
  };
}
