import { FluffyError } from '../../contracts/fluffy-error.ts';
import { CORE_TAGS } from '../../contracts/policy.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { failure } from '../tools/tool-answer.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import type { Tool } from '../tools/tool.ts';
import type { AuthorisedCall, CallContext, PerformedCall } from './call.ts';
import { changeFiles } from './perform/change.ts';
import { runCommand } from './perform/command.ts';
import { sessionHistory } from './perform/history.ts';
import { inspectFiles } from './perform/inspect.ts';
import { performPackages } from './perform/packages.ts';
import { patchFile } from './perform/patch.ts';
import { patchFiles } from './perform/patch-all.ts';
import { readFiles } from './perform/read.ts';
import { runTestTool } from './perform/tests.ts';
import { workflowSteps } from './perform/workflow.ts';

/**
 * Performs a call under the policy that allowed it. If a tool that was added at run time throws, the call fails:
 * foreign code must not end the run. If the kernel itself fails, for example when it writes records, the run ends.
 */
export async function performCall(live: CallContext, call: AuthorisedCall): Promise<PerformedCall> {
  const context = { ...live, services: { ...live.services, policy: () => call.policy } };
  const { tool } = call.use;
  const answer = await call.use.perform(toolContext(context, call)).catch((error: unknown) => {
    if (isShipped(tool) || error instanceof FluffyError || live.signal.aborted) throw error;
    return failure('sandbox_failed', `${tool.name} failed: ${messageOf(error)}`);
  });
  return { ...call, stage: 'performed', answer };
}

function isShipped({ plugin }: Tool): boolean {
  return CORE_TAGS.every((tag) => plugin.tags.includes(tag));
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
    packages: (request, manager) => performPackages(context, call, request, manager),
    runTests: () => runTestTool(context, call),
    get history() {
      return sessionHistory(context.session);
    },
    get workflow() {
      return workflowSteps(context, call);
    },
  };
}
