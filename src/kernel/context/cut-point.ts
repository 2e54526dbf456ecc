import type { ModelMessage } from '../../contracts/model/model.ts';
import { messageBytes } from './token-estimate.ts';

/**
 * Index of the first message that is kept unchanged when the messages before it are summarised. As many messages as fit
 * are kept, and always the last answer with its results. 0: nothing can be summarised. Pure.
 */
export function cutPoint(messages: readonly ModelMessage[], keptBytes: number): number {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  let cut = lastAnswer === -1 ? messages.length - 1 : lastAnswer;
  let bytes = messages.slice(Math.max(0, cut)).reduce((sum, message) => sum + messageBytes(message), 0);
  for (let index = cut - 1; index >= 0; index -= 1) {
    const message = messages[index] as ModelMessage;
    bytes += messageBytes(message);
    if (bytes > keptBytes) break;
    // Results stay together with their calls.
    if (message.role !== 'tool') cut = index;
  }
  return Math.max(0, cut);
}
