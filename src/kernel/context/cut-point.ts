import type { ModelMessage } from '../../contracts/model/model.ts';
import { messageBytes } from './token-estimate.ts';

/**
 * Pure: index of the first message that stays as it is when what is before it is summarised. As much stays as fits, the last answer with its results
 * always. 0: nothing can be summarised.
 */
export function cutPoint(messages: readonly ModelMessage[], keptBytes: number): number {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  let cut = lastAnswer === -1 ? messages.length - 1 : lastAnswer;
  let bytes = messages.slice(Math.max(0, cut)).reduce((sum, message) => sum + messageBytes(message), 0);
  for (let index = cut - 1; index >= 0; index -= 1) {
    const message = messages[index] as ModelMessage;
    bytes += messageBytes(message);
    if (bytes > keptBytes) break;
    // Results stay with the calls that they answer.
    if (message.role !== 'tool') cut = index;
  }
  return Math.max(0, cut);
}
