import type { ModelRequest, Usage } from '../../contracts/model/model.ts';

/** English text and code; other scripts have fewer. */
const CHARACTERS_PER_TOKEN = 4;

/** For an answer that nobody counted: limits set in tokens have to work all the same. */
export function estimateUsage(request: ModelRequest, answerLength: number): Usage {
  const sent = JSON.stringify([request.system, request.messages, request.tools]);
  return {
    input_tokens: Math.ceil(sent.length / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(answerLength / CHARACTERS_PER_TOKEN),
    cache_read_tokens: 0,
  };
}
