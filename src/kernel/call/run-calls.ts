import type { ModelCall } from '../../contracts/model/model.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { authoriseCall } from './authorise.ts';
import type { CallContext, CallReply, ParsedCall, PerformedCall, RefusedCall } from './call.ts';
import { conflictGroups } from './conflict-groups.ts';
import { gateCall } from './gate.ts';
import { parseCall } from './parse.ts';
import { performCall } from './perform.ts';
import { reportEnd, reportIntent, reportStarted } from './report.ts';
import { resolveCall } from './resolve.ts';

/** A call as the model sent it, and as the kernel understood it. */
export interface ReceivedCall {
  readonly sent: ModelCall;
  readonly call: ParsedCall | RefusedCall;
}

/** Parses the calls of one message. `call.received` is what the history keeps of each. */
export function receiveCalls(tools: ToolRegistry, calls: readonly ModelCall[]): readonly ReceivedCall[] {
  return calls.map((sent) => ({ sent, call: parseCall(tools, sent) }));
}

/** Runs the calls of one message, in parallel where their paths allow it. Replies are in the order of the calls. */
export async function runCalls(context: CallContext, calls: readonly ReceivedCall[]): Promise<CallReply[]> {
  const touched = calls.map(({ call }) => call.use?.touches ?? { reads: [], writes: [] });
  const replies = new Array<CallReply>(calls.length);
  for (const group of conflictGroups(touched)) {
    await Promise.all(
      group.map(async (index) => {
        replies[index] = await runCall(context, calls[index] as ReceivedCall);
      }),
    );
  }
  return replies;
}

/** Runs one call through its stages. Never throws for an error that a model can cause. */
async function runCall(context: CallContext, { sent, call }: ReceivedCall): Promise<CallReply> {
  const { clock } = context.services;
  const { call_id } = call.received;
  if (context.signal.aborted) {
    return { call_id, ok: false, content: 'cancelled: the run was interrupted before this call.' };
  }
  const startedMs = clock.monotonicMs();
  reportStarted(context, call, sent);
  const ended = call.stage === 'refused' ? call : await throughStages(context, call);
  return reportEnd(context, ended, clock.monotonicMs() - startedMs);
}

async function throughStages(context: CallContext, parsed: ParsedCall): Promise<PerformedCall | RefusedCall> {
  const resolved = await resolveCall(context, parsed);
  if (resolved.stage === 'refused') return resolved;
  const open = gateCall(context, resolved);
  if (open.stage === 'refused') return open;
  const authorised = await authoriseCall(context, open);
  if (authorised.stage === 'refused') return authorised;
  reportIntent(context, authorised);
  return performCall(context, authorised);
}
