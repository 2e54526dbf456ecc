import type { FluffyEvent } from '../session/events.ts';
import type { ModelMessage } from '../model/model.ts';
import type { SessionFacts } from '../session/session-facts.ts';
import type { Progress, Snapshot } from '../session/session-snapshot.ts';
import type { SessionStatus } from '../session/session-status.ts';
import type { SessionMode, SessionState } from '../session/workflow-states.ts';

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly state: SessionState;
  readonly mode: SessionMode;
  readonly status: SessionStatus;
  /** Object ids of the commits it made, oldest first. */
  readonly commits: readonly string[];
}

/** What is new since the last save. An absent field stays unchanged; a null fact is removed. */
export interface SessionChanges {
  readonly progress?: Progress;
  readonly facts?: Partial<SessionFacts>;
  readonly messages?: readonly ModelMessage[];
  readonly events?: readonly FluffyEvent[];
  /** Full texts of outputs that were cut. A session keeps a limited amount, the newest. */
  readonly outputs?: readonly KeptOutput[];
}

export interface KeptOutput {
  readonly reference: string;
  readonly text: string;
}

/** A message with its position in the session, counted from 0. */
export interface StoredMessage {
  readonly position: number;
  readonly message: ModelMessage;
}

/** Every call is durable when it returns. State changes are chained by hash like the audit log (in a table of their own). */
export interface SessionStore {
  insert(row: SessionRow, snapshot: Snapshot): void;
  /** Writes the row and the changes, in one transaction. */
  save(row: SessionRow, changes: SessionChanges): void;
  /** Removes the session with everything that belongs to it, except the chain of its states. */
  remove(id: string): void;
  get(id: string): SessionRow | null;
  /** Throws FluffyError `database_row_invalid` if it cannot be read. */
  snapshot(id: string): Snapshot | null;
  /** The most recently used one; an archived one only if there is no other. */
  newest(): SessionRow | null;
  list(): readonly SessionRow[];
  /** Messages from a position on; default: all. */
  messages(id: string, from?: number): readonly ModelMessage[];
  message(id: string, position: number): ModelMessage | null;
  /** Messages that may contain this text, ignoring case; newest first, read page by page. */
  searchMessages(id: string, text: string): Iterable<StoredMessage>;
  output(id: string, reference: string): string | null;
  /** Copies the stored outputs of one session to another. */
  copyOutputs(from: string, to: string): void;
  events(id: string, afterSeq: number): readonly FluffyEvent[];
  lastSeq(id: string): number;
}
