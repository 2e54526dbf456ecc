import type { ModelMessage } from '../../contracts/model/model.ts';

/** Ids of the calls in a conversation; empty for a request of another kind, without the conversation. */
export function heldCalls(messages: readonly ModelMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ call_id }) => call_id) : [])),
  );
}
