import type { ModelMessage } from '../../contracts/model/model.ts';

/** Maximum for one request: a frame has room for this beside the conversation. */
const MAX_CHARACTERS = 3 * 1024 * 1024;

/**
 * The conversation with the thoughts of one model only; the thoughts of other models mean nothing to it. If there are
 * too many, the newest are kept. Pure.
 */
export function thoughtsOf(model: string, messages: readonly ModelMessage[]): ModelMessage[] {
  let left = MAX_CHARACTERS;
  return messages
    .toReversed()
    .map((message): ModelMessage => {
      if (message.role !== 'assistant' || message.thoughts === undefined) return message;
      const { thoughts, ...rest } = message;
      if (thoughts.model === model) left -= thoughts.data.length;
      return thoughts.model === model && left >= 0 ? message : rest;
    })
    .toReversed();
}
