import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import type {
  SessionChanges,
  SessionRow,
  SessionStore,
  StoredMessage,
} from '../../../src/contracts/ports/session-store.ts';
import type { Snapshot } from '../../../src/contracts/session/session-snapshot.ts';

interface Stored {
  row: SessionRow;
  snapshot: Snapshot;
  messages: ModelMessage[];
  readonly events: FluffyEvent[];
}

/** Sessions in memory. `writes` holds the events of each write, in order. */
export class MemorySessionStore implements SessionStore {
  readonly writes: (readonly FluffyEvent[])[] = [];
  readonly #outputs = new Map<string, string>();
  readonly #sessions = new Map<string, Stored>();

  insert(row: SessionRow, snapshot: Snapshot): void {
    this.#sessions.set(row.id, { row, snapshot, messages: [], events: [] });
  }

  save(row: SessionRow, { progress, facts, messages = [], events = [], outputs = [] }: SessionChanges): void {
    const stored = this.#sessions.get(row.id);
    if (stored === undefined) throw new Error(`there is no session ${row.id}`);
    stored.row = row;
    stored.snapshot = { ...stored.snapshot, ...progress, ...facts };
    stored.messages.push(...messages);
    stored.events.push(...events);
    for (const { reference, text } of outputs) this.#outputs.set(`${row.id} ${reference}`, text);
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
    const sessions = this.list();
    return sessions.find(({ status }) => status !== 'archived') ?? sessions[0] ?? null;
  }

  list(): readonly SessionRow[] {
    return [...this.#sessions.values()].map(({ row }) => row).sort((a, b) => b.updated_ms - a.updated_ms);
  }

  messages(id: string, from = 0): readonly ModelMessage[] {
    return (this.#sessions.get(id)?.messages ?? []).slice(from);
  }

  message(id: string, position: number): ModelMessage | null {
    return this.#sessions.get(id)?.messages[position] ?? null;
  }

  searchMessages(id: string, text: string): Iterable<StoredMessage> {
    const asInJson = (each: string): string => JSON.stringify(each).slice(1, -1).toLowerCase();
    const wanted = [asInJson(text), asInJson(asInJson(text))];
    return this.messages(id)
      .map((message, position) => ({ position, message }))
      .filter(({ message }) => wanted.some((each) => JSON.stringify(message).toLowerCase().includes(each)))
      .reverse();
  }

  output(id: string, reference: string): string | null {
    return this.#outputs.get(`${id} ${reference}`) ?? null;
  }

  copyOutputs(from: string, to: string): void {
    for (const [key, text] of this.#outputs) {
      if (key.startsWith(`${from} `)) this.#outputs.set(`${to} ${key.slice(from.length + 1)}`, text);
    }
  }

  events(id: string, afterSeq: number): readonly FluffyEvent[] {
    return (this.#sessions.get(id)?.events ?? []).filter(({ seq }) => seq > afterSeq);
  }

  lastSeq(id: string): number {
    return this.#sessions.get(id)?.events.at(-1)?.seq ?? 0;
  }
}
