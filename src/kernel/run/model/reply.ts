import type { ModelCall, ModelEvent, ModelFailure } from '../../../contracts/model/model.ts';

/** Characters of text in one answer: more than its token limit can hold. What is beyond is no answer, and would fill the database. */
const MAX_ANSWER_CHARACTERS = 512 * 1024;
/** Arguments of all calls of one answer. */
const MAX_ARGUMENT_CHARACTERS = 8 * 1024 * 1024;
const MAX_CALLS = 256;
/** Shown to people. What is beyond is left out. */
const MAX_THOUGHT_CHARACTERS = 64 * 1024;

const CALL_ID = /^[\w.:-]{1,200}$/;
const TOOL_NAME = /^[\w.-]{1,64}$/;
/** In place of a name that could not be shown on a terminal, or is no name at all. */
const UNUSABLE_NAME = 'unusable_name';

export interface ReplyFailure {
  readonly code: ModelFailure;
  readonly message: string;
}

interface StartedCall {
  readonly call_id: string;
  readonly tool: string;
  arguments: string;
}

/** An answer of the model while it comes in. A restart forgets all of it: the same request is being sent again. */
export class Reply {
  text = '';
  stop: 'end' | 'cut-off' | 'refusal' | null = null;
  failure: ReplyFailure | null = null;
  /** What the model wants back with this answer. */
  thoughts: string | null = null;
  readonly #calls = new Map<number, StartedCall>();
  #argumentCharacters = 0;
  #thought = '';

  /** Takes one event in. False from the moment at which the answer is larger than any answer may be: `failure` is set then. */
  take(event: ModelEvent): boolean {
    if (this.failure !== null) return false;
    switch (event.type) {
      case 'thought_delta':
        this.#thought = (this.#thought + event.text).slice(0, MAX_THOUGHT_CHARACTERS);
        return true;
      case 'text_delta':
        if (this.text.length + event.text.length > MAX_ANSWER_CHARACTERS)
          return this.#tooLarge(`more than ${MAX_ANSWER_CHARACTERS} characters of text`);
        this.text += event.text;
        return true;
      case 'call_start':
        if (this.#calls.size >= MAX_CALLS) return this.#tooLarge(`more than ${MAX_CALLS} calls`);
        this.#calls.set(event.index, { call_id: event.call_id, tool: event.tool, arguments: '' });
        return true;
      case 'call_delta':
        return this.#append(event.index, event.arguments_delta);
      case 'thoughts':
        this.thoughts = event.data;
        return true;
      case 'restart':
        this.text = '';
        this.thoughts = null;
        this.#thought = '';
        this.#calls.clear();
        this.#argumentCharacters = 0;
        return true;
      case 'done':
        this.stop = event.stop === 'refusal' ? 'refusal' : event.stop === 'max_tokens' ? 'cut-off' : 'end';
        return true;
      case 'failed':
        this.failure = { code: event.code, message: event.message };
        return true;
      case 'call_end':
      case 'usage':
        return true;
    }
  }

  /** What was thought since this was asked last. */
  takeThought(): string {
    const thought = this.#thought.trim();
    this.#thought = '';
    return thought;
  }

  /** Calls in their order, each under an id of its own and a name that can be shown. */
  calls(): ModelCall[] {
    const taken = new Set<string>();
    return [...this.#calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, call], index) => {
        const isUsable = CALL_ID.test(call.call_id) && !taken.has(call.call_id);
        const id = isUsable ? call.call_id : freeId(taken, index);
        taken.add(id);
        return { ...call, call_id: id, tool: TOOL_NAME.test(call.tool) ? call.tool : UNUSABLE_NAME };
      });
  }

  #append(index: number, text: string): boolean {
    this.#argumentCharacters += text.length;
    if (this.#argumentCharacters > MAX_ARGUMENT_CHARACTERS)
      return this.#tooLarge(`more than ${MAX_ARGUMENT_CHARACTERS} characters of arguments`);
    const call = this.#calls.get(index);
    if (call !== undefined) call.arguments += text;
    return true;
  }

  #tooLarge(what: string): false {
    this.failure = { code: 'protocol', message: `the answer has ${what}, which is beyond its token limit` };
    return false;
  }
}

function freeId(taken: ReadonlySet<string>, index: number): string {
  let id = `call_${index}`;
  while (taken.has(id)) id = `${id}_`;
  return id;
}
