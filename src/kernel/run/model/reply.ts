import type { ModelCall, ModelEvent, ModelFailure } from '../../../contracts/model/model.ts';

/**
 * Maximum characters of text in one answer: more than its token limit allows. More text is no answer and would fill the
 * database.
 */
const MAX_ANSWER_CHARACTERS = 512 * 1024;
/** Maximum characters in the arguments of all calls of one answer. */
const MAX_ARGUMENT_CHARACTERS = 8 * 1024 * 1024;
const MAX_CALLS = 256;
/** Maximum characters shown to people; the rest is left out. */
const MAX_THOUGHT_CHARACTERS = 64 * 1024;

const CALL_ID = /^[\w.:-]{1,200}$/;
const TOOL_NAME = /^[\w.-]{1,64}$/;
/** Replaces a name that cannot be shown on a terminal, or that is not a name. */
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

/** An answer of the model while it arrives. A restart event clears it, because the same request is sent again. */
export class Reply {
  text = '';
  stop: 'end' | 'cut-off' | 'refusal' | null = null;
  failure: ReplyFailure | null = null;
  /** Opaque data that the model wants back with this answer. */
  thoughts: string | null = null;
  readonly #calls = new Map<number, StartedCall>();
  #argumentCharacters = 0;
  #thought = '';

  /** Adds an event. Returns false as soon as the answer exceeds a limit; then `failure` is set. */
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

  /** The thoughts since the last call of this function. */
  takeThought(): string {
    const thought = this.#thought.trim();
    this.#thought = '';
    return thought;
  }

  /** The calls in order, each with a unique id and a name that can be shown. */
  calls(): ModelCall[] {
    const taken = new Set<string>();
    return [...this.#calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, call], index) => {
        const isUsable = CALL_ID.test(call.call_id) && !taken.has(call.call_id);
        const id = isUsable ? call.call_id : freeId(taken, index);
        taken.add(id);
        return { ...call, call_id: id, tool: nameOf(call.tool) };
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

/** Some models put a namespace before the name: `default_api:fs_read`, `tools/fs_read`. */
function nameOf(written: string): string {
  const name = written.replace(/^[\w.-]+[:/]/, '');
  return TOOL_NAME.test(name) ? name : UNUSABLE_NAME;
}

function freeId(taken: ReadonlySet<string>, index: number): string {
  let id = `call_${index}`;
  while (taken.has(id)) id = `${id}_`;
  return id;
}
