import type { RunLimits } from '../../contracts/session/session-protocol.ts';
import type { Usage } from '../../contracts/model/model.ts';
import type { SpendingTotals, Spent as SpentTokens } from '../../contracts/model/spending.ts';
import type { ModelPrice } from '../../contracts/model/model-facts.ts';
import type { Session } from '../session/session.ts';
import type { Snapshot } from '../session/snapshot.ts';

export interface Spent {
  readonly turns: number;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly elapsedMs: number;
  /** Use by all runs of the session. */
  readonly session: SpentTokens;
  /** Use by all sessions; null if no limit needs it. */
  readonly totals: SpendingTotals | null;
}

/** The parts of a session that measure its run. */
type RunSoFar = Pick<Session, 'snapshot' | 'runElapsedMs'>;

/** What a run has used so far. */
export function spentBy({ snapshot, runElapsedMs }: RunSoFar, totals: SpendingTotals | null): Spent {
  const { model_turns, usage, cost_usd } = snapshot;
  const session = sessionSpent(snapshot);
  return { turns: model_turns, usage, costUsd: cost_usd, elapsedMs: runElapsedMs, session, totals };
}

/** What all runs of the session have used, summaries included. */
export function sessionSpent({ spending }: Pick<Snapshot, 'spending'>): SpentTokens {
  return {
    tokens: spending.reduce((sum, one) => sum + one.input_tokens + one.output_tokens, 0),
    cost_usd: spending.reduce((sum, one) => sum + (one.cost_usd ?? 0), 0),
  };
}

/** A limit, how much of it is used, its words, and its name in the user's configuration. */
interface LimitUse {
  readonly words: string;
  readonly setting: string;
  readonly share: number;
}

/** The limit that was reached, as text with its setting, or null. Checked before each request to the model. Pure. */
export function limitReached(limits: RunLimits, spent: Spent): string | null {
  const reached = usedOf(limits, spent).find(({ share }) => share >= 1);
  return reached === undefined ? null : `${reached.words} (raise ${reached.setting} to go on)`;
}

const NEAR = 0.8;

/** Limits of which four fifths are used. Pure. */
export function nearLimits(limits: RunLimits, spent: Spent): readonly string[] {
  return usedOf(limits, spent)
    .filter(({ share }) => share >= NEAR)
    .map(({ words }) => words);
}

function use(
  setting: string,
  spent: number,
  limit: number | undefined,
  words: (limit: number) => string,
): readonly LimitUse[] {
  // Ten times 0.1 USD are less than 1 USD as floating-point numbers.
  return limit === undefined ? [] : [{ words: words(limit), setting, share: Number((spent / limit).toPrecision(12)) }];
}

/** Tokens and cost of all runs of a session, a day or the project. */
function useOver(
  span: 'session' | 'day' | 'project',
  spent: SpentTokens | undefined,
  tokens: number | undefined,
  costUsd: number | undefined,
): readonly LimitUse[] {
  return [
    ...use(`limits.${span}.tokens`, spent?.tokens ?? 0, tokens, (limit) => `${limit} tokens for the ${span}`),
    ...use(`limits.${span}.cost`, spent?.cost_usd ?? 0, costUsd, (limit) => `${limit} USD for the ${span}`),
  ];
}

function usedOf(limits: RunLimits, { turns, usage, costUsd, elapsedMs, session, totals }: Spent): readonly LimitUse[] {
  const tokens = usage.input_tokens + usage.output_tokens;
  return [
    ...use('limits.turns', turns, limits.max_turns, (limit) => `${limit} model turns`),
    ...use('limits.tokens', tokens, limits.max_tokens, (limit) => `${limit} tokens`),
    ...use('limits.cost', costUsd, limits.max_cost_usd, (limit) => `${limit} USD`),
    ...use('limits.duration', elapsedMs, limits.max_duration_ms, (limit) => `${limit / 1000} s`),
    ...useOver('session', session, limits.max_session_tokens, limits.max_session_cost_usd),
    ...useOver('day', totals?.day, limits.max_day_tokens, limits.max_day_cost_usd),
    ...useOver('project', totals?.project, limits.max_project_tokens, limits.max_project_cost_usd),
  ];
}

/** Cost in USD of one request; prices are per million tokens. */
export function costOf(usage: Usage, price: ModelPrice | undefined): number {
  if (price === undefined) return 0;
  const written = usage.cache_write_tokens ?? 0;
  const input = (usage.input_tokens - written) * price.input + written * (price.cache_write ?? price.input);
  return (input + usage.cache_read_tokens * price.cache_read + usage.output_tokens * price.output) / 1_000_000;
}
