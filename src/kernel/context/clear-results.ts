import type { ModelMessage } from '../../contracts/model/model.ts';
import { resultReference } from './reference.ts';
import { callsBefore, clearedLine } from './sent-messages.ts';
import { bytesOf } from './token-estimate.ts';

export interface ClearingFacts {
  readonly messages: readonly ModelMessage[];
  readonly start: number;
  readonly cleared: readonly string[];
  /** The user's pinned texts. A result of a call that names one of them is kept. */
  readonly pins: readonly string[];
  /** The minimum to save, and the saving that justifies breaking the cached beginning of requests. */
  readonly wantedBytes: number;
  readonly worthwhileBytes: number;
  /** The results of this many last answers are kept. */
  readonly keptAnswers: number;
}

/** The model still works with these results. */
export const KEPT_ANSWERS = 6;
const LARGE_BYTES = 4_000;
/** Replacing a smaller result by a line saves almost nothing. Refusals and their reasons are smaller than this. */
const SMALL_BYTES = 1_000;

interface Candidate {
  readonly reference: string;
  readonly savedBytes: number;
}

/**
 * References of the results to replace by one line each. The oldest large results come first, then the oldest small
 * ones, until enough is saved. Empty if too little would be saved. Pure.
 */
export function resultsToClear(facts: ClearingFacts): string[] {
  const candidates = candidatesOf(facts);
  const ordered = [
    ...candidates.filter(({ savedBytes }) => savedBytes >= LARGE_BYTES),
    ...candidates.filter(({ savedBytes }) => savedBytes < LARGE_BYTES),
  ];
  const chosen: string[] = [];
  let saved = 0;
  for (const { reference, savedBytes } of ordered) {
    if (saved >= facts.wantedBytes) break;
    chosen.push(reference);
    saved += savedBytes;
  }
  return saved >= facts.worthwhileBytes ? chosen : [];
}

function candidatesOf({ messages, start, cleared, pins, keptAnswers }: ClearingFacts): Candidate[] {
  const known = new Set(cleared);
  return messages.slice(0, firstKept(messages, keptAnswers)).flatMap((message, index): Candidate[] => {
    if (message.role !== 'tool') return [];
    const calls = callsBefore(messages, index);
    return message.results.flatMap((result, place): Candidate[] => {
      const reference = resultReference(start + index, place);
      const call = calls.get(result.call_id);
      const isPinned = pins.some((pin) => call?.arguments.includes(JSON.stringify(pin)) === true);
      if (known.has(reference) || isPinned || bytesOf(result.content) < SMALL_BYTES) return [];
      const savedBytes = bytesOf(result.content) - bytesOf(clearedLine(reference, result.content, call));
      return [{ reference, savedBytes }];
    });
  });
}

function firstKept(messages: readonly ModelMessage[], keptAnswers: number): number {
  let answers = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    if (messages[index]?.role === 'assistant') answers += 1;
    if (answers === keptAnswers) return index;
  }
  return 0;
}
