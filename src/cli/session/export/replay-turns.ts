import type { ReplayTurn } from '../../../contracts/model/model.ts';
import type { SessionDetails } from '../read-sessions.ts';

/**
 * The model's texts and calls, as turns for `--model replay/FILE`. Each request ends with its `usage`, which comes before the complete text and the
 * calls.
 */
export function replayTurns({ events }: Pick<SessionDetails, 'events'>): readonly ReplayTurn[] {
  const turns: Required<Pick<ReplayTurn, 'text' | 'calls'>>[] = [];
  let begun = false;
  for (const event of events) {
    const last = turns.at(-1);
    if (event.type === 'usage') begun = false;
    else if (event.type === 'text.done') {
      turns.push({ text: event.text, calls: [] });
      begun = true;
    } else if (event.type === 'tool.started' && event.by === undefined) {
      const call = { tool: event.tool, input: event.input };
      if (begun && last !== undefined) last.calls.push(call);
      else turns.push({ text: '', calls: [call] });
      begun = true;
    }
  }
  return turns.map(({ text, calls }) => ({
    ...(text === '' ? {} : { text }),
    ...(calls.length === 0 ? {} : { calls }),
  }));
}
