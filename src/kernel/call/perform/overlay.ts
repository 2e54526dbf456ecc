import type { ChangeSet, FileState } from '../../../contracts/review/change-set.ts';
import type { ToolOperation, ToolSandboxResult } from '../../../contracts/ports/sandboxes.ts';
import type { OverlayOutcome, OverlayView } from '../../../contracts/ports/workspace.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { capabilityAuthority } from '../../access/capability-authority.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { Tool } from '../../tools/tool.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { toolError } from './sandbox-error.ts';

const DEADLINE_MS = 60_000;

export interface OverlayOperation {
  readonly params: object;
  /** Paths that the capability opens; empty for an operation without a path. */
  readonly paths: readonly string[];
  readonly deadlineMs?: number;
  readonly view?: OverlayView;
}

export type OverlayRun =
  | {
      readonly kind: 'ran';
      readonly result: Extract<ToolSandboxResult, { kind: 'ok' }>;
      readonly changes: ChangeSet;
      /** Files that were hidden from the sandbox. */
      readonly hidden: readonly string[];
      /** null: the changes are staged. */
      accept(paths: ReadonlySet<string>): Promise<ToolAnswer | null>;
      discard(): Promise<void>;
    }
  | { readonly kind: 'failed'; readonly answer: ToolAnswer };

/** Runs the call's tool on project and staging. After the run the changes wait to be accepted or discarded. */
export async function runOnOverlay(
  context: CallContext,
  call: AuthorisedCall,
  operation: OverlayOperation,
): Promise<OverlayRun> {
  const outcome = await context.workspace.overlay(operationAt(context, call, operation), operation.view);
  if (outcome.kind !== 'completed') return failed(whyNoOutcome(outcome));
  const { value: result, changes, hidden, discard } = outcome;
  if (result.kind !== 'ok') {
    await discard();
    return failed({ ok: false, error: toolError(result) });
  }
  return {
    kind: 'ran',
    result,
    changes,
    hidden,
    discard,
    accept: async (accepted) => {
      const staged = await outcome.accept(accepted);
      switch (staged.kind) {
        case 'staged':
          return null;
        case 'conflict':
          return failure('conflict', 'The project changed while this ran. Try again.', true);
        case 'refused':
          return failure('path_refused', staged.reason);
        default:
          return assertNever(staged);
      }
    },
  };
}

export type DiscardedRun =
  | {
      readonly kind: 'ran';
      readonly result: Extract<ToolSandboxResult, { kind: 'ok' }>;
      readonly hidden: readonly string[];
    }
  | { readonly kind: 'failed'; readonly answer: ToolAnswer };

/** Runs the call's tool on project and staging, in parallel with anything else. All its changes are dropped. */
export async function runDiscarded(
  context: CallContext,
  call: AuthorisedCall,
  operation: OverlayOperation,
): Promise<DiscardedRun> {
  const outcome = await context.workspace.discarding(operationAt(context, call, operation), operation.view);
  if (outcome.kind !== 'completed') return failed(whyNoOutcome(outcome));
  const { value: result, hidden } = outcome;
  if (result.kind !== 'ok') return failed({ ok: false, error: toolError(result) });
  return { kind: 'ran', result, hidden };
}

/** The call's tool in a sandbox that mounts the given slot. */
function operationAt(
  { services, session, signal }: CallContext,
  { use, received }: AuthorisedCall,
  { params, paths, deadlineMs = DEADLINE_MS }: OverlayOperation,
): (slot: number) => Promise<ToolSandboxResult> {
  const syscall = use.tool.name;
  return (slot) =>
    services.sandboxes.tool({
      session: session.id,
      mode: session.mode,
      slot,
      program: programOf(use.tool),
      method: syscall,
      params,
      deadlineMs,
      signal,
      authority: capabilityAuthority(services, session, {
        callId: received.call_id,
        paths,
        syscall,
        tags: use.tool.plugin.tags,
        ttlMs: deadlineMs,
      }),
    });
}

function whyNoOutcome(outcome: Extract<OverlayOutcome<unknown>, { kind: 'moved' | 'refused' }>): ToolAnswer {
  switch (outcome.kind) {
    case 'moved':
      return failure('conflict', 'The project kept changing while this ran. Try again.', true);
    case 'refused':
      return failure('sandbox_failed', `Nothing of it counts: ${outcome.reason}`);
    default:
      return assertNever(outcome);
  }
}

/** Throws for a tool whose plugin has no program: such a tool cannot request a sandbox. */
export function programOf({ name, plugin }: Pick<Tool, 'name' | 'plugin'>): ToolOperation['program'] {
  if (plugin.program === null) throw new Error(`${name} has no program that runs in a sandbox`);
  return plugin.program;
}

function failed(answer: ToolAnswer): Extract<OverlayRun, { kind: 'failed' }> {
  return { kind: 'failed', answer };
}

export function sizeOf(state: FileState): number {
  return state.kind === 'file' ? state.size : 0;
}
