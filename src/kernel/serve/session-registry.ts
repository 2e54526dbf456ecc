import type { SessionId } from '../../contracts/ids.ts';
import type { SessionStore } from '../../contracts/ports/session-store.ts';
import type { SessionOptions } from '../../contracts/session/session-protocol.ts';
import type { SessionMode } from '../../contracts/session/workflow-states.ts';
import type { Services } from '../services.ts';
import { Session } from '../session/session.ts';
import { newSnapshot } from '../session/snapshot.ts';
import { sessionBusy, sessionNotFound } from './session-refusals.ts';

/** A session of this kernel, with its work in progress. */
export interface LiveSession {
  readonly session: Session;
  run: { readonly controller: AbortController; readonly ended: Promise<void> } | null;
  /** A decision is being applied outside a run; nothing else may change the session meanwhile. */
  deciding: Promise<void> | null;
}

/** Whether the run reads no further message, because it is being ended or has reported its end. */
export function isEnding({ session }: LiveSession, { controller }: NonNullable<LiveSession['run']>): boolean {
  return controller.signal.aborted || !session.readsMessages;
}

/** The sessions of this kernel by id: created, or read from the store on first use. */
export class SessionRegistry {
  readonly #services: Pick<Services, 'clock' | 'random'>;
  readonly #store: SessionStore;
  readonly #live = new Map<string, LiveSession>();

  constructor(services: Pick<Services, 'clock' | 'random'>, store: SessionStore) {
    this.#services = services;
    this.#store = store;
  }

  /** Sessions that were used since this kernel started. */
  all(): readonly LiveSession[] {
    return [...this.#live.values()];
  }

  create(options: SessionOptions, mode: SessionMode): LiveSession {
    const { clock, random } = this.#services;
    const nowMs = clock.nowMs();
    const snapshot = newSnapshot(options, nowMs);
    const row = {
      id: random.id('s', 20),
      title: '',
      created_ms: nowMs,
      updated_ms: nowMs,
      state: 'idle' as const,
      mode,
      status: 'active' as const,
      commits: [],
    };
    this.#store.insert(row, snapshot);
    return this.#keep(new Session({ row, snapshot, messages: [], lastSeq: 0, store: this.#store, clock }));
  }

  /** Throws FluffyError `session_not_found`, `database_row_invalid`. */
  find(id: string): LiveSession {
    const known = this.#live.get(id);
    if (known !== undefined) return known;
    const row = this.#store.get(id);
    const snapshot = this.#store.snapshot(id);
    if (row === null || snapshot === null) throw sessionNotFound(id);
    const messages = this.#store.messages(id, snapshot.context?.start);
    const lastSeq = this.#store.lastSeq(id);
    const { clock } = this.#services;
    return this.#keep(new Session({ row, snapshot, messages, lastSeq, store: this.#store, clock }));
  }

  /** A session without work in progress. Throws FluffyError `session_busy`. */
  findIdle(id: string): LiveSession {
    const live = this.find(id);
    if (live.run !== null || live.deciding !== null) throw sessionBusy();
    return live;
  }

  /**
   * Does work for the user. No run can start meanwhile, and the work can be interrupted like a run. Throws FluffyError
   * `session_busy`.
   */
  async occupy<T>(id: string, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T> {
    const live = this.findIdle(id);
    const controller = new AbortController();
    const working = work(live.session, controller.signal).finally(() => {
      live.run = null;
    });
    live.run = { controller, ended: settled(working) };
    return working;
  }

  /**
   * Does work that cannot be interrupted. Nothing else touches the session, and other such work is awaited first.
   * Throws FluffyError `session_busy`.
   */
  async hold<T>(id: string, work: (session: Session) => Promise<T>): Promise<T> {
    while (this.find(id).deciding !== null) await this.find(id).deciding;
    const live = this.findIdle(id);
    const working = work(live.session);
    live.deciding = settled(working);
    return working.finally(() => {
      live.deciding = null;
    });
  }

  /** Forgets a removed session. */
  drop(id: string): void {
    this.#live.delete(id);
  }

  #keep(session: Session): LiveSession {
    const live: LiveSession = { session, run: null, deciding: null };
    this.#live.set(session.id satisfies SessionId, live);
    return live;
  }
}

function settled(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    () => undefined,
  );
}
