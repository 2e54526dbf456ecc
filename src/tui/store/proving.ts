import type { EventOf } from '../../contracts/session/events.ts';
import type { ObservationName } from '../../contracts/review/proof.ts';

/** The progress of a change's proof. */
export interface Proving {
  readonly sinceMs: number;
  /** Number of finished observations. */
  readonly done: number;
  /** Number of all observations; null if unknown. */
  readonly total: number | null;
  /** Current observations, in the order of their start. */
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
      // Mutation comes last: observations that have not begun by now are left out.
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
