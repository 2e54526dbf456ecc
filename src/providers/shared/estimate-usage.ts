import type { ModelRequest, Usage } from '../../contracts/model/model.ts';

/** For English text and code; other scripts have fewer characters per token. */
const CHARACTERS_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_600;

/** Estimates the use of an answer without counts, so that limits in tokens still work. */
export function estimateUsage(request: ModelRequest, answerLength: number): Usage {
  const sent = JSON.stringify([request.system, request.messages, request.tools], withoutImages);
  return {
    input_tokens: Math.ceil(sent.length / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(answerLength / CHARACTERS_PER_TOKEN),
    cache_read_tokens: 0,
  };
}

/** The bytes of an image are not text: each image counts like one of a usual size. */
function withoutImages(key: string, value: unknown): unknown {
  return key === 'images' && Array.isArray(value)
    ? value.map(() => ' '.repeat(IMAGE_TOKENS * CHARACTERS_PER_TOKEN))
    : value;
}
