import type { EventBody, FluffyEvent } from '../../contracts/session/events.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type {
  KeptOutput,
  SessionChanges,
  SessionRow,
  SessionStore,
  StoredMessage,
} from '../../contracts/ports/session-store.ts';
import type { SessionId } from '../../contracts/ids.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { FACT_NAMES } from '../../contracts/session/session-facts.ts';
import type { ContextFact } from '../../contracts/session/session-facts.ts';
import type { SessionMode, SessionState } from '../../contracts/session/workflow-states.ts';
import { boundEvent } from './bound-event.ts';
import { progressOf } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

export interface SessionParts {
  readonly row: SessionRow;
  readonly snapshot: Snapshot;
  /** The messages from `snapshot.context.start` on. */
  readonly messages: readonly ModelMessage[];
  readonly lastSeq: number;
  readonly store: SessionStore;
  readonly clock: Clock;
}

export interface SessionArchive {
  message(position: number): ModelMessage | null;
  /** Messages that may contain a text, newest first. */
  search(text: string): Iterable<StoredMessage>;
  output(reference: string): string | null;
}

/** More events than can be shown between two decisions. */
const MAX_PASSED_OVER = 100_000;

type Subscriber = (event: FluffyEvent) => void;

type StreamedType =
  | 'text.delta'
  | 'usage'
  | 'tool.started'
  | 'policy.decision'
  | 'tool.finished'
  | 'test.progress'
  | 'test.counts'
  | 'packages.fetched'
  | 'proof.progress';

/**
 * One session in the kernel. A decision is on disk before it is shown: `emit` and `save` write the row and all changes since the last save in one
 * transaction, then call the subscribers. Streamed text and events of reads are shown at once and written with the next decision.
 */
export class Session {
  readonly id: SessionId;
  #row: SessionRow;
  #snapshot: Snapshot;
  /** The snapshot as it is on disk. */
  #saved: Snapshot;
  #savedRow: SessionRow;
  #messages: ModelMessage[];
  #start: number;
  #unsavedMessages: ModelMessage[] = [];
  #unsavedEvents: FluffyEvent[] = [];
  #unsavedOutputs: KeptOutput[] = [];
  #seq: number;
  /** Start of the run by the monotonic clock; null if it started in an earlier process. */
  #runBeganMs: number | null = null;
  #readsMessages = true;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #subscribers = new Set<Subscriber>();

