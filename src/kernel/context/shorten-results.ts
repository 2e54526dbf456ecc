import type { ModelMessage } from '../../contracts/model/model.ts';
import type { ContextFact } from '../../contracts/session/session-facts.ts';
import { resultReference } from './reference.ts';

/** Lengths in characters to try for each result, largest first. The last is about the length of a replacement line. */
const LEVELS = [16_000, 8_000, 4_000, 2_000, 1_000, 500];

/**
 * The lengths to which results, also of the last answer, are cut when nothing else can be left out: the greatest length
 * at which the conversation fits, or the smallest. null if no result is longer than that. Pure.
 */
export function shortenedResults(
  { messages, start }: { readonly messages: readonly ModelMessage[]; readonly start: number },
  { cleared, shortened }: Pick<ContextFact, 'cleared' | 'shortened'>,
  fits: (shortened: ContextFact['shortened']) => boolean,
): ContextFact['shortened'] | null {
  const gone = new Set(cleared);
  const results = messages.flatMap((message, index) =>
    message.role !== 'tool'
      ? []
      : message.results.map(({ content }, place) => ({
          reference: resultReference(start + index, place),
          length: content.length,
        })),
  );
  let found: ContextFact['shortened'] | null = null;
  for (const level of LEVELS) {
    const longer = results.filter(
      ({ reference, length }) => !gone.has(reference) && Math.min(length, shortened[reference] ?? length) > level,
    );
    if (longer.length === 0) continue;
    found = { ...shortened, ...Object.fromEntries(longer.map(({ reference }) => [reference, level])) };
    if (fits(found)) return found;
  }
  return found;
}
