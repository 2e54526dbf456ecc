import type { SessionFinished } from '../../../contracts/session/events.ts';
import type { SessionState } from '../../../contracts/session/workflow-states.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { formatDuration } from '../format-amount.ts';
import { plural } from '../../../lib/text/plural.ts';
import type { ViewState } from '../view-state.ts';
import { safeLine } from '../safe-text.ts';
import type { SafeText } from '../safe-text.ts';

/** No work is staged in these states. */
const WITHOUT_WORK: readonly SessionState[] = ['idle', 'planning'];

/** The last line of a run. It begins with `Done.` only for a completed run. */
export function finalLine(
  event: SessionFinished,
  workedMs: number,
  { state, asks }: Pick<ViewState, 'state' | 'asks'>,
): SafeText {
  const took = formatDuration(workedMs);
  const files = event.files_changed.length === 0 ? '' : `, ${plural(event.files_changed.length, 'file')} changed`;
  switch (event.status) {
    case 'committed':
      return safeLine(`Done. Commit ${(event.commit ?? '').slice(0, 10)}${files}, ${took}.`);
    case 'done':
      return safeLine(state === 'idle' ? `Done. It took ${took}.` : `Done. Nothing was committed, ${took}.`);
    case 'cancelled':
      return safeLine(
        WITHOUT_WORK.includes(state)
          ? `Interrupted after ${took}. Say how to go on.`
          : `Interrupted after ${took}. Staged work is kept: say how to continue, or drop it with /reset.`,
      );
    case 'waiting':
      return safeLine(
        asks
          ? `Asked after ${took}. Your next message is the answer.`
          : `Waiting for your decision, after ${took} of work.`,
      );
    case 'failed':
      return safeLine(`Ended without a commit after ${took} (exit ${event.exit_code}).`);
    default:
      return assertNever(event.status);
  }
}
