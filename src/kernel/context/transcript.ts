import type { ModelMessage } from '../../contracts/model/model.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { resultReference } from './reference.ts';

/** Maximum characters for one part of a message. */
interface Caps {
  readonly said: number;
  readonly call: number;
  readonly result: number;
}

const CAPS: Caps = { said: 2_000, call: 600, result: 1_000 };
/** Tried in this order until the text fits. */
const SCALES = [1, 0.5, 0.25, 0.1];

/**
 * Messages as a text for the model that summarises them: what was said and done, with short results. The oldest
 * messages are left out if nothing else helps. Pure.
 */
export function transcriptOf(messages: readonly ModelMessage[], start: number, maxCharacters: number): string {
  for (const scale of SCALES) {
    const text = render(messages, start, scale).join('\n');
    if (text.length <= maxCharacters) return text;
  }
  const newest = render(messages, start, SCALES.at(-1) ?? 1)
    .join('\n')
    .slice(-maxCharacters);
  return `(the oldest part is left out)\n${newest}`;
}

function render(messages: readonly ModelMessage[], start: number, scale: number): string[] {
  const cap = (text: string, kind: keyof Caps): string => cutText(text, 'ends', Math.floor(CAPS[kind] * scale)).text;
  return messages.flatMap((message, index): string[] => {
    switch (message.role) {
      case 'user':
        return message.author === 'kernel' ? [] : [`USER: ${cap(message.text, 'said')}`];
      case 'assistant':
        return [
          ...(message.text.trim() === '' ? [] : [`ASSISTANT: ${cap(message.text, 'said')}`]),
          ...message.calls.map((call) => `CALL ${call.tool} ${cap(call.arguments, 'call')}`),
        ];
      case 'tool':
        return message.results.map(
          ({ ok, content }, place) =>
            `RESULT ${resultReference(start + index, place)}${ok ? '' : ' (failed)'}: ${cap(content, 'result')}`,
        );
    }
  });
}
