import type { ModelMessage } from '../../contracts/model/model.ts';
import type { ContextFact } from '../../contracts/session/session-facts.ts';
import { resultReference } from './reference.ts';

/** Lengths in characters to try for each text, largest first. The last is about the length of a replacement line. */
const LEVELS = [16_000, 8_000, 4_000, 2_000, 1_000, 500];

interface Conversation {
  readonly messages: readonly ModelMessage[];
  readonly start: number;
}

/**
 * The lengths to which results, also of the last answer, are cut when nothing else can be left out: the greatest length
 * at which the conversation fits, or the smallest. If results alone are not enough, messages of the user and notes are
 * cut too. null if nothing is longer than that. Pure.
 */
export function shortenedTexts(
  conversation: Conversation,
  { cleared, shortened }: Pick<ContextFact, 'cleared' | 'shortened'>,
  fits: (shortened: ContextFact['shortened']) => boolean,
): ContextFact['shortened'] | null {
  const gone = new Set(cleared);
  const all = textsOf(conversation).filter(({ reference }) => !gone.has(reference));
  let found = shortened;
  for (const texts of [all.filter(({ role }) => role === 'tool'), all]) {
    for (const level of LEVELS) {
      const lengthNow = ({ reference, length }: Text): number => Math.min(length, found[reference] ?? length);
      const longer = texts.filter((text) => lengthNow(text) > level);
      if (longer.length === 0) continue;
      found = { ...found, ...Object.fromEntries(longer.map(({ reference }) => [reference, level])) };
      if (fits(found)) return found;
    }
  }
  return found === shortened ? null : found;
}

interface Text {
  readonly role: 'tool' | 'user';
  readonly reference: string;
  readonly length: number;
}

function textsOf({ messages, start }: Conversation): readonly Text[] {
  return messages.flatMap((message, index): readonly Text[] => {
    const { role } = message;
    const position = start + index;
    if (role === 'user') return [{ role, reference: resultReference(position, 0), length: message.text.length }];
    if (role === 'assistant') return [];
    return message.results.map(({ content }, place) => ({
      role,
      reference: resultReference(position, place),
      length: content.length,
    }));
  });
}
