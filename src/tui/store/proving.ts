import type { EventOf } from '../../contracts/session/events.ts';
import type { ObservationName } from '../../contracts/review/proof.ts';

/** The proof of a change, as far as it is. */
export interface Proving {
  readonly sinceMs: number;
  /** Observations that have ended. */
  readonly done: number;
  /** How many there will be; null: it was not said. */
  readonly total: number | null;
  /** What is being observed, in the order in which it began. */
  readonly running: readonly Observing[];
}

/** `total` 0: nothing is counted. */
export interface Observing {
  readonly observation: ObservationName;
  readonly done: number;
  readonly total: number;
}

type ProofEvent = EventOf<'proof.started'> | EventOf<'proof.progress'> | EventOf<'proof.finished'>;

export function provingAfter(before: Proving | null, event: ProofEvent, atMs: number): Proving {
  const proving = before ?? { sinceMs: atMs, done: 0, total: null, running: [] };
  const others = proving.running.filter(({ observation }) => observation !== event.observation);
  switch (event.type) {
    case 'proof.started': {
      const running = [...others, { observation: event.observation, done: 0, total: 0 }];
      // The last one: what has not begun by now is left out.
      const total = event.observation === 'mutation' ? proving.done + running.length : proving.total;
      return { ...proving, running, total: proving.total === null ? null : total };
    }
    case 'proof.progress': {
      const { observation, done, total } = event;
      if (observation === undefined) return { ...proving, total };
      const running = proving.running.map((each) =>
        each.observation === observation ? { observation, done, total } : each,
      );
      return { ...proving, running };
    }
    case 'proof.finished':
      return { ...proving, done: proving.done + 1, running: others };
  }
}
