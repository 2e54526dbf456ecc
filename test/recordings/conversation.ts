/** A call as a real model made it, with what its agent answered. */
export interface RecordedCall {
  readonly id: string;
  readonly tool: string;
  /** JSON, or whatever the model wrote. */
  readonly arguments: string;
  readonly result: RecordedResult | null;
}

export interface RecordedResult {
  readonly text: string;
  readonly failed: boolean;
}

/** `said` is what the user said before the turn, if anything. */
export interface RecordedTurn {
  readonly said: string | null;
  readonly text: string;
  readonly calls: readonly RecordedCall[];
}

export interface Conversation {
  /** File, and place in it. */
  readonly name: string;
  readonly turns: readonly RecordedTurn[];
}

/** One message of a recording, whatever its vendor: who said it, which calls it makes, which results it brings. */
export interface RecordedMessage {
  readonly role: 'user' | 'assistant' | 'other';
  readonly text: string;
  readonly calls: readonly Omit<RecordedCall, 'result'>[];
  readonly results: readonly (RecordedResult & { readonly id: string })[];
}

/** Joins messages to turns; calls and results belong together by their ids, each result to the latest call of its id. */
export function turnsOf(messages: readonly RecordedMessage[]): readonly RecordedTurn[] {
  const turns: {
    said: string | null;
    text: string;
    calls: { -readonly [Key in keyof RecordedCall]: RecordedCall[Key] }[];
  }[] = [];
  let said: string | null = null;
  for (const message of messages) {
    for (const { id, text, failed } of message.results) {
      const call = turns.flatMap(({ calls }) => calls).findLast((each) => each.id === id);
      if (call !== undefined) call.result = { text, failed };
    }
    if (message.role === 'user' && message.text.trim() !== '') said = message.text;
    if (message.role !== 'assistant' || (message.calls.length === 0 && message.text.trim() === '')) continue;
    turns.push({ said, text: message.text, calls: message.calls.map((call) => ({ ...call, result: null })) });
    said = null;
  }
  return turns;
}
