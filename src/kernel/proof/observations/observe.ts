import type { Observation, ObservationName } from '../../../contracts/review/proof.ts';
import type { Session } from '../../session/session.ts';
import type { Services } from '../../services.ts';

export type Observed = Pick<Observation, 'outcome' | 'detail'>;

export function impossible(detail: string): Observed {
  return { outcome: 'impossible', detail };
}

/** Makes one observation, and emits when it starts and how it ends. */
export async function observe<Result extends Observed>(
  { clock }: Pick<Services, 'clock'>,
  session: Session,
  observation: ObservationName,
  make: () => Promise<Result>,
): Promise<Result & Observation> {
  const startedMs = clock.monotonicMs();
  session.emit({ type: 'proof.started', observation });
  const result = await make();
  const duration_ms = clock.monotonicMs() - startedMs;
  session.emit({
    type: 'proof.finished',
    observation,
    ok: result.outcome === 'held',
    detail: result.detail,
    duration_ms,
  });
  return { ...result, observation, duration_ms };
}

/** Emits the maximum number of observations. */
export function planObservations(session: Session, total: number): void {
  session.stream({ type: 'proof.progress', done: 0, total });
}

/** Emits the progress of one observation. */
export function countObservation(session: Session, observation: ObservationName, done: number, total: number): void {
  session.stream({ type: 'proof.progress', observation, done, total });
}

/** Drops all fields that are not part of an observation. */
export function asObservation({ observation, outcome, detail, duration_ms, differs_again }: Observation): Observation {
  return { observation, outcome, detail, duration_ms, ...(differs_again === undefined ? {} : { differs_again }) };
}
