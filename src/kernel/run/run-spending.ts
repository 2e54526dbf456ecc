import type { Spent, SpendingTotals } from '../../contracts/model/spending.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { sessionSpent } from './limits.ts';

/** `totals` is null if no limit needs them. */
export type LimitedTotals =
  | { readonly kind: 'known'; readonly totals: SpendingTotals | null }
  | { readonly kind: 'unknown'; readonly why: string };

/** Reports a run's use to the host, and gets the totals of all sessions. */
export class RunSpending {
  readonly #services: Pick<Services, 'addSpending'>;
  readonly #session: Session;
  /** The session's use as the host knows it. */
  #known: Spent;

  constructor(services: Pick<Services, 'addSpending'>, session: Session) {
    this.#services = services;
    this.#session = session;
    this.#known = sessionSpent(session.snapshot);
  }

  /**
   * The totals including everything up to now. Rejects if the host does not answer; use that was not reported is
   * reported the next time.
   */
  async settle(): Promise<SpendingTotals> {
    const now = sessionSpent(this.#session.snapshot);
    const used = { tokens: now.tokens - this.#known.tokens, cost_usd: now.cost_usd - this.#known.cost_usd };
    const totals = await this.#services.addSpending(used);
    this.#known = now;
    return totals;
  }

  /** The totals, if a limit needs them. */
  async totalsForLimits(): Promise<LimitedTotals> {
    const { limits } = this.#session.snapshot.options;
    const { max_day_tokens, max_day_cost_usd, max_project_tokens, max_project_cost_usd } = limits;
    const wanted = [max_day_tokens, max_day_cost_usd, max_project_tokens, max_project_cost_usd];
    if (wanted.every((limit) => limit === undefined)) return { kind: 'known', totals: null };
    try {
      return { kind: 'known', totals: await this.settle() };
    } catch (error) {
      return { kind: 'unknown', why: messageOf(error) };
    }
  }
}
