import type { FluffyEvent } from '../events.ts';
import type { SessionMode, SessionState } from '../workflow-states.ts';
import type { ModelMessage } from '../model.ts';

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
  /** Everything else that is decided, as JSON; its shape is the session step's (parsed with zod when read). */
  readonly snapshot: string;
}

/** Every call is durable when it returns. State changes are chained by hash like the audit log (own table). */
export interface SessionStore {
  insert(row: SessionRow): void;
  /** Writes the row, and its messages and events that are new, in one transaction. */
  save(row: SessionRow, messages: readonly ModelMessage[], events: readonly FluffyEvent[]): void;
  get(id: string): SessionRow | null;
  newest(): SessionRow | null;
  list(): readonly SessionRow[];
  messages(id: string): readonly ModelMessage[];
  /** Replaces all messages (compaction, fork). */
  replaceMessages(id: string, messages: readonly ModelMessage[]): void;
  events(id: string, afterSeq: number): readonly FluffyEvent[];
  lastSeq(id: string): number;
}
