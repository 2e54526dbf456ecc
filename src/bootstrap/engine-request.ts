import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';

/** A container engine that has answered, and the version of its API to speak. */
export interface Engine {
  readonly socketPath: string;
  readonly apiVersion: string;
}

export interface ExchangeOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Longest silence; 0 waits for ever. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** One HTTP exchange over a Unix socket. Any status is an answer. The rest of fluffy has `src/ipc/unix-http.ts`; nothing of it may be imported here. */
export async function exchange(socketPath: string, method: string, path: string, options: ExchangeOptions = {}) {
  const { body, timeoutMs = 30_000, signal } = options;
  const headers = { Host: 'engine', ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  const request = httpRequest({ socketPath, method, path, headers, agent: false, signal });
  request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer in ${timeoutMs} ms`)));
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

/** A call of the engine's API; its JSON, or undefined when the answer is empty. Throws on a status that is not in `accept`. */
export async function callEngine(
  engine: Engine,
  method: string,
  path: string,
  accept: readonly number[],
  options: ExchangeOptions = {},
): Promise<unknown> {
  const { status, body } = await exchange(engine.socketPath, method, `/v${engine.apiVersion}${path}`, options);
  const text = body.toString('utf8').trim();
  if (!accept.includes(status)) throw new Error(`the engine answered ${status}: ${text.slice(0, 500)}`);
  return /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : undefined;
}
