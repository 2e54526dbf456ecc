import type { Spent, SpendingTotals } from '../../contracts/model/spending.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { sessionSpent } from './limits.ts';

/** `totals` null: no limit is about them. */
export type LimitedTotals =
  | { readonly kind: 'known'; readonly totals: SpendingTotals | null }
  | { readonly kind: 'unknown'; readonly why: string };

/** Tells the host what a run uses, and what all sessions have used beside it. */
export class RunSpending {
  readonly #services: Pick<Services, 'addSpending'>;
  readonly #session: Session;
  /** Of the session, as the host knows it. */
  #known: Spent;

  constructor(services: Pick<Services, 'addSpending'>, session: Session) {
    this.#services = services;
    this.#session = session;
    this.#known = sessionSpent(session.snapshot);
  }

  /** The sums with everything up to now. Rejects when the host does not know them; what it did not get follows the next time. */
  async settle(): Promise<SpendingTotals> {
    const now = sessionSpent(this.#session.snapshot);
    const used = { tokens: now.tokens - this.#known.tokens, cost_usd: now.cost_usd - this.#known.cost_usd };
    const totals = await this.#services.addSpending(used);
    this.#known = now;
    return totals;
  }

  /** The sums, where a limit needs them. */
  async totalsForLimits(): Promise<LimitedTotals> {
    const { limits } = this.#session.snapshot.options;
    const { max_day_tokens, max_day_cost_usd, max_project_tokens, max_project_cost_usd } = limits;
    const wanted = [max_day_tokens, max_day_cost_usd, max_project_tokens, max_project_cost_usd];
    if (wanted.every((limit) => limit === undefined)) return { kind: 'known', totals: null };
    try {
      return { kind: 'known', totals: await this.settle() };
    } catch (error) {
      return { kind: 'unknown', why: error instanceof Error ? error.message : String(error) };
    }
  }
}
