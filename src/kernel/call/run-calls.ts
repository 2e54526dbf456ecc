import type { ModelCall } from '../../contracts/model.ts';
import { conflictGroups } from './conflict-groups.ts';
import { parseCall } from './parse-call.ts';
import { touchedPaths } from '../tools/touched-paths.ts';
import { runCall } from './run-call.ts';
import type { CallContext, CallReply } from './run-call.ts';

/** The calls of one message: side by side where their paths allow it, replies in the order of the calls. */
export async function runCalls(context: CallContext, calls: readonly ModelCall[]): Promise<CallReply[]> {
  const touched = calls.map((call) => {
    const parsed = parseCall(call);
    return parsed.kind === 'ok' ? touchedPaths(parsed.call) : { reads: [], writes: [] };
  });
  const replies = new Array<CallReply>(calls.length);
  for (const group of conflictGroups(touched)) {
    await Promise.all(
      group.map(async (index) => {
        const call = calls[index] as ModelCall;
        replies[index] = context.signal.aborted
          ? { call_id: call.call_id, ok: false, content: 'cancelled: the run was interrupted before this call.' }
          : await runCall(context, call);
      }),
    );
  }
  return replies;
}
