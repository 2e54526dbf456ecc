import type { ModelRequest, Usage } from '../../contracts/model/model.ts';
import { MAX_CALL_ID_LENGTH, MAX_TOOL_NAME_LENGTH, answerLengthLimit } from '../../contracts/model/model.ts';
import type { AttemptOutcome, Emit, NormalEvent, PartialEvent } from './attempt.ts';
import { estimateUsage } from './estimate-usage.ts';

const MAX_TOKENS_COUNTED = 1e12;
/** Of the thoughts of one answer; what is beyond is shown to nobody. */
const MAX_THOUGHT_CHARACTERS = 64 * 1024;

/**
 * Brings one answer into the form that the kernel counts on, whatever the server sent: calls numbered from 0, each with an id of its
 * own, no more text than the token limit of the request has room for, and tokens counted in whole numbers.
 */
export class NormalAnswer {
  /** Resolves when the answer has outgrown the token limit: nothing of it is taken any more. */
  readonly tooLong: Promise<AttemptOutcome>;
  readonly #request: ModelRequest;
  readonly #forward: (event: NormalEvent) => Promise<void>;
  readonly #nextId: () => string;
  readonly #reportTooLong: (outcome: AttemptOutcome) => void;
  readonly #ids: Set<string>;
  /** The server's number of a call -> ours. */
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
        return await this.#think(event.text ?? '');
      case 'thought_delta':
        return await this.#think(event.text);
      case 'thoughts':
        return await this.#forward(event);
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'text_delta': {
        const text = this.#fit(event.text);
        this.#hasText ||= text.trim() !== '';
        return text === '' ? undefined : await this.#forward({ type: 'text_delta', text });
      }
      case 'call_start':
        return await this.#startCall(event);
      case 'call_delta': {
        const index = this.#calls.get(event.index);
        const text = index === undefined ? '' : this.#fit(event.arguments_delta);
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

  /** Sends the tokens, and says how the answer ended: one without text and calls is no ordinary end. */
  async finish(outcome: Extract<AttemptOutcome, { kind: 'done' }>): Promise<AttemptOutcome> {
    await this.#forward({ type: 'usage', usage: this.#countedUsage() });
    const said = this.#hasText || this.#callCount > 0;
    if (said || outcome.stop === 'max_tokens' || outcome.stop === 'refusal') return outcome;
    return { kind: 'done', stop: this.#hasThought ? 'thinking_only' : 'empty' };
  }

  /**
   * Thoughts take no room of the answer. Services count them in the same token limit: more than it can hold is no answer. What is not shown is
   * forwarded without its text, since a model that thinks is not silent.
   */
  async #think(text: string): Promise<void> {
    const room = Math.max(0, MAX_THOUGHT_CHARACTERS - this.#thoughtLength);
    this.#thoughtLength += text.length;
    if (this.#thoughtLength > answerLengthLimit(this.#request.max_output_tokens))
      return this.#reportTooLong({ kind: 'done', stop: 'max_tokens' });
    await this.#forward({ type: 'thought_delta', text: text.slice(0, room) });
  }

  async #startCall(event: Extract<PartialEvent, { type: 'call_start' }>): Promise<void> {
    const tool = event.tool.slice(0, MAX_TOOL_NAME_LENGTH);
    const callId = this.#ownId(event.call_id);
    if (this.#fit(`${callId}${tool}`) === '') return;
    const index = this.#callCount;
    this.#callCount += 1;
    this.#calls.set(event.index, index);
    await this.#forward({ type: 'call_start', index, call_id: callId, tool });
  }

  /** Servers leave ids out, or start to count again with each answer; results are matched to calls by id alone. */
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
    const estimate = estimateUsage(this.#request, this.#length);
    const cached = count(this.#usage?.cache_read_tokens) ?? 0;
    const input = count(this.#usage?.input_tokens);
    const output = count(this.#usage?.output_tokens);
    const written = count(this.#usage?.cache_write_tokens) ?? 0;
    return {
      // Every request has some input: zero means that nobody counted.
      input_tokens: input === null || input + cached === 0 ? estimate.input_tokens : input,
      output_tokens: output === null || (output === 0 && this.#length > 0) ? estimate.output_tokens : output,
      cache_read_tokens: cached,
      ...(written === 0 || input === null ? {} : { cache_write_tokens: Math.min(written, input) }),
    };
  }
}

/** Null for what is no count: absent, negative, not a number. */
function count(value: number | undefined): number | null {
  if (typeof value !== 'number' || !(value >= 0)) return null;
  return Math.min(Math.round(value), MAX_TOKENS_COUNTED);
}
