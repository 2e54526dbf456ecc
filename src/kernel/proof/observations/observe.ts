import type { Observation, ObservationName } from '../../../contracts/review/proof.ts';
import type { Session } from '../../session/session.ts';
import type { Services } from '../../services.ts';

export type Observed = Pick<Observation, 'outcome' | 'detail'>;

export function impossible(detail: string): Observed {
  return { outcome: 'impossible', detail };
}

/** Makes one observation, and reports when it starts and how it ends. */
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

/** Says how many observations there will be at most. */
export function planObservations(session: Session, total: number): void {
  session.stream({ type: 'proof.progress', done: 0, total });
}

/** Says how much of an observation has been done. */
export function countObservation(session: Session, observation: ObservationName, done: number, total: number): void {
  session.stream({ type: 'proof.progress', observation, done, total });
}

/** An observation without what only its maker needs. */
export function asObservation({ observation, outcome, detail, duration_ms, differs_again }: Observation): Observation {
  return { observation, outcome, detail, duration_ms, ...(differs_again === undefined ? {} : { differs_again }) };
}
