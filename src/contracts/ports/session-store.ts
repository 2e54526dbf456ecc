import type { FluffyEvent } from '../session/events.ts';
import type { ModelMessage } from '../model/model.ts';
import type { SessionFacts } from '../session/session-facts.ts';
import type { Progress, Snapshot } from '../session/session-snapshot.ts';
import type { SessionMode, SessionState } from '../session/workflow-states.ts';

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly state: SessionState;
  readonly mode: SessionMode;
  readonly status: 'active' | 'waiting' | 'committed' | 'done' | 'failed' | 'cancelled' | 'archived';
  /** Object ids of the commits it made, oldest first. */
  readonly commits: readonly string[];
}

/** What is new since the last save. What is left out stays as it is; a fact that is null is removed. */
export interface SessionChanges {
  readonly progress?: Progress;
  readonly facts?: Partial<SessionFacts>;
  readonly messages?: readonly ModelMessage[];
  readonly events?: readonly FluffyEvent[];
  /** Wholes of outputs that were cut. A session keeps a limited amount, the newest. */
  readonly outputs?: readonly KeptOutput[];
}

export interface KeptOutput {
  readonly reference: string;
  readonly text: string;
}

/** A message with its place in the session, counted from 0. */
export interface StoredMessage {
  readonly position: number;
  readonly message: ModelMessage;
}

/** Every call is durable when it returns. State changes are chained by hash like the audit log (own table). */
export interface SessionStore {
  insert(row: SessionRow, snapshot: Snapshot): void;
  /** Writes the row and what has changed, in one transaction. */
  save(row: SessionRow, changes: SessionChanges): void;
  /** Removes the session with all that belongs to it. The chain of its states stays. */
  remove(id: string): void;
  get(id: string): SessionRow | null;
  /** Throws FluffyError `database_row_invalid` for one that cannot be read. */
  snapshot(id: string): Snapshot | null;
  newest(): SessionRow | null;
  list(): readonly SessionRow[];
  /** From a position on; default: all. */
  messages(id: string, from?: number): readonly ModelMessage[];
  message(id: string, position: number): ModelMessage | null;
  /** Messages that may hold this text, whatever its case; the newest first, read page by page. */
  searchMessages(id: string, text: string): Iterable<StoredMessage>;
  output(id: string, reference: string): string | null;
  /** What one session keeps, another keeps too. */
  copyOutputs(from: string, to: string): void;
  events(id: string, afterSeq: number): readonly FluffyEvent[];
  lastSeq(id: string): number;
}
