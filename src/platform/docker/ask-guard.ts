import { exchange } from '../../ipc/unix-http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { hostFailure } from './host-failure.ts';

/** A call of one of the host's own endpoints: `body` is posted as JSON; without a body the path is fetched. */
export interface GuardQuestion {
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

export interface GuardAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Makes one call through the guard's socket. Rejects if there is no answer, if the answer is too long or incomplete,
 * and with the FluffyError of the host.
 */
export async function askGuard(socketPath: string, question: GuardQuestion): Promise<GuardAnswer> {
  const { path, body: value, timeoutMs, maxAnswerBytes } = question;
  const method = value === undefined ? ('GET' as const) : ('POST' as const);
  const json = value === undefined ? undefined : ({ kind: 'json', value } as const);
  const { status, body } = await exchange(
    { socketPath, method, path, body: json, timeoutMs },
    { maxBytes: maxAnswerBytes },
  ).catch((error: unknown) => {
    throw new Error(`the host gave no answer that can be read: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  });
  const text = body.toString('utf8');
  const failure = status === 200 ? null : hostFailure(parseJson(text));
  if (failure !== null) throw failure;
  return { status, text };
}
