import { exchange } from '../../ipc/unix-http.ts';
import type { RequestBody } from '../../ipc/unix-http.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';

/** A container engine, reached over its Unix socket. */
export interface Engine {
  readonly socketPath: string;
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly timeoutMs?: number;
  /** Gets each part of the answer as it comes. */
  readonly onPart?: (part: Buffer) => void;
}

export interface EngineResponse {
  readonly status: number;
  readonly body: Buffer;
}

/** Maximum silence of the engine before a call is given up; builds and pulls are not silent. */
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Makes one call of the engine's HTTP API. Any status is an answer; only a connection that fails or stays silent is an error.
 *
 * @throws FluffyError `engine_unreachable`
 */
export async function callEngine(engine: Engine, call: EngineRequest): Promise<EngineResponse> {
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`;
  try {
    const { method, body, onPart, timeoutMs = DEFAULT_TIMEOUT_MS } = call;
    const request = { socketPath: engine.socketPath, method, path: `${call.path}${query}`, body, timeoutMs };
    return await exchange(request, { onPart });
  } catch (cause) {
    throw engineUnreachable(engine, `${call.method} ${call.path}`, cause);
  }
}

/** Like {@link callEngine}, for calls that must return a 2xx status; parses the answer as JSON. An empty answer is `undefined`. */
export async function expectEngine(engine: Engine, call: EngineRequest): Promise<unknown> {
  const { status, body } = await callEngine(engine, call);
  const text = body.toString('utf8');
  if (status < 200 || status > 299) throw engineRefused(`${call.method} ${call.path}`, `${status}: ${messageOf(text)}`);
  return text.trim() === '' ? undefined : (JSON.parse(text) as unknown);
}

export function engineUnreachable({ socketPath }: Engine, call: string, cause: unknown): FluffyError {
  return new FluffyError({
    code: 'engine_unreachable',
    what: 'The container engine did not answer',
    why: `${call} on ${socketPath}: ${cause instanceof Error ? cause.message : String(cause)}`,
    fix: 'run `fluffy doctor`',
    exitCode: EXIT.noRuntime,
    cause,
  });
}

export function engineRefused(what: string, why: string): FluffyError {
  const diskFull = /no space left on device|disk quota exceeded/i.test(why);
  return new FluffyError({
    code: 'engine_refused',
    what: 'The container engine refused a request',
    why: `${what}: ${why}`,
    fix: diskFull
      ? "free space on the disk of the engine's data: `fluffy image prune` removes the images of other versions"
      : 'run `fluffy doctor`',
    exitCode: EXIT.noRuntime,
  });
}

function messageOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string')
      return value.message;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim();
}
