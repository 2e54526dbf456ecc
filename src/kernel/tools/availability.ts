import { assertNever } from '../../lib/assert-never.ts';
import type { SessionState } from '../../contracts/workflow-states.ts';
import type { ToolError } from '../../contracts/tool-errors.ts';
import { TOOLS } from '../../contracts/tools.ts';
import type { ParsedCall, ToolName } from '../../contracts/tools.ts';

/** What a file is to the workflow. */
export type FileKind = 'test' | 'docs' | 'source' | 'other';

/** `targets` are the resolved paths that the call writes, with what each is. */
export interface WrittenTarget {
  readonly path: string;
  readonly kind: FileKind;
}

const READS: readonly ToolName[] = [
  'fs.read',
  'fs.list',
  'fs.exists',
  'search.grep',
  'search.glob',
  'git.status',
  'git.diff',
  'git.log',
];
const WRITES: readonly ToolName[] = ['fs.write', 'fs.edit', 'fs.delete', 'fs.move'];

/** Tools beside the reads that each state has; `task.give_up` is there in every state in which something is under way. */
const BY_STATE: Readonly<Record<SessionState, readonly ToolName[]>> = {
  idle: [],
  planning: ['plan.complete', 'workflow.request_exemption', 'test.run', 'task.give_up'],
  test_writing: [...WRITES, 'test.run', 'shell.run', 'workflow.request_exemption', 'task.give_up'],
  code_writing: [...WRITES, 'test.run', 'shell.run', 'workflow.revise_tests', 'task.give_up'],
  validating: ['task.give_up'],
  reviewing: ['git.commit', 'task.give_up'],
  committing: [],
  exploring: [...WRITES, 'test.run', 'shell.run', 'task.give_up'],
  retroactive_testing: [...WRITES, 'test.run', 'shell.run', 'task.give_up'],
};

export function availableTools(state: SessionState): readonly ToolName[] {
  const extra = BY_STATE[state];
  return TOOLS.map((tool) => tool.name).filter((name) => READS.includes(name) || extra.includes(name));
}

/** Pure: whether the workflow's state opens this call, or what would. Policy is asked after this, and may still say no. */
export function unavailable(
  call: ParsedCall,
  targets: readonly WrittenTarget[],
  state: SessionState,
): ToolError | null {
  if (!availableTools(state).includes(call.tool)) {
    return refusal(call.tool, state, whatOpens(call.tool, state), availableTools(state));
  }
  for (const target of targets) {
    const why = closedTo(target, state);
    if (why !== null) return refusal(`${call.tool} on ${target.path}`, state, why, availableTools(state));
  }
  return null;
}

function refusal(what: string, state: SessionState, why: string, tools: readonly ToolName[]): ToolError {
  const message = `${what} is not open in state ${state}. ${why} Open now: ${tools.join(', ')}.`;
  return { code: 'tool_unavailable', message, retryable: false };
}

/** Why a state is closed to a file, or null. Documentation goes with the source: it has no test to fail first. */
function closedTo(target: WrittenTarget, state: SessionState): string | null {
  switch (state) {
    case 'test_writing':
      return target.kind === 'test' || target.kind === 'other'
        ? null
        : `${target.path} is ${describeKind(target.kind)}; it can be written once test.run has seen a new test fail. Write and run the tests first.`;
    case 'code_writing':
      return target.kind === 'test'
        ? `${target.path} is a test, frozen since it was seen to fail. If it is wrong, call workflow.revise_tests.`
        : null;
    case 'retroactive_testing':
      return target.kind === 'test' || target.kind === 'other'
        ? null
        : `${target.path} is ${describeKind(target.kind)}; in this state only tests are written.`;
    case 'exploring':
      return null;
    case 'idle':
    case 'planning':
    case 'validating':
    case 'reviewing':
    case 'committing':
      return 'Nothing can be written in this state.';
    default:
      return assertNever(state);
  }
}

/** What a model that is done goes on with all the same. */
const COMPLETE: readonly ToolName[] = [...WRITES, 'test.run', 'workflow.revise_tests'];

function describeKind(kind: FileKind): string {
  switch (kind) {
    case 'test':
      return 'a test';
    case 'docs':
      return 'documentation';
    case 'source':
      return 'source code';
    case 'other':
      return 'neither test nor source';
    default:
      return assertNever(kind);
  }
}

function whatOpens(tool: ToolName, state: SessionState): string {
  if (state === 'reviewing' && COMPLETE.includes(tool)) {
    return 'The whole suite passes and the change is complete: call git.commit. What is missing still is the next task.';
  }
  switch (tool) {
    case 'plan.complete':
      return 'A plan is completed once, in state planning.';
    case 'fs.write':
    case 'fs.edit':
    case 'fs.delete':
    case 'fs.move':
      return 'Writing opens with plan.complete (tests first), and the source with a failing new test.';
    case 'git.commit':
      return 'A commit opens when test.run has seen the whole suite pass.';
    case 'workflow.revise_tests':
      return 'It leads back from code_writing to test_writing.';
    case 'workflow.request_exemption':
      return 'An exemption can be asked for before the source is opened.';
    case 'test.run':
    case 'shell.run':
    case 'task.give_up':
    case 'fs.read':
    case 'fs.list':
    case 'fs.exists':
    case 'search.grep':
    case 'search.glob':
    case 'git.status':
    case 'git.diff':
    case 'git.log':
      return 'It opens with the next task.';
    default:
      return assertNever(tool);
  }
}
