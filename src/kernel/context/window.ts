import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import { THINKING_TOKENS } from '../../contracts/model/thinking-tokens.ts';

/** Limits of a conversation, in tokens. */
export interface Window {
  /** Input and output together. */
  readonly tokens: number;
  /** Reserved for the answer. */
  readonly output: number;
  /** From here on old results are replaced by one line each. */
  readonly clearAt: number;
  /** From here on the conversation is compacted. */
  readonly compactAt: number;
}

/** Used if the model's window is not known. */
const ASSUMED_WINDOW = 128_000;
/** More than any one message needs, without the thoughts. */
const MAX_OUTPUT_TOKENS = 16_000;

/** `learned` is the smaller window that was found when a request was refused as too long. Pure. */
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
