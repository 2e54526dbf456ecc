import { move } from '../record/fire-event.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { forNextTask } from '../session/snapshot.ts';

/** Drops a task without staged changes, as if it had not been begun. The conversation stays. */
export function dropTask(services: Services, session: Session): void {
  if (session.state !== 'idle') move(services, session, 'cancelled');
  session.update(forNextTask(session.snapshot, '', services.clock.nowMs()));
  session.save();
}
