import type OpenAI from 'openai';
import { asText } from '../shared/as-text.ts';
import type { Emit } from '../shared/attempt.ts';
import type { ToolNames } from '../shared/tool-names.ts';

type CallDelta = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta.ToolCall;

interface OpenCall {
  readonly index: number;
  readonly id: string;
  argumentsLength: number;
}

/**
 * The calls of one streamed answer. The service numbers them. Compatible servers may give every call the same number, leave out ids (represented by
 * the empty id), or send each call as a whole. A new id under a known number, or a new name if ids are missing, is another call.
 */
export class ChatCalls {
  readonly #names: ToolNames;
  readonly #emit: Emit;
  readonly #open = new Map<number, OpenCall>();
  #count = 0;

  constructor(names: ToolNames, emit: Emit) {
    this.#names = names;
    this.#emit = emit;
  }

  get count(): number {
    return this.#count;
  }

  async take(delta: CallDelta): Promise<void> {
    const known = this.#open.get(delta.index);
    if (known !== undefined && startsAnother(delta, known)) await this.#end(delta.index, known);
    const call = this.#open.get(delta.index) ?? (await this.#start(delta));
    // Some servers send the arguments as the object that they are.
    const piece = asText(delta.function?.arguments);
    if (piece === '') return;
    call.argumentsLength += piece.length;
    await this.#emit({ type: 'call_delta', index: call.index, arguments_delta: piece });
  }

  async endAll(): Promise<void> {
    for (const [wireIndex, call] of this.#open) await this.#end(wireIndex, call);
  }

  async #start(delta: CallDelta): Promise<OpenCall> {
    const id = delta.id ?? '';
    const call = { index: this.#count, id, argumentsLength: 0 };
    this.#count += 1;
    this.#open.set(delta.index, call);
    const tool = this.#names.fromWire(delta.function?.name ?? '');
    await this.#emit({ type: 'call_start', index: call.index, call_id: id, tool });
    return call;
  }

  async #end(wireIndex: number, call: OpenCall): Promise<void> {
    this.#open.delete(wireIndex);
    if (call.argumentsLength === 0) await this.#emit({ type: 'call_delta', index: call.index, arguments_delta: '{}' });
    await this.#emit({ type: 'call_end', index: call.index });
  }
}

function startsAnother(delta: CallDelta, known: OpenCall): boolean {
  if (delta.id === undefined || delta.id === '') {
    return (delta.function?.name ?? '') !== '' && known.argumentsLength > 0;
  }
  return delta.id !== known.id;
}
