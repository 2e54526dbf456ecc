import type { ProjectPath } from '../../../src/contracts/ids.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { CallReply } from '../../../src/kernel/call/call.ts';
import { receiveCalls, runCalls } from '../../../src/kernel/call/run-calls.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';
import type { ToolAnswer } from '../../../src/kernel/tools/tool-answer.ts';
import type { ToolContext } from '../../../src/kernel/tools/tool-context.ts';
import type { ToolUse } from '../../../src/kernel/tools/tool.ts';
import type { TestKernel } from './test-kernel.ts';

const NO_PARSER = Object.assign(() => Promise.resolve({ kind: 'refused', why: 'no parser' } as const), {
  completeAfter: () => Promise.resolve([]),
});

/** A call as a test writes it. A text is the arguments as they are; anything else becomes JSON. */
export interface SentCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Runs the calls of one message through all stages. Their ids are c1, c2, … */
export async function callAll(
  { context }: Pick<TestKernel, 'context'>,
  calls: readonly SentCall[],
): Promise<CallReply[]> {
  const sent = calls.map(({ tool, input }, index) => ({
    call_id: `c${index + 1}`,
    tool,
    arguments: typeof input === 'string' ? input : (JSON.stringify(input) ?? ''),
  }));
  return runCalls(context, receiveCalls(context.services.tools(), sent));
}

export async function callTool(kernel: Pick<TestKernel, 'context'>, tool: string, input: unknown): Promise<CallReply> {
  const [reply] = await callAll(kernel, [{ tool, input }]);
  if (reply === undefined) throw new Error('a call without a reply');
  return reply;
}

/** The use of a shipped tool. Throws if the input does not fit. */
export function useOf(name: string, input: unknown): ToolUse {
  const used = TOOLS.find(name)?.use(input);
  if (used?.kind !== 'ok') throw new Error(`${name}: ${used?.why ?? 'no such tool'}`);
  return used.use;
}

function refuseFacility(): never {
  throw new Error('this tool needs no such facility');
}

/** What a tool that only reads is performed with, outside of any kernel. */
export async function performRead(
  workspace: Workspace,
  use: ToolUse,
  readable: (path: string) => boolean = () => true,
): Promise<ToolAnswer> {
  const named: ProjectPath[] = [];
  for (const path of use.paths) {
    const resolved = await workspace.resolve(path);
    named.push(resolved.kind === 'ok' ? resolved.path : (path as ProjectPath));
  }
  const { signal } = new AbortController();
  const context: ToolContext = {
    named,
    signal,
    read: (work) => work({ workspace, readable, parse: NO_PARSER, signal }),
    patch: refuseFacility,
    patchAll: refuseFacility,
    change: refuseFacility,
    inspect: refuseFacility,
    run: refuseFacility,
    packages: refuseFacility,
    runTests: refuseFacility,
    history: { search: () => [], read: () => null },
    workflow: {
      completePlan: refuseFacility,
      requestExemption: refuseFacility,
      reviseTests: refuseFacility,
      proposeCommit: refuseFacility,
      giveUp: refuseFacility,
      ask: refuseFacility,
      updateTodo: refuseFacility,
    },
  };
  return use.perform(context);
}
