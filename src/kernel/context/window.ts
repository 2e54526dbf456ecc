import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import { THINKING_TOKENS } from '../../contracts/model/thinking-tokens.ts';

/** Tokens that a conversation may have. */
export interface Window {
  /** Input and output together. */
  readonly tokens: number;
  /** For the answer. */
  readonly output: number;
  /** From here on old results become one line each. */
  readonly clearAt: number;
  /** From here on the conversation is compacted. */
  readonly compactAt: number;
}

/** Where the model's window is not known. */
const ASSUMED_WINDOW = 128_000;
/** More than any one message needs, beside what is thought. */
const MAX_OUTPUT_TOKENS = 16_000;

/** Pure. `learned`: less than the model's own window, after a request was refused as too long. */
export function windowOf(
  model: Pick<ModelChoice, 'window_tokens' | 'max_output_tokens' | 'effort'>,
  learned: number | null,
): Window {
  const tokens = Math.min(model.window_tokens ?? ASSUMED_WINDOW, learned ?? Infinity);
  const wanted = MAX_OUTPUT_TOKENS + (model.effort === undefined ? 0 : THINKING_TOKENS[model.effort]);
  const output = Math.min(wanted, model.max_output_tokens ?? MAX_OUTPUT_TOKENS, Math.floor(tokens / 4));
  return {
    tokens,
    output,
    clearAt: Math.floor(tokens * 0.5),
    compactAt: Math.floor(Math.min(tokens * 0.75, (tokens - output) * 0.9)),
  };
}
