import type { RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';

/**
 * What a call was given and what the model got back, without secrets. Ids are the provider's and may come again: `later` is how many results under the same
 * id are newer than the wanted one. Null where the conversation has no such call, as in a fork.
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
