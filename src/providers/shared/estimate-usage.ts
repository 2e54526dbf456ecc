import type { ModelMessage, ModelRequest, Usage } from '../../contracts/model/model.ts';

/** For English text and code; other scripts have fewer characters per token. */
const CHARACTERS_PER_TOKEN = 4;
/** The bytes of an image are no text: each counts as much as one of a usual size. */
const IMAGE_CHARACTERS = 6_400;
/** Names and brackets around a message, a call or a result. */
const ENVELOPE_CHARACTERS = 40;

/** For an answer that nobody counted: limits set in tokens must still work. It adds lengths up: the conversation may have megabytes. */
export function estimateUsage({ system, messages, tools }: ModelRequest, answerLength: number): Usage {
  const sent = messages.reduce((sum, message) => sum + lengthOf(message), system.length + JSON.stringify(tools).length);
  return {
    input_tokens: Math.ceil(sent / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(answerLength / CHARACTERS_PER_TOKEN),
    cache_read_tokens: 0,
  };
}

function lengthOf(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return ENVELOPE_CHARACTERS + message.text.length + (message.images?.length ?? 0) * IMAGE_CHARACTERS;
    case 'assistant':
      return message.calls.reduce(
        (sum, { call_id, tool, arguments: given }) =>
          sum + ENVELOPE_CHARACTERS + call_id.length + tool.length + given.length,
        ENVELOPE_CHARACTERS + message.text.length,
      );
    case 'tool':
      return message.results.reduce(
        (sum, { call_id, content }) => sum + ENVELOPE_CHARACTERS + call_id.length + content.length,
        ENVELOPE_CHARACTERS,
      );
  }
}
