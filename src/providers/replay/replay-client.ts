import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { replayArguments } from '../../contracts/model/replay-arguments.ts';
import type { ModelClient } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { estimateUsage } from '../shared/estimate-usage.ts';

const CHUNK_LENGTH = 24;

/** Plays the turn in the request, as a stream like that of any model. */
export function replayClient(nextId: () => string = randomUUID): ModelClient {
  return {
    attempt: async (request, emit, signal) => {
      const turn = request.replay_turn;
      if (turn === undefined) return failed('bad_request', 'the replay file has no turn left to play');
      if (turn.delay_ms !== undefined) await delay(turn.delay_ms, undefined, { signal });
      for (const chunk of chunks(turn.text ?? '')) await emit({ type: 'text_delta', text: chunk });
      const calls = turn.calls ?? [];
      for (const [index, call] of calls.entries()) {
        await emit({ type: 'call_start', index, call_id: `call_${nextId()}`, tool: call.tool });
        for (const chunk of chunks(replayArguments(call.input))) {
          await emit({ type: 'call_delta', index, arguments_delta: chunk });
        }
        await emit({ type: 'call_end', index });
      }
      await emit({ type: 'usage', usage: estimateUsage(request, JSON.stringify([turn.text ?? '', calls]).length) });
      return { kind: 'done', stop: calls.length > 0 ? 'tool_calls' : 'end_turn' };
    },
  };
}

/** Cuts between code points. */
function chunks(text: string): readonly string[] {
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / CHUNK_LENGTH) }, (_, index) =>
    points.slice(index * CHUNK_LENGTH, (index + 1) * CHUNK_LENGTH).join(''),
  );
}
