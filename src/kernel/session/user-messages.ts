import type { MessageImage } from '../../contracts/model/image.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { answerWords } from '../../lib/text/question-words.ts';
import { modelInUse } from './model-in-use.ts';
import type { Session } from './session.ts';

export interface UserMessage {
  readonly text: string;
  /** Material sent with the message, e.g. piped input. */
  readonly context?: string | undefined;
  /** Text that the kernel adds for the model. */
  readonly note?: string | undefined;
  /** The sender's name for it. */
  readonly message_id?: string | undefined;
  /** Stored with the session under their references. */
  readonly images?: readonly MessageImage[] | undefined;
}

/**
 * Share of the model's window that one message may take, and the minimum characters of a token. A longer message is
 * stored completely and read in parts.
 */
const MESSAGE_SHARE = 0.25;
const CHARACTERS_PER_TOKEN = 3;
const ASSUMED_WINDOW = 128_000;

/** Number of remembered message ids. A sender repeats only recent messages that got no answer. */
const REMEMBERED = 32;

/** Whether this message is already part of the conversation or in the queue. */
export function isTaken(session: Session, { message_id: id }: UserMessage): boolean {
  return id !== undefined && session.snapshot.taken.includes(id);
}

function remember(session: Session, message: UserMessage): void {
  const { message_id: id } = message;
  if (id !== undefined && !isTaken(session, message))
    session.update({ taken: [...session.snapshot.taken, id].slice(-REMEMBERED) });
}

/** Adds a message to the conversation and reports it. It answers the open question, if there is one. */
export function addUserMessage(session: Session, message: UserMessage): void {
  const { text, context, note, message_id: id, images = [] } = message;
  remember(session, message);
  const said = answerWords(session.snapshot.question, text);
  session.update({ question: null });
  const given = context === undefined ? undefined : `<context>\n${context}\n</context>`;
  const whole = [said, note, given].filter((part) => part !== undefined).join('\n\n');
  const seen = images.length === 0 ? {} : { images: [...images] };
  session.push({ role: 'user', text: fitMessage(session, whole), ...seen });
  session.emit({ type: 'message.user', text, ...(id === undefined ? {} : { message_id: id }) });
}

function fitMessage(session: Session, text: string): string {
  const window = modelInUse(session).window_tokens ?? ASSUMED_WINDOW;
  const max = Math.floor(window * MESSAGE_SHARE * CHARACTERS_PER_TOKEN);
  if (text.length <= max) return text;
  const reference = `user_${session.start + session.messages.length}`;
  session.keepOutput(reference, text);
  return cutText(text, 'ends', max, (from) => `; output.read with reference ${reference} and offset ${from} shows them`)
    .text;
}

/** Queues a message that arrived during a run; on disk before it is acknowledged. */
export function queueUserMessage(session: Session, message: UserMessage): void {
  const { text, context, note, message_id: id, images = [] } = message;
  remember(session, message);
  const rest = {
    ...(context === undefined ? {} : { context }),
    ...(note === undefined ? {} : { note }),
    ...(id === undefined ? {} : { message_id: id }),
    ...(images.length === 0 ? {} : { images: [...images] }),
  };
  session.update({ queued: [...session.snapshot.queued, { text, ...rest }] });
  session.save();
}

/** Messages of the user during the run that the model has not read. */
export function unreadMessages({ snapshot }: Session): readonly UserMessage[] {
  return snapshot.queued.filter(({ author }) => author === undefined);
}

/** Removes these messages from the queue and returns their texts. */
export function takeQueued(session: Session): string[] {
  const { queued, taken } = session.snapshot;
  const unread = unreadMessages(session);
  const ids = unread.map(({ message_id: id }) => id);
  session.update({
    queued: queued.filter(({ author }) => author !== undefined),
    taken: taken.filter((id) => !ids.includes(id)),
  });
  session.save();
  return unread.map(({ text }) => text);
}

/**
 * Adds a note of the kernel for the model. During a run the note waits in the queue, because in the conversation it
 * could come between a call and its result.
 */
export function addNote(session: Session, text: string): void {
  const { running, queued } = session.snapshot;
  if (running) session.update({ queued: [...queued, { text, author: 'kernel' }] });
  else session.push({ role: 'user', text, author: 'kernel' });
  session.save();
}

/**
 * Moves queued messages and notes into the conversation, one at a time. Each leaves the queue in the same write that
 * adds it to the conversation, so a dying kernel loses none. Returns whether there was a message of the user.
 */
export function deliverQueued(session: Session): boolean {
  const { queued } = session.snapshot;
  const hasSaid = unreadMessages(session).length > 0;
  for (const [index, message] of queued.entries()) {
    session.update({ queued: queued.slice(index + 1) });
    const { author, text } = message;
    if (author === undefined) addUserMessage(session, message);
    else session.push({ role: 'user', text, author });
  }
  return hasSaid;
}