  constructor(parts: SessionParts) {
    this.id = parts.row.id as SessionId;
    this.#row = parts.row;
    this.#snapshot = parts.snapshot;
    this.#saved = parts.snapshot;
    this.#savedRow = parts.row;
    this.#messages = [...parts.messages];
    this.#start = parts.snapshot.context?.start ?? 0;
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
  /** The part of the conversation that is sent to the model. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }
  /** Position of the first of these messages in the whole conversation. */
  get start(): number {
    return this.#start;
  }
  /** Number of the model's answers so far. */
  get answers(): number {
    const live = this.#messages.filter(({ role }) => role === 'assistant').length;
    return live + (this.#snapshot.context?.answers_before ?? 0);
  }

  /** Whether anybody receives its events. */
  get followed(): boolean {
    return this.#subscribers.size > 0;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Changes the snapshot; written with the next `save` or `emit`. */
  update(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
  }

  /** Starts a run. Its duration counts from here by the monotonic clock, even if the calendar is changed. */
  beginRun(change: Partial<Snapshot> = {}): void {
    this.#runBeganMs = this.#clock.monotonicMs();
    this.#readsMessages = true;
    this.update({ ...change, run_started_ms: this.#clock.nowMs() });
  }

  /** The run has ended and only cleans up: a message from now on begins the next run. */
  endReading(): void {
    this.#readsMessages = false;
  }

  /** Whether the current run reads a message that arrives now. */
  get readsMessages(): boolean {
    return this.#readsMessages && this.#snapshot.running;
  }

  /** Milliseconds since the start of the run; by the calendar if the kernel was restarted since. */
  get runElapsedMs(): number {
    if (this.#runBeganMs !== null) return Math.round(this.#clock.monotonicMs() - this.#runBeganMs);
    return Math.max(0, this.#clock.nowMs() - this.#snapshot.run_started_ms);
  }

  updateRow(change: Partial<Pick<SessionRow, 'state' | 'mode' | 'status' | 'title' | 'commits'>>): void {
    this.#row = { ...this.#row, ...change };
  }

  push(message: ModelMessage): void {
    this.#messages.push(message);
    this.#unsavedMessages.push(message);
  }

  /** Sends less of the conversation from now on. Messages before `start` are removed from memory and stay in the store. */
  setContext(context: ContextFact): void {
    this.update({ context });
    this.save();
    this.#messages = this.#messages.slice(context.start - this.#start);
    this.#start = context.start;
  }

  /** The whole conversation, from the first message on. */
  history(): readonly ModelMessage[] {
    this.#saveNews();
    return this.#store.messages(this.id);
  }

  /** Read access to the stored session, including everything unsaved. */
  get archive(): SessionArchive {
    this.#saveNews();
    return {
      message: (position) => this.#store.message(this.id, position),
      search: (text) => this.#store.searchMessages(this.id, text),
      output: (reference) => this.#store.output(this.id, reference),
    };
  }

  /** Stores the full text of an output that was cut; written with the next `save` or `emit`, like the message that refers to it. */
  keepOutput(reference: string, text: string): void {
    this.#unsavedOutputs.push({ reference, text });
  }

  /** Copies the stored outputs of another session, because the copied conversation may refer to them. */
  keepOutputsOf(other: Session): void {
    other.#saveNews();
    this.#store.copyOutputs(other.id, this.id);
  }

  /** Writes the event to disk, then shows it. */
  emit(body: EventBody): void {
    const event = this.#stamp(body);
    this.save();
    this.#show(event);
  }

  /** Shows the event at once and writes it with the next decision: for the stream of an answer, and for reads, which have no effect. */
  stream(body: Extract<EventBody, { type: StreamedType }>): void {
    this.#show(this.#stamp(body));
  }

  /**
   * Marks the numbers up to `seq` as used: events that had been shown but not written when the kernel died. Their content is lost. A number that is
   * used twice would hide the second event from a client that saw the first.
   */
  passOver(seq: number): void {
    if (seq - this.#seq > MAX_PASSED_OVER) return;
    while (this.#seq < seq) this.#stamp({ type: 'text.delta', text: '' });
    this.save();
  }

  /** Writes only if something is unsaved, because reading must not wait for the disk. */
  #saveNews(): void {
    const added = [this.#unsavedMessages, this.#unsavedEvents, this.#unsavedOutputs];
    const isChanged = this.#snapshot !== this.#saved || this.#row !== this.#savedRow;
    if (isChanged || added.some(({ length }) => length > 0)) this.save();
  }

  /** `updatedMs`: when the session was last used. */
  save(updatedMs = this.#clock.nowMs()): void {
    this.#row = { ...this.#row, updated_ms: updatedMs };
    this.#store.save(this.#row, this.#changes());
    this.#saved = this.#snapshot;
    this.#savedRow = this.#row;
    this.#unsavedMessages = [];
    this.#unsavedEvents = [];
    this.#unsavedOutputs = [];
  }

  /** Values are replaced and never edited in place, so a changed value is a different object. */
  #changes(): SessionChanges {
    const [now, saved] = [this.#snapshot, this.#saved];
    const keys = (Object.keys(now) as (keyof Snapshot)[]).filter((key) => now[key] !== saved[key]);
    const facts = FACT_NAMES.filter((name) => keys.includes(name));
    return {
      ...(keys.length > facts.length ? { progress: progressOf(now) } : {}),
      facts: Object.fromEntries(facts.map((name) => [name, now[name]])),
      messages: this.#unsavedMessages,
      events: this.#unsavedEvents,
      outputs: this.#unsavedOutputs,
    };
  }

  #stamp(body: EventBody): FluffyEvent {
    this.#seq += 1;
    const event = { ...boundEvent(body), session_id: this.id, seq: this.#seq, ts: this.#clock.nowMs() };
    this.#unsavedEvents.push(event);
    return event;
  }

  /**
   * Shows followers of a run that cannot be written to disk the reason and the end. These events are not part of the session, because nothing was
   * saved.
   */
  showLost(cause: unknown): void {
    const what = 'The session could not be saved';
    const why = cause instanceof FluffyError ? cause.why : String(cause);
    const fix = 'Free disk space or fix permissions, then fluffy --continue';
    const unsaved = (place: number) => ({
      session_id: this.id,
      seq: this.#seq + place,
      ts: this.#clock.nowMs(),
    });
    this.#show({ type: 'error', level: 'error', what, why, fix, code: 'session_write_failed', ...unsaved(1) });
    this.#show({
      type: 'session.finished',
      status: 'failed',
      exit_code: EXIT.failed,
      files_changed: [],
      summary: `${what}: ${why}. ${fix}`,
      duration_ms: this.runElapsedMs,
      usage: this.#snapshot.usage,
      audit_head: null,
      ...unsaved(2),
    });
  }

  /** An exception of a subscriber is ignored: events report, they don't decide. */
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
