import { callForUser } from '../call/call-for-user.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { addNote } from '../session/user-messages.ts';

/** A build takes longer than a lookup. */
const TIMEOUT_MS = 300_000;

/** Runs a command of the user and drops all its changes. The model reads the result before the next message. */
export async function runForUser(
  services: Services,
  session: Session,
  script: string,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await services.workspaces.open(session.id);
  const context = { services, session, workspace, signal };
  const [reply] = await callForUser(context, [['shell.run', { script, timeout_ms: TIMEOUT_MS }]]);
  if (reply === undefined) return;
  addNote(session, `The user has run a command. Its changes were dropped.\n$ ${script}\n${reply.content}`);
}
