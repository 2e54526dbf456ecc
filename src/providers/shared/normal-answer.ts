import type { ModelRequest, Usage } from '../../contracts/model/model.ts';
import { MAX_CALL_ID_LENGTH, MAX_TOOL_NAME_LENGTH, answerLengthLimit } from '../../contracts/model/model.ts';
import { asText } from './as-text.ts';
import type { AttemptOutcome, Emit, NormalEvent, PartialEvent } from './attempt.ts';
import { estimateUsage } from './estimate-usage.ts';

/** A count above this multiple of the estimate, or of the maximum length of the answer, is invalid: it would use up limits of days. */
const CREDIBLE = 20;
const CREDIBLE_TOKENS = 100_000;
/** Maximum for the thoughts of one answer; the rest is dropped. */
const MAX_THOUGHT_CHARACTERS = 64 * 1024;

/**
 * Brings one answer into the form that the kernel expects, whatever the server sent: calls numbered from 0, each with a unique id, no more text than
 * the request's token limit allows, and token counts as integers.
 */
export class NormalAnswer {
  /** Resolves when the answer exceeds the token limit; then nothing more of it is accepted. */
  readonly tooLong: Promise<AttemptOutcome>;
  readonly #request: ModelRequest;
  readonly #forward: (event: NormalEvent) => Promise<void>;
  readonly #nextId: () => string;
  readonly #reportTooLong: (outcome: AttemptOutcome) => void;
  readonly #ids: Set<string>;
  /** The server's number of a call -> the number sent to the kernel. */
  readonly #calls = new Map<number, number>();
  #callCount = 0;
  #length = 0;
  #hasText = false;
  #hasThought = false;
  #thoughtLength = 0;
  #usage: Usage | null = null;

  constructor(request: ModelRequest, forward: (event: NormalEvent) => Promise<void>, nextId: () => string) {
    this.#request = request;
    this.#forward = forward;
    this.#nextId = nextId;
    const { promise, resolve } = Promise.withResolvers<AttemptOutcome>();
    this.tooLong = promise;
    this.#reportTooLong = resolve;
    this.#ids = new Set(
      request.messages.flatMap((message) =>
        message.role === 'assistant' ? message.calls.map(({ call_id }) => call_id) : [],
      ),
    );
  }

  readonly take: Emit = async (event) => {
    switch (event.type) {
      case 'answering':
        return;
      case 'thought':
        this.#hasThought = true;
        return await this.#think(asText(event.text));
      case 'thought_delta':
        return await this.#think(asText(event.text));
      case 'thoughts':
        return await this.#forward(event);
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'text_delta': {
        const text = this.#fit(asText(event.text));
        this.#hasText ||= text.trim() !== '';
        return text === '' ? undefined : await this.#forward({ type: 'text_delta', text });
      }
      case 'call_start':
        return await this.#startCall(event);
      case 'call_delta': {
        const index = this.#calls.get(event.index);
        const text = index === undefined ? '' : this.#fit(asText(event.arguments_delta));
        if (index === undefined || text === '') return;
        return await this.#forward({ type: 'call_delta', index, arguments_delta: text });
      }
      case 'call_end': {
        const index = this.#calls.get(event.index);
        this.#calls.delete(event.index);
        return index === undefined ? undefined : await this.#forward({ type: 'call_end', index });
      }
    }
  };

  /** Sends the token counts, and returns how the answer ended. An answer without text and calls is no ordinary end. */
  async finish(outcome: Extract<AttemptOutcome, { kind: 'done' }>): Promise<AttemptOutcome> {
    await this.#forward({ type: 'usage', usage: this.#countedUsage() });
    const said = this.#hasText || this.#callCount > 0;
    if (said || outcome.stop === 'max_tokens' || outcome.stop === 'refusal') return outcome;
    return { kind: 'done', stop: this.#hasThought ? 'thinking_only' : 'empty' };
  }

  /**
   * Thoughts do not count as text of the answer. But services count them in the same token limit, so more thoughts than it allows are an error.
   * Thoughts that are not shown are forwarded without text, because a thinking model is not silent.
   */
  async #think(text: string): Promise<void> {
    const room = Math.max(0, MAX_THOUGHT_CHARACTERS - this.#thoughtLength);
    this.#thoughtLength += text.length;
    if (this.#thoughtLength > answerLengthLimit(this.#request.max_output_tokens))
      return this.#reportTooLong({ kind: 'done', stop: 'max_tokens' });
    await this.#forward({ type: 'thought_delta', text: text.slice(0, room) });
  }

  async #startCall(event: Extract<PartialEvent, { type: 'call_start' }>): Promise<void> {
    const tool = asText(event.tool).slice(0, MAX_TOOL_NAME_LENGTH);
    const callId = this.#ownId(asText(event.call_id));
    if (this.#fit(`${callId}${tool}`) === '') return;
    const index = this.#callCount;
    this.#callCount += 1;
    this.#calls.set(event.index, index);
    await this.#forward({ type: 'call_start', index, call_id: callId, tool });
  }

  /** Servers leave ids out, or start numbering again in each answer, but results are matched to calls only by id. */
  #ownId(id: string): string {
    const usable = id !== '' && id.length <= MAX_CALL_ID_LENGTH && !this.#ids.has(id);
    const own = usable ? id : `call_${this.#nextId()}`;
    this.#ids.add(own);
    return own;
  }

  #fit(text: string): string {
    const room = answerLengthLimit(this.#request.max_output_tokens) - this.#length;
    this.#length += text.length;
    if (text.length <= room) return text;
    this.#reportTooLong({ kind: 'done', stop: 'max_tokens' });
    return text.slice(0, Math.max(0, room));
  }

  #countedUsage(): Usage {
    const limit = this.#request.max_output_tokens;
    const { input_tokens, output_tokens } = estimateUsage(this.#request, this.#length);
    // An answer that was cut here had more than it may have.
    const estimate = { input_tokens, output_tokens: Math.min(output_tokens, limit) };
    const mostInput = CREDIBLE_TOKENS + CREDIBLE * estimate.input_tokens;
    const cached = count(this.#usage?.cache_read_tokens, mostInput) ?? 0;
    const input = count(this.#usage?.input_tokens, mostInput);
    const output = count(this.#usage?.output_tokens, CREDIBLE_TOKENS + CREDIBLE * limit);
    const written = count(this.#usage?.cache_write_tokens, mostInput) ?? 0;
    return {
      // Every request has some input: zero means that the server did not count.
      input_tokens: input === null || input + cached === 0 ? estimate.input_tokens : input,
      output_tokens: output === null || output === 0 ? estimate.output_tokens : output,
      cache_read_tokens: cached,
      ...(written === 0 || input === null ? {} : { cache_write_tokens: Math.min(written, input) }),
    };
  }
}

/** null for an invalid count: absent, negative, not a number, or more than is possible. */
function count(value: number | undefined, most: number): number | null {
  return typeof value === 'number' && value >= 0 && value <= most ? Math.round(value) : null;
}
