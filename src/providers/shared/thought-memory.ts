import type { z } from 'zod';
import type { ModelMessage } from '../../contracts/model/model.ts';
import { MAX_THOUGHTS_LENGTH } from '../../contracts/model/model.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { AttemptOutcome, Emit } from './attempt.ts';
import { heldCalls } from './held-calls.ts';

/** The thoughts behind an answer, in one vendor's form. */
interface Thought {
  readonly model: string;
}

/** The ids of calls as one key; an id contains no line break. */
export function keyOf(callIds: readonly string[]): string {
  return callIds.join('\n');
}

/**
 * The data that models want back with their own answers. The kernel stores it with each answer, so that the program of a later run can send it back
 * too. It means nothing to another model.
 */
export class ThoughtMemory<T extends Thought> {
  readonly #form: z.ZodType<T>;
  readonly #keysOf: (thought: T) => readonly string[];
  readonly #thoughts = new Map<string, T>();
  /** Calls of answers whose stored thoughts were already read: no answer is read twice. */
  readonly #read = new Set<string>();
  #newest: T | null = null;

  /** `keysOf`: the keys by which a thought is recalled, made by `keyOf`. */
  constructor(form: z.ZodType<T>, keysOf: (thought: T) => readonly string[]) {
    this.#form = form;
    this.#keysOf = keysOf;
  }

  /** What was remembered of the current answer. */
  get newest(): T | null {
    return this.#newest;
  }

  remember(thought: T): void {
    this.#newest = thought;
    for (const key of this.#keysOf(thought)) this.#thoughts.set(key, thought);
  }

  /** null also for a thought of another model. */
  recall(model: string, key: string): T | null {
    const found = this.#thoughts.get(key);
    return found?.model === model ? found : null;
  }

  /**
   * Called before a request: reads the thoughts that the conversation brings from earlier programs, and drops those of answers that it no longer
   * contains. The thoughts of a contained answer are never dropped, because requests would no longer begin alike.
   */
  follow(messages: readonly ModelMessage[]): void {
    this.#newest = null;
    for (const message of messages) this.#learn(message);
    const held = heldCalls(messages);
    if (held.size === 0) return;
    for (const key of this.#thoughts.keys())
      if (!key.split('\n').some((callId) => held.has(callId))) this.#thoughts.delete(key);
    for (const callId of this.#read) if (!held.has(callId)) this.#read.delete(callId);
  }

  /** Passes the thoughts behind an answer to the kernel. */
  async keep(outcome: AttemptOutcome, emit: Emit): Promise<AttemptOutcome> {
    const data = this.#newest === null ? null : JSON.stringify(this.#newest);
    this.#newest = null;
    if (outcome.kind === 'done' && data !== null && data.length <= MAX_THOUGHTS_LENGTH)
      await emit({ type: 'thoughts', data });
    return outcome;
  }

  /** Thoughts in another form belong to another vendor. */
  #learn(message: ModelMessage): void {
    if (message.role !== 'assistant' || message.thoughts === undefined) return;
    const [first] = message.calls;
    if (first === undefined || this.#read.has(first.call_id)) return;
    this.#read.add(first.call_id);
    const parsed = parseStrictJson(Buffer.from(message.thoughts.data));
    const found = parsed.ok ? this.#form.safeParse(parsed.value) : null;
    if (found?.success !== true) return;
    for (const key of this.#keysOf(found.data)) if (!this.#thoughts.has(key)) this.#thoughts.set(key, found.data);
  }
}
