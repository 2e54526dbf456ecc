import type { ModelCall, ModelMessage } from '../../contracts/model/model.ts';
import type { ContextFact } from '../../contracts/session/session-facts.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import { resultReference } from './reference.ts';

const MAX_WORDS = 120;

/**
 * The conversation as it is sent. The same session always gives the same text, so that the provider's cache stays
 * valid. Pure.
 */
export function sentMessages(
  messages: readonly ModelMessage[],
  start: number,
  context: ContextFact | null,
): ModelMessage[] {
  if (context === null) return [...messages];
  const cleared = new Set(context.cleared);
  const live = messages.map((message, index): ModelMessage => {
    const position = start + index;
    if (message.role === 'user') {
      const reference = resultReference(position, 0);
      const length = context.shortened[reference];
      return length === undefined ? message : { ...message, text: shortenedText(reference, message.text, length) };
    }
    if (message.role !== 'tool') return message;
    const calls = callsBefore(messages, index);
    const results = message.results.map((result, place) => {
      const reference = resultReference(position, place);
      if (cleared.has(reference))
        return { ...result, content: clearedLine(reference, result.content, calls.get(result.call_id)) };
      const length = context.shortened[reference];
      return length === undefined ? result : { ...result, content: shortenedText(reference, result.content, length) };
    });
    return { role: 'tool', results };
  });
  return context.head === null ? live : [{ role: 'user', text: context.head, author: 'kernel' }, ...live];
}

/** The line that replaces a result. */
export function clearedLine(reference: string, content: string, call: ModelCall | undefined): string {
  const what = call === undefined ? '' : `${call.tool} ${oneLine(call.arguments, MAX_WORDS)}: `;
  return `(${what}a result of ${content.length} characters was removed to save room; if it still matters, call output.read with reference ${reference}, or the tool again.)`;
}

/** A shortened text, used if even the last answers and messages had to be shortened. */
function shortenedText(reference: string, content: string, maxCharacters: number): string {
  const rest = (from: number): string =>
    ` to save room; output.read with reference ${reference} and offset ${from} shows them`;
  return cutText(content, 'ends', maxCharacters, rest).text;
}

export function callsBefore(messages: readonly ModelMessage[], index: number): ReadonlyMap<string, ModelCall> {
  const before = messages[index - 1];
  return new Map(before?.role === 'assistant' ? before.calls.map((call) => [call.call_id, call]) : []);
}
