import type { RunLimits } from '../../contracts/session-protocol.ts';
import type { Usage } from '../../contracts/model.ts';
import type { Snapshot } from '../session/snapshot.ts';

export interface Spent {
  readonly turns: number;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly elapsedMs: number;
}

/** What a run has used so far. */
export function spentBy(snapshot: Snapshot, nowMs: number): Spent {
  const { model_turns, usage, cost_usd, run_started_ms } = snapshot;
  return { turns: model_turns, usage, costUsd: cost_usd, elapsedMs: nowMs - run_started_ms };
}

/** Pure: the limit that has been reached, in words, or null. Checked before each request to the model. */
export function limitReached(limits: RunLimits, spent: Spent): string | null {
  const tokens = spent.usage.input_tokens + spent.usage.output_tokens;
  if (limits.max_turns !== undefined && spent.turns >= limits.max_turns) return `${limits.max_turns} model turns`;
  if (limits.max_tokens !== undefined && tokens >= limits.max_tokens) return `${limits.max_tokens} tokens`;
  if (limits.max_cost_usd !== undefined && spent.costUsd >= limits.max_cost_usd) return `${limits.max_cost_usd} USD`;
  if (limits.max_duration_ms !== undefined && spent.elapsedMs >= limits.max_duration_ms) {
    return `${limits.max_duration_ms / 1000} s`;
  }
  return null;
}

/** Cost in USD of one request; prices are per million tokens. */
export function costOf(usage: Usage, price: { input: number; output: number; cache_read: number } | undefined): number {
  if (price === undefined) return 0;
  const fresh = usage.input_tokens * price.input + usage.output_tokens * price.output;
  return (fresh + usage.cache_read_tokens * price.cache_read) / 1_000_000;
}
