import type { ModelMessage, ToolSpec } from '../../contracts/model/model.ts';

/** Bytes for the role, ids and braces of one message or part in a request. */
const ENVELOPE_BYTES = 24;
/** The size of a usual image in the context window, as bytes of text. */
const IMAGE_BYTES = 5_600;
const MIN_BYTES_PER_TOKEN = 1.5;
const MAX_BYTES_PER_TOKEN = 6;

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export function messageBytes(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return bytesOf(message.text) + ENVELOPE_BYTES + (message.images?.length ?? 0) * IMAGE_BYTES;
    case 'assistant':
      return message.calls.reduce(
        (sum, call) => sum + bytesOf(call.tool) + bytesOf(call.arguments) + 2 * ENVELOPE_BYTES,
        bytesOf(message.text) + ENVELOPE_BYTES,
      );
    case 'tool':
      return message.results.reduce((sum, { content }) => sum + bytesOf(content) + 2 * ENVELOPE_BYTES, ENVELOPE_BYTES);
  }
}

export function conversationBytes(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + messageBytes(message), 0);
}

export function toolsBytes(tools: readonly ToolSpec[]): number {
  return tools.reduce((sum, tool) => sum + bytesOf(JSON.stringify(tool)), 0);
}

export function tokensOf(bytes: number, bytesPerToken: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/**
 * Bytes per token, corrected by the number that the provider counted for a request of that size. This is more exact for
 * the model in use than a tokenizer, and it costs nothing. Pure.
 */
export function correctedRatio(before: number, bytes: number, countedTokens: number): number {
  if (countedTokens <= 0 || bytes <= 0) return before;
  const measured = Math.min(MAX_BYTES_PER_TOKEN, Math.max(MIN_BYTES_PER_TOKEN, bytes / countedTokens));
  return (before + 3 * measured) / 4;
}
