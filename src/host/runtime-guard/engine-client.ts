import type { IncomingMessage } from 'node:http';
import { exchange, openExchange } from '../../ipc/unix-http.ts';

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

/** The guard's few calls of the engine's HTTP API, each on a connection of its own. */
export interface EngineClient {
  /** Any status is an answer; rejects if the engine can't be reached or answers no JSON. `timeoutMs` 0: waits for ever. */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options?: { readonly body?: unknown; readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<EngineAnswer>;
  /** The answer as a stream. */
  stream(path: string, signal: AbortSignal): Promise<IncomingMessage>;
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export function createEngineClient({ socketPath, apiVersion }: EngineAddress): EngineClient {
  const base = `/v${apiVersion}`;
  return {
    async call(method, path, { body: value, timeoutMs = TIMEOUT_MS, signal } = {}) {
      const json = value === undefined ? undefined : ({ kind: 'json', value } as const);
      const request = { socketPath, method, path: `${base}${path}`, body: json, timeoutMs, signal };
      const { status, body } = await exchange(request, { maxBytes: MAX_ANSWER_BYTES });
      const text = body.toString('utf8').trim();
      const isJson = text.startsWith('{') || text.startsWith('[');
      return { status, body: isJson ? (JSON.parse(text) as unknown) : null };
    },
    stream: (path, signal) => openExchange({ socketPath, method: 'GET', path: `${base}${path}`, timeoutMs: 0, signal }),
  };
}
