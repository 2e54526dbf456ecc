import type { EventBody, FluffyEvent } from '../../contracts/events.ts';
import type { ModelMessage } from '../../contracts/model.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { SessionRow, SessionStore } from '../../contracts/ports/session-store.ts';
import type { SessionId } from '../../contracts/ids.ts';
import type { SessionMode, SessionState } from '../../contracts/workflow-states.ts';
import type { Snapshot } from './snapshot.ts';

export interface SessionParts {
  readonly row: SessionRow;
  readonly snapshot: Snapshot;
  readonly messages: readonly ModelMessage[];
  readonly lastSeq: number;
  readonly store: SessionStore;
  readonly clock: Clock;
}

/** More than can be shown between two decisions. */
const MAX_PASSED_OVER = 100_000;

type Subscriber = (event: FluffyEvent) => void;

/**
 * One session as the kernel holds it. What is decided is on disk before anybody is shown it: `emit` and `save` write row, new messages and
 * new events in one transaction, then tell the subscribers. Text that streams in, and what is told of reads, is shown at once and written with the next decision.
 */
export class Session {
  readonly id: SessionId;
  #row: SessionRow;
  #snapshot: Snapshot;
  #messages: ModelMessage[];
  #unsavedMessages: ModelMessage[] = [];
  #unsavedEvents: FluffyEvent[] = [];
  #seq: number;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #subscribers = new Set<Subscriber>();

  constructor(parts: SessionParts) {
    this.id = parts.row.id as SessionId;
    this.#row = parts.row;
    this.#snapshot = parts.snapshot;
    this.#messages = [...parts.messages];
    this.#seq = parts.lastSeq;
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  get state(): SessionState {
    return this.#row.state;
  }
  get mode(): SessionMode {
    return this.#row.mode;
  }
  get row(): SessionRow {
    return this.#row;
  }
  get snapshot(): Snapshot {
    return this.#snapshot;
  }
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** Whether anybody is being told of its events. */
  get followed(): boolean {
    return this.#subscribers.size > 0;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Changes what is known; on disk with the next `save` or `emit`. */
  update(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
  }

  updateRow(change: Partial<Pick<SessionRow, 'state' | 'mode' | 'status' | 'title' | 'commits'>>): void {
    this.#row = { ...this.#row, ...change };
  }

  push(message: ModelMessage): void {
    this.#messages.push(message);
    this.#unsavedMessages.push(message);
  }

  /** Puts a shorter history in place of the whole one. */
  replaceMessages(messages: readonly ModelMessage[]): void {
    this.save();
    this.#messages = [...messages];
    this.#store.replaceMessages(this.id, messages);
  }

  /** Durable, then shown. */
  emit(body: EventBody): void {
    const event = this.#stamp(body);
    this.save();
    this.#show(event);
  }

  /** Shown at once, durable with the next decision: for text that streams, and for reads, which decide nothing and have no effect. */
  stream(
    body: Extract<EventBody, { type: 'text.delta' | 'tool.started' | 'policy.decision' | 'tool.finished' }>,
  ): void {
    this.#show(this.#stamp(body));
  }

  /**
   * Takes numbers up to `seq` for used: events that had been shown, and not yet written, when the kernel died. Nobody has their content any more; a
   * number that meant two things would hide the second from whoever saw the first.
   */
  passOver(seq: number): void {
    if (seq - this.#seq > MAX_PASSED_OVER) return;
    while (this.#seq < seq) this.#stamp({ type: 'text.delta', text: '' });
    this.save();
  }

  save(): void {
    this.#row = { ...this.#row, updated_ms: this.#clock.nowMs(), snapshot: JSON.stringify(this.#snapshot) };
    this.#store.save(this.#row, this.#unsavedMessages, this.#unsavedEvents);
    this.#unsavedMessages = [];
    this.#unsavedEvents = [];
  }

  #stamp(body: EventBody): FluffyEvent {
    this.#seq += 1;
    const event = { ...body, session_id: this.id, seq: this.#seq, ts: this.#clock.nowMs() };
    this.#unsavedEvents.push(event);
    return event;
  }

  /** A subscriber that fails is its own problem: events report, they don't decide. */
  #show(event: FluffyEvent): void {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(event);
      } catch {
        this.#subscribers.delete(subscriber);
      }
    }
  }
}
