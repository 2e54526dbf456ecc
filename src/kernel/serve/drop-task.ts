import type { Workspace } from '../../contracts/ports/workspace.ts';
import { move } from '../record/fire-event.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { forNextTask } from '../session/snapshot.ts';

/** Leaves the task as if it had not been begun: nothing is staged, the state is idle. The conversation stays. */
export async function dropTask(services: Services, session: Session, workspace: Workspace): Promise<void> {
  await workspace.reset();
  if (session.state !== 'idle') move(services, session, 'cancelled');
  session.update(forNextTask(session.snapshot, '', services.clock.nowMs()));
  session.save();
}
