import type { RunLimits } from '../../contracts/session-protocol.ts';
import type { Usage } from '../../contracts/model.ts';
import type { ModelPrice } from '../../contracts/model-facts.ts';
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
export function costOf(usage: Usage, price: ModelPrice | undefined): number {
  if (price === undefined) return 0;
  const written = usage.cache_write_tokens ?? 0;
  const input = (usage.input_tokens - written) * price.input + written * (price.cache_write ?? price.input);
  return (input + usage.cache_read_tokens * price.cache_read + usage.output_tokens * price.output) / 1_000_000;
}
