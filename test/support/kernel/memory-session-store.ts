import type { FluffyEvent } from '../../../src/contracts/events.ts';
import type { ModelMessage } from '../../../src/contracts/model.ts';
import type { SessionChanges, SessionRow, SessionStore } from '../../../src/contracts/ports/session-store.ts';
import type { Snapshot } from '../../../src/contracts/session-snapshot.ts';

interface Stored {
  row: SessionRow;
  snapshot: Snapshot;
  messages: ModelMessage[];
  readonly events: FluffyEvent[];
}

/** Sessions in memory. `writes` holds the events of each write, in order. */
export class MemorySessionStore implements SessionStore {
  readonly writes: (readonly FluffyEvent[])[] = [];
  readonly #sessions = new Map<string, Stored>();

  insert(row: SessionRow, snapshot: Snapshot): void {
    this.#sessions.set(row.id, { row, snapshot, messages: [], events: [] });
  }

  save(row: SessionRow, { progress, facts, messages = [], events = [] }: SessionChanges): void {
    const stored = this.#sessions.get(row.id);
    if (stored === undefined) throw new Error(`there is no session ${row.id}`);
    stored.row = row;
    stored.snapshot = { ...stored.snapshot, ...progress, ...facts };
    stored.messages.push(...messages);
    stored.events.push(...events);
    this.writes.push([...events]);
  }

  remove(id: string): void {
    this.#sessions.delete(id);
  }

  snapshot(id: string): Snapshot | null {
    return this.#sessions.get(id)?.snapshot ?? null;
  }

  get(id: string): SessionRow | null {
    return this.#sessions.get(id)?.row ?? null;
  }

  newest(): SessionRow | null {
    return this.list()[0] ?? null;
  }

  list(): readonly SessionRow[] {
    return [...this.#sessions.values()].map(({ row }) => row).sort((a, b) => b.updated_ms - a.updated_ms);
  }

  messages(id: string): readonly ModelMessage[] {
    return this.#sessions.get(id)?.messages ?? [];
  }

  replaceMessages(id: string, messages: readonly ModelMessage[]): void {
    const stored = this.#sessions.get(id);
    if (stored !== undefined) stored.messages = [...messages];
  }

  events(id: string, afterSeq: number): readonly FluffyEvent[] {
    return (this.#sessions.get(id)?.events ?? []).filter(({ seq }) => seq > afterSeq);
  }

  lastSeq(id: string): number {
    return this.#sessions.get(id)?.events.at(-1)?.seq ?? 0;
  }
}
