import { assertNever } from '../../lib/assert-never.ts';
import type { Session } from '../session/session.ts';
import { transition } from '../workflow/transition.ts';
import type { Flow, WorkflowEffect, WorkflowEvent } from '../workflow/transition.ts';
import { record } from './audit-trail.ts';
import type { Services } from '../services.ts';

export function flowOf(session: Session): Flow {
  return session.mode === 'strict' && session.snapshot.exemption === null ? 'strict' : 'explore';
}

/**
 * Fires a workflow event: audited, durable, then told. An illegal one is a bug of the caller, who has looked at the state. Effects that are
 * facts of the session are applied here; those that take work are returned for the caller.
 */
export function move(
  services: Services,
  session: Session,
  event: WorkflowEvent,
  guard?: string,
): readonly WorkflowEffect[] {
  const from = session.state;
  const outcome = transition(flowOf(session), from, event);
  if (outcome.kind === 'illegal-transition') throw new Error(`illegal transition: ${event} in ${from}`);
  record(services, session, 'state_transition', {
    input_summary: `${from} -> ${outcome.next}`,
    metadata: { trigger: event, ...(guard === undefined ? {} : { guard }) },
  });
  for (const effect of outcome.effects) applyFact(session, effect);
  session.updateRow({ state: outcome.next });
  session.update({ idle_answers: 0 });
  session.emit({
    type: 'state.changed',
    from,
    to: outcome.next,
    trigger: event,
    ...(guard === undefined ? {} : { guard }),
  });
  return outcome.effects;
}

function applyFact(session: Session, effect: WorkflowEffect): void {
  switch (effect) {
    case 'void_red':
      session.update({ red: null, green: null, findings: [] });
      return;
    case 'record_baseline':
    case 'freeze_tests':
    case 'prepare_commit':
    case 'merge_and_commit':
    case 'drop_staged':
      return;
    default:
      assertNever(effect);
  }
}
