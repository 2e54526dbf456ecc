import type { FluffyEvent } from '../../../src/contracts/events.ts';
import type { ModelMessage } from '../../../src/contracts/model.ts';
import type { SessionRow, SessionStore } from '../../../src/contracts/ports/session-store.ts';

interface Stored {
  row: SessionRow;
  messages: ModelMessage[];
  readonly events: FluffyEvent[];
}

/** Sessions in memory. `writes` holds the events of each write, in order. */
export class MemorySessionStore implements SessionStore {
  readonly writes: (readonly FluffyEvent[])[] = [];
  readonly #sessions = new Map<string, Stored>();

  insert(row: SessionRow): void {
    this.#sessions.set(row.id, { row, messages: [], events: [] });
  }

  save(row: SessionRow, messages: readonly ModelMessage[], events: readonly FluffyEvent[]): void {
    const stored = this.#sessions.get(row.id) ?? { row, messages: [], events: [] };
    stored.row = row;
    stored.messages.push(...messages);
    stored.events.push(...events);
    this.#sessions.set(row.id, stored);
    this.writes.push([...events]);
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
