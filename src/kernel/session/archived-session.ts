import type { Session } from './session.ts';

/** An archived session keeps the status that it had. */
export function putAway(session: Session): void {
  const { status } = session.row;
  if (status === 'archived') return;
  session.update({ archived_as: status });
  session.updateRow({ status: 'archived' });
}

/** Does nothing for a session that is not archived. */
export function bringBack(session: Session): void {
  if (session.row.status !== 'archived') return;
  session.updateRow({ status: session.snapshot.archived_as ?? 'done' });
  session.update({ archived_as: null });
}
