import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../../contracts/model/model.ts';
import { THINKING_TOKENS } from '../../contracts/model/thinking-tokens.ts';
import type { Turn } from '../shared/conversation.ts';
import type { Recall } from './thinking-memory.ts';

/** Models that decide themselves how much they think, within an effort. They accept no number of tokens; older models accept only a number. */
const ADAPTIVE = /^claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-(?:[5-9]|\d{2,})(?:-|$))/;
/** The service's minimum; beyond the budget it needs tokens for the answer. */
const LEAST_BUDGET = 1_024;
const ANSWER_SHARE = 0.25;

/** The request parameters for an effort; empty if none was chosen. */
export function thinkingParams(
  { model, effort, reasoning, max_output_tokens: most }: ModelRequest,
  turns: readonly Turn[],
  recall: Recall,
): Pick<Anthropic.MessageCreateParams, 'thinking' | 'output_config'> {
  if (effort === undefined || reasoning !== true) return {};
  if (ADAPTIVE.test(model)) return { thinking: { type: 'adaptive' }, output_config: { effort } };
  const budget = Math.min(THINKING_TOKENS[effort], Math.floor(most * (1 - ANSWER_SHARE)));
  if (budget < LEAST_BUDGET || isMidThought(turns, recall)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/**
 * Whether results of calls go back without the thinking that preceded the calls (after another model, or in a program that was started since). With
 * thinking switched on, the service would refuse such a request.
 */
function isMidThought(turns: readonly Turn[], recall: Recall): boolean {
  const start = turns.findLastIndex((turn) => turn.role === 'user' && turn.texts.length > 0);
  return turns
    .slice(Math.max(0, start))
    .some((turn) => turn.role === 'assistant' && turn.calls.length > 0 && recall(turn)?.[0]?.kind !== 'thinking');
}
