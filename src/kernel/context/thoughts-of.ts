import type { ModelMessage } from '../../contracts/model/model.ts';

/** Of one request: a frame has room for it beside the conversation. */
const MAX_CHARACTERS = 3 * 1024 * 1024;

/** Pure: the conversation with what one model thought, and without what others did: it means nothing to it. Of very many thoughts the newest are left. */
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
