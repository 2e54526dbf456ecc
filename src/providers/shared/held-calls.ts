import type { ModelMessage } from '../../contracts/model/model.ts';

/** Ids of the calls that a conversation holds. None: a request of another kind, with nothing of the conversation in it. */
export function heldCalls(messages: readonly ModelMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ call_id }) => call_id) : [])),
  );
}
