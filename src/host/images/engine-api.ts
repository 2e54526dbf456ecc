import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
  /** An object is sent as JSON; a stream of bytes as a tar archive. */
  readonly body?:
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'tar'; readonly bytes: AsyncIterable<Uint8Array> };
  readonly timeoutMs?: number;
}

export interface EngineResponse {
  readonly status: number;
  readonly body: Buffer;
}

/** Longest silence of the engine before the call is given up; building and pulling are not silent. */
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * One call of the engine's HTTP API. Any status is an answer; only a connection that fails or falls silent is an error.
 *
 * @throws FluffyError `engine_unreachable`
 */
export async function callEngine(engine: Engine, call: EngineRequest): Promise<EngineResponse> {
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`;
  try {
    return await exchange(engine, `${call.path}${query}`, call);
  } catch (cause) {
    if (cause instanceof FluffyError) throw cause;
    throw new FluffyError({
      code: 'engine_unreachable',
      what: 'The container engine did not answer',
      why: `${call.method} ${call.path} on ${engine.socketPath}: ${cause instanceof Error ? cause.message : String(cause)}`,
      fix: 'run `fluffy doctor`',
      exitCode: EXIT.noRuntime,
      cause,
    });
  }
}

/** Like {@link callEngine}, for calls whose only good answer is a 2xx one; parses it as JSON. An empty answer is `undefined`. */
export async function expectEngine(engine: Engine, call: EngineRequest): Promise<unknown> {
  const { status, body } = await callEngine(engine, call);
  const text = body.toString('utf8');
  if (status < 200 || status > 299) throw engineRefused(`${call.method} ${call.path}`, `${status}: ${messageOf(text)}`);
  return text.trim() === '' ? undefined : (JSON.parse(text) as unknown);
}

export function engineRefused(what: string, why: string): FluffyError {
  return new FluffyError({
    code: 'engine_refused',
    what: 'The container engine refused a request',
    why: `${what}: ${why}`,
    fix: 'run `fluffy doctor`',
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

async function exchange(engine: Engine, path: string, call: EngineRequest): Promise<EngineResponse> {
  const json = call.body?.kind === 'json' ? Buffer.from(JSON.stringify(call.body.value)) : undefined;
  const request = httpRequest({
    socketPath: engine.socketPath,
    method: call.method,
    path,
    agent: false,
    headers: {
      Host: 'engine',
      ...(json !== undefined && { 'Content-Type': 'application/json', 'Content-Length': json.length }),
      ...(call.body?.kind === 'tar' && { 'Content-Type': 'application/x-tar' }),
    },
  });
  const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer for ${timeoutMs} ms`)));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  // An engine that refuses early answers before the upload is through: the answer counts, not the broken pipe.
  const sent =
    call.body?.kind === 'tar'
      ? pipeline(Readable.from(call.body.bytes), request).catch((error: unknown) => {
          request.destroy(error instanceof Error ? error : new Error(String(error)));
        })
      : new Promise<void>((resolve) => request.end(json, resolve));
  const response = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  await sent.catch(() => undefined);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks) };
}
