import { request as httpRequest, type IncomingMessage } from 'node:http';

/** Where the engine listens, and which version of its API is spoken. */
export interface EngineAddress {
  readonly socketPath: string;
  /** Such as `1.41`. */
  readonly apiVersion: string;
}

export interface EngineAnswer {
  readonly status: number;
  /** Parsed JSON; null when the body is empty. */
  readonly body: unknown;
}

/** The few calls of the engine's HTTP API that the guard makes, on a connection of its own each. */
export interface EngineClient {
  /** Any status is an answer; rejects when the engine can't be reached or answers no JSON. `timeoutMs` 0: waits for ever. */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options?: { readonly body?: unknown; readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<EngineAnswer>;
  /** The answer as it comes. */
  stream(path: string, signal: AbortSignal): Promise<IncomingMessage>;
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export function createEngineClient(engine: EngineAddress): EngineClient {
  const send = (
    method: string,
    path: string,
    body: unknown,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const json = body === undefined ? undefined : JSON.stringify(body);
      const request = httpRequest({
        socketPath: engine.socketPath,
        method,
        path: `/v${engine.apiVersion}${path}`,
        agent: false,
        headers: {
          Host: 'engine',
          ...(json !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(json),
          }),
        },
        ...(signal !== undefined && { signal }),
      });
      if (timeoutMs > 0)
        request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer from the engine in ${timeoutMs} ms`)));
      request.once('response', resolve);
      request.once('error', reject);
      request.end(json);
    });

  return {
    async call(method, path, options = {}) {
      const response = await send(method, path, options.body, options.timeoutMs ?? TIMEOUT_MS, options.signal);
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > MAX_ANSWER_BYTES) throw new Error('the engine answered more than can be right');
        chunks.push(chunk);
      }
      const text = Buffer.concat(chunks).toString('utf8').trim();
      const isJson = text.startsWith('{') || text.startsWith('[');
      return { status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : null };
    },
    stream: (path, signal) => send('GET', path, undefined, 0, signal),
  };
}
