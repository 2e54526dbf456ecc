import type { ModelMessage } from '../../contracts/model/model.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { parseReference, resultReference } from './reference.ts';

export interface HistoryHit {
  readonly reference: string;
  /** The kind of text in which it was found. */
  readonly what: string;
  readonly excerpt: string;
}

const AROUND = 150;

/**
 * The places in a message that contain a text, each place once. Calls in `leftOut` and their results are not searched.
 * Pure.
 */
export function findInMessage(
  message: ModelMessage,
  position: number,
  query: string,
  leftOut: ReadonlySet<string> = new Set(),
): HistoryHit[] {
  return textsOf(message, position, valuesIn).flatMap(({ reference, what, text, callId }): HistoryHit[] => {
    if (callId !== undefined && leftOut.has(callId)) return [];
    const at = text.toLowerCase().indexOf(query.toLowerCase());
    if (at === -1) return [];
    const from = Math.max(0, at - AROUND);
    const excerpt = oneLine(text.slice(from, at + query.length + AROUND), 2 * AROUND + query.length);
    return [{ reference, what, excerpt: `${from > 0 ? '…' : ''}${excerpt}` }];
  });
}

/** The part of this message that a reference names; null if the message has no such part. Pure. */
export function readFromMessage(message: ModelMessage, reference: string): string | null {
  const parsed = parseReference(reference);
  if (parsed === null) return null;
  if (message.role === 'tool') return message.results[parsed.index]?.content ?? null;
  return textsOf(message, parsed.position, (given) => given)
    .map(({ text }) => text)
    .join('\n\n');
}

/** The argument values of a call, without the field names, which are in every call of the tool. */
function valuesIn(given: string): string {
  const parsed = parseStrictJson(Buffer.from(given));
  return parsed.ok ? leavesOf(parsed.value).join('\n') : given;
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return [String(value)];
}

interface MessageText {
  readonly reference: string;
  readonly what: string;
  readonly text: string;
  /** The call that the text belongs to, if it is a call or its result. */
  readonly callId?: string;
}

function textsOf(message: ModelMessage, position: number, argumentsText: (given: string) => string): MessageText[] {
  const reference = `m${position}`;
  switch (message.role) {
    case 'user':
      return [{ reference, what: message.author === 'kernel' ? 'note' : 'user', text: message.text }];
    case 'assistant':
      return [
        { reference, what: 'answer', text: message.text },
        ...message.calls.map((call) => ({
          reference,
          what: `call ${call.tool}`,
          text: argumentsText(call.arguments),
          callId: call.call_id,
        })),
      ];
    case 'tool':
      return message.results.map(({ call_id: callId, content }, index) => ({
        reference: resultReference(position, index),
        what: 'result',
        text: content,
        callId,
      }));
  }
}
