import type { Session } from '../session/session.ts';
import { transition } from '../workflow/transition.ts';
import type { Flow, WorkflowEvent } from '../workflow/transition.ts';
import { record } from './audit-trail.ts';
import type { Services } from '../services.ts';

export function flowOf(session: Session): Flow {
  const { exemption, kind } = session.snapshot;
  if (session.mode !== 'strict' || exemption !== null) return 'explore';
  return kind === 'tests' ? 'tests' : 'strict';
}

/**
 * Fires a workflow event: it is recorded on disk, then shown. Throws for an illegal event, which is a bug of the
 * caller.
 */
export function move(services: Services, session: Session, event: WorkflowEvent, guard?: string): void {
  const from = session.state;
  const outcome = transition(flowOf(session), from, event);
  if (outcome.kind === 'illegal-transition') throw new Error(`illegal transition: ${event} in ${from}`);
  const reason: { guard?: string } = guard === undefined ? {} : { guard };
  record(services, session, 'state_transition', {
    input_summary: `${from} -> ${outcome.next}`,
    metadata: { trigger: event, ...(guard === undefined ? {} : { guard }) },
  });
  session.updateRow({ state: outcome.next });
  session.update({ idle_answers: 0 });
  session.emit({ type: 'state.changed', from, to: outcome.next, trigger: event, ...reason });
}
