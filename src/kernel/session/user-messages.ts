import type { Session } from './session.ts';

export interface UserMessage {
  readonly text: string;
  /** Material given with it, e.g. piped input. */
  readonly context?: string | undefined;
}

/** Makes a message part of the conversation, and tells that it is. */
export function addUserMessage(session: Session, { text, context }: UserMessage): void {
  session.push({
    role: 'user',
    text: context === undefined ? text : `${text}\n\n<context>\n${context}\n</context>`,
  });
  session.emit({ type: 'message.user', text });
}

/** Keeps a message that came during a run, on disk before it is acknowledged. */
export function queueUserMessage(session: Session, { text, context }: UserMessage): void {
  const message = { text, ...(context === undefined ? {} : { context }) };
  session.update({ queued: [...session.snapshot.queued, message] });
  session.save();
}

/** Moves what was said during the run into the conversation. Whether there was anything. */
export function deliverQueued(session: Session): boolean {
  const { queued } = session.snapshot;
  session.update({ queued: [] });
  for (const message of queued) addUserMessage(session, message);
  return queued.length > 0;
}
