import type { SessionOptions } from '../../contracts/session/session-protocol.ts';

export type SmallModel = NonNullable<SessionOptions['small_model']>;

/** Whether any limit of the session is in money. */
export function isMoneyLimited(limits: SessionOptions['limits']): boolean {
  const {
    max_cost_usd: run,
    max_session_cost_usd: session,
    max_day_cost_usd: day,
    max_project_cost_usd: project,
  } = limits;
  return [run, session, day, project].some((limit) => limit !== undefined);
}

/** The model for summaries. `unpriced`: its price is unknown, so a limit in money would not count it. */
export function smallModelOf({ small_model: model, limits }: SessionOptions): {
  readonly usable: SmallModel | null;
  readonly unpriced: SmallModel | null;
} {
  if (model === undefined) return { usable: null, unpriced: null };
  const isCounted = model.price !== undefined || !isMoneyLimited(limits);
  return isCounted ? { usable: model, unpriced: null } : { usable: null, unpriced: model };
}
