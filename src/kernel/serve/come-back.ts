import type { ModelCall, ModelMessage } from '../../contracts/model/model.ts';
import { flowOf } from '../record/fire-event.ts';
import type { Session } from '../session/session.ts';
import { lastDecidedState } from '../workflow/transition.ts';

const UNANSWERED = 'Look at the state of things, then repeat it if it is still needed.';

/**
 * Returns a session to its last decided state before it continues, and closes calls without an answer. If a run was in
 * progress, its kernel died: people see that, and that each call has ended.
 */
export function comeBack(session: Session): void {
  const wasCut = session.snapshot.running;
  const calls = openCalls(session.messages);
  if (wasCut) session.emit(KERNEL_RESTARTED);
  const back = lastDecidedState(flowOf(session), session.state);
  if (back !== session.state) {
    const from = session.state;
    session.updateRow({ state: back });
    session.emit({ type: 'state.changed', from, to: back, trigger: 'recovered' });
  }
  if (calls.length === 0) return;
  const why = wasCut ? 'the kernel was restarted while this call was under way' : 'the run ended before this call did';
  if (wasCut) for (const call of calls) reportCancelled(session, call, why);
  const content = `cancelled: ${why}. ${UNANSWERED}`;
  session.push({ role: 'tool', results: calls.map(({ call_id }) => ({ call_id, ok: false, content })) });
}

const KERNEL_RESTARTED = {
  type: 'notice',
  level: 'warn',
  what: 'The kernel was restarted during a run of this session',
  why: 'it ended without an answer; all decisions are kept',
  fix: 'Nothing: the run continues from the last decided state',
  code: 'kernel_restarted',
} as const;

function reportCancelled(session: Session, { call_id, tool }: ModelCall, why: string): void {
  session.emit({
    type: 'tool.finished',
    call_id,
    tool,
    ok: false,
    summary: why,
    duration_ms: 0,
    error: { code: 'cancelled', message: why, retryable: true },
  });
}

/** Calls of the last message that got no answer. */
function openCalls(messages: readonly ModelMessage[]): readonly ModelCall[] {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.calls : [];
}
