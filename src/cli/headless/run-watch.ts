import type { EventOf, FluffyEvent, ReviewRequested } from '../../contracts/session/events.ts';

export type Finished = EventOf<'session.finished'>;

/**
 * Reads the events for three things: when the run of our own message has ended, which review waits for a person, and how the last run ended. Another
 * CLI's run may end on the same stream before our message is part of the conversation.
 */
export class RunWatch {
  #last: FluffyEvent | null = null;
  #finished: Finished | null = null;
  #review: ReviewRequested | null = null;
  #own: { readonly messageId: string; begun: boolean; readonly ended: PromiseWithResolvers<Finished> } | null = null;
  #changed = Promise.withResolvers<void>();

  /** The newest event of all. */
  get last(): FluffyEvent | null {
    return this.#last;
  }
  /** The newest end of a run. */
  get finished(): Finished | null {
    return this.#finished;
  }
  /** The review that the run waits for. */
  get review(): ReviewRequested | null {
    return this.#review;
  }
  /** Whether the run of our last message is still in progress. */
  get busy(): boolean {
    return this.#own !== null;
  }

  /** Must be called before the message is sent under this id: resolves to the end of the run that the message became part of. */
  expect(messageId: string): Promise<Finished> {
    const ended = Promise.withResolvers<Finished>();
    this.#own = { messageId, begun: false, ended };
    return ended.promise;
  }

  /** Resolves at the next event. */
  change(): Promise<void> {
    return this.#changed.promise;
  }

  see(event: FluffyEvent): void {
    this.#last = event;
    const own = this.#own;
    if (event.type === 'message.user' && own !== null && own.messageId === event.message_id) own.begun = true;
    if (event.type === 'review.requested') this.#review = event.reasons.length > 0 ? event : null;
    if (event.type === 'review.decided') this.#review = null;
    if (event.type === 'session.finished') this.#end(event);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #end(event: Finished): void {
    this.#finished = event;
    this.#review = null;
    if (this.#own?.begun !== true) return;
    const { ended } = this.#own;
    this.#own = null;
    ended.resolve(event);
  }
}
