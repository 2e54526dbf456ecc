import type { Session } from './session.ts';

export interface UserMessage {
  readonly text: string;
  /** Material given with it, e.g. piped input. */
  readonly context?: string | undefined;
  /** The sender's name for it. */
  readonly message_id?: string | undefined;
}

/** A sender repeats what it got no answer to, and nothing that lies further back. */
const REMEMBERED = 32;

/** Whether this very message is part of the conversation already, or waits to become so. */
export function isTaken(session: Session, { message_id: id }: UserMessage): boolean {
  return id !== undefined && session.snapshot.taken.includes(id);
}

function remember(session: Session, { message_id: id }: UserMessage): void {
  if (id !== undefined) session.update({ taken: [...session.snapshot.taken, id].slice(-REMEMBERED) });
}

/** Makes a message part of the conversation, and tells that it is. */
export function addUserMessage(session: Session, message: UserMessage): void {
  const { text, context } = message;
  remember(session, message);
  session.push({
    role: 'user',
    text: context === undefined ? text : `${text}\n\n<context>\n${context}\n</context>`,
  });
  session.emit({ type: 'message.user', text });
}

/** Keeps a message that came during a run, on disk before it is acknowledged. */
export function queueUserMessage(session: Session, message: UserMessage): void {
  const { text, context } = message;
  remember(session, message);
  session.update({ queued: [...session.snapshot.queued, { text, ...(context === undefined ? {} : { context }) }] });
  session.save();
}

/**
 * Moves what was said during the run into the conversation, one at a time: each leaves the queue on disk with the step that makes it part of the
 * conversation, so a kernel that dies in between loses none. Whether there was anything.
 */
export function deliverQueued(session: Session): boolean {
  const { queued } = session.snapshot;
  for (const [index, message] of queued.entries()) {
    session.update({ queued: queued.slice(index + 1) });
    addUserMessage(session, message);
  }
  return queued.length > 0;
}
