import type { z } from 'zod';
import type { ModelMessage } from '../../contracts/model/model.ts';
import { MAX_THOUGHTS_LENGTH } from '../../contracts/model/model.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { AttemptOutcome, Emit } from './attempt.ts';

/** What one vendor's models want back with their own answers, while this program lives. */
interface ThoughtMemory {
  /** What it has learned since it was asked last, as text for the conversation; null: nothing. */
  takeNewest(): string | null;
}

/** Hands what an answer was thought with to the kernel, which keeps it with the answer: another program, of a later run, sends it back. */
export async function keepThoughts(
  outcome: AttemptOutcome,
  memory: ThoughtMemory,
  emit: Emit,
): Promise<AttemptOutcome> {
  const data = memory.takeNewest();
  if (outcome.kind === 'done' && data !== null && data.length <= MAX_THOUGHTS_LENGTH)
    await emit({ type: 'thoughts', data });
  return outcome;
}

/** What the answers of a conversation were thought with, where it has this form: one of another vendor has another. */
export function thoughtsIn<T>(messages: readonly ModelMessage[], form: z.ZodType<T>): T[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant' || message.thoughts === undefined) return [];
    const parsed = parseStrictJson(Buffer.from(message.thoughts.data));
    const found = parsed.ok ? form.safeParse(parsed.value) : null;
    return found?.success === true ? [found.data] : [];
  });
}
