import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * The one HTTP client for Unix sockets: for the container engine, and for the runtime guard's own endpoints. What its users add is
 * theirs: versions, statuses, errors for humans. Only bootstrap has another one (`engine-request.ts`, 15 lines without uploads): as
 * the anchor of trust it imports nothing of ours.
 */
export interface UnixRequest {
  readonly socketPath: string;
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  /** With its query. */
  readonly path: string;
  readonly body?: RequestBody | undefined;
  /** Longest silence, 30 s by default; 0 waits for ever. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An object is sent as JSON; a stream of bytes as a tar archive. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'tar'; readonly bytes: AsyncIterable<Uint8Array> };

export interface UnixAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface ExchangeOptions {
  readonly maxBytes?: number;
  /** Gets each part of the answer as it comes. */
  readonly onPart?: ((part: Buffer) => void) | undefined;
}

/** One exchange on a connection of its own. Any status is an answer; rejects when there is none, or one of more than `maxBytes`. */
export async function exchange(
  request: UnixRequest,
  { maxBytes = MAX_ANSWER_BYTES, onPart }: ExchangeOptions = {},
): Promise<UnixAnswer> {
  const answer = await openExchange(request);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
    onPart?.(chunk);
  }
  // An upload that was answered early goes no further.
  answer.destroy();
  return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks) };
}

/** The same, with the answer as it comes in. */
export async function openExchange(request: UnixRequest): Promise<IncomingMessage> {
  const { socketPath, method, path, body, signal, timeoutMs = TIMEOUT_MS } = request;
  const json = body?.kind === 'json' ? Buffer.from(JSON.stringify(body.value)) : undefined;
  const outgoing = httpRequest({
    socketPath,
    method,
    path,
    agent: false,
    headers: {
      Host: 'engine',
      ...(json !== undefined && { 'Content-Type': 'application/json', 'Content-Length': json.length }),
      ...(body?.kind === 'tar' && { 'Content-Type': 'application/x-tar' }),
    },
    ...(signal !== undefined && { signal }),
  });
  if (timeoutMs > 0) outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer for ${timeoutMs} ms`)));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    // Not `once`: after the answer, an upload that breaks changes nothing any more.
    outgoing.on('error', reject);
  });
  if (body?.kind === 'tar') void upload(body.bytes, outgoing);
  else outgoing.end(json);
  return await answered;
}

/** Stops when the connection is closed. */
async function upload(bytes: AsyncIterable<Uint8Array>, outgoing: ClientRequest): Promise<void> {
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort());
  try {
    for await (const chunk of bytes) {
      if (outgoing.destroyed) return;
      if (outgoing.write(chunk)) continue;
      await once(outgoing, 'drain', { signal: closed.signal }).catch(() => undefined);
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
