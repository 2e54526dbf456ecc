import type { RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';

/**
 * The input and the reply of a call, without secrets. Ids come from the provider and may repeat: `later` is the number
 * of newer results under the same id. null if the conversation has no such call, for example in a fork.
 */
export function showCall(
  services: Services,
  session: Session,
  { call_id: id, later }: Pick<RequestParams<'session.call'>, 'call_id' | 'later'>,
): RequestResult<'session.call'> {
  const history = session.history();
  let left = later;
  let output: string | null = null;
  for (const message of history.toReversed()) {
    if (message.role === 'tool' && output === null) {
      const result = message.results.find((each) => each.call_id === id);
      if (result === undefined) continue;
      if (left === 0) output = result.content;
      left -= 1;
    } else if (message.role === 'assistant' && output !== null) {
      const call = message.calls.find((each) => each.call_id === id);
      if (call === undefined) continue;
      const { patterns } = services.policy().sanitizer;
      return { call: { input: redactSecrets(call.arguments, patterns).text, output } };
    }
  }
  return { call: null };
}
