import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { assertNever } from '../../lib/assert-never.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { engineMessage, failureAnswer, withoutPaths } from './engine-answers.ts';
import { parseCall, type ParsedCall } from './guard-call.ts';
import type { BoundedLog } from './bounded-log.ts';
import { parseJson } from '../../lib/parse-json.ts';

export type GuardReply =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'empty'; readonly status: number }
  | { readonly kind: 'text'; readonly text: string }
  /** At most `maxBytes`; then the connection is cut. */
  | { readonly kind: 'stream'; readonly body: Readable; readonly contentType: string; readonly maxBytes: number }
  /** An error of the engine: logged unchanged, and sent to L1 without paths of the host. */
  | { readonly kind: 'engine-error'; readonly status: number; readonly body: unknown }
  /** 403, and a line in the guard's log. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Answers one call. `signal` aborts when the caller has disconnected. A rejection becomes 500; its reason goes to the log, and to L1 only if it is a FluffyError. */
export type GuardHandler = (parsed: ParsedCall, body: unknown, signal: AbortSignal) => Promise<GuardReply>;

const MAX_BODY_BYTES = 64 * 1024;
/**
 * Evidence lists files and tests, and many audit records are sent at once. Only a few callers may send such large bodies at once, so that a flood
 * cannot fill the host's memory.
 */
const MAX_LARGE_BYTES = 3 * 1024 * 1024;
const MAX_LARGE_AT_ONCE = 4;
/** Maximum time to send a whole request; its head gets half of it. */
const REQUEST_TIMEOUT_MS = 10_000;
const LARGE_CALLS: ReadonlySet<string> = new Set(['attest', 'anchor-records']);

/**
 * An HTTP server for a caller that may be hostile: one request per connection (so nothing can hide behind another), small headers and bodies, a
 * deadline for sending them, no upgrade, no CONNECT, no `Expect`.
 */
export function createGuardServer(
  handler: GuardHandler,
  log: BoundedLog,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): Server {
  const server = createServer({
    maxHeaderSize: 8 * 1024,
    headersTimeout: requestTimeoutMs / 2,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 4),
    insecureHTTPParser: false,
    requireHostHeader: false,
  });
  server.maxConnections = 256;
  const large = { open: 0 };
  server.maxRequestsPerSocket = 1;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response, handler, log, large);
  });
  server.on('upgrade', (request, socket) => {
    refuse(log, request, 'upgrade');
    socket.destroy();
  });
  server.on('connect', (request, socket) => {
    refuse(log, request, 'CONNECT');
    socket.destroy();
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    refuse(log, request, 'Expect');
    sendJson(response, 403, { message: 'refused by the guard: Expect' });
  });
  server.on('clientError', (_error, socket) => {
    log.write({ event: 'bad-request' });
    socket.destroy();
  });
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handler: GuardHandler,
  log: BoundedLog,
  large: LargeBodies,
): Promise<void> {
  response.shouldKeepAlive = false;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  request.on('error', () => gone.abort());
  response.on('error', () => gone.abort());
  try {
    const reply = await replyTo(request, handler, large, gone.signal);
    if (reply.kind === 'refused') refuse(log, request, reply.reason);
    if (reply.kind === 'engine-error')
      log.write({ event: 'engine-error', ...named(request), status: reply.status, reason: engineMessage(reply.body) });
    await send(response, reply, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    log.write({ event: 'failed', ...named(request), reason: messageOf(error) });
    sendJson(response, 500, failureAnswer(error));
  }
}

/** Number of large bodies that are held now. */
interface LargeBodies {
  open: number;
}

async function replyTo(
  request: IncomingMessage,
  handler: GuardHandler,
  large: LargeBodies,
  signal: AbortSignal,
): Promise<GuardReply> {
  const outcome = parseCall(request.method ?? '', request.url ?? '');
  if (outcome.kind === 'refused') return outcome;
  const { parsed } = outcome;
  if (!LARGE_CALLS.has(parsed.call.kind)) return await replyToBody(request, parsed, handler, MAX_BODY_BYTES, signal);
  if (large.open >= MAX_LARGE_AT_ONCE) return { kind: 'refused', reason: 'too many of these at once' };
  large.open += 1;
  try {
    return await replyToBody(request, parsed, handler, MAX_LARGE_BYTES, signal);
  } finally {
    large.open -= 1;
  }
}

async function replyToBody(
  request: IncomingMessage,
  parsed: ParsedCall,
  handler: GuardHandler,
  maxBytes: number,
  signal: AbortSignal,
): Promise<GuardReply> {
  const text = await readBody(request, maxBytes);
  if (text === null) return { kind: 'refused', reason: 'the body is too large' };
  const body = objectOf(text);
  if (body === undefined) return { kind: 'refused', reason: 'the body is no JSON object' };
  if (!parsed.takesBody && !repeats(parsed.query, body)) return { kind: 'refused', reason: 'unexpected body' };
  return await handler(parsed, body, signal);
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function objectOf(text: string): Record<string, unknown> | undefined {
  const value = text === '' ? {} : parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Common clients repeat a call's query as its body; any other body is refused. */
function repeats(query: Readonly<Record<string, string>>, body: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(body).every(([name, value]) => Object.hasOwn(query, name) && query[name] === String(value));
}

async function send(response: ServerResponse, reply: GuardReply, signal: AbortSignal): Promise<void> {
  switch (reply.kind) {
    case 'json':
      return sendJson(response, reply.status, reply.body);
    case 'refused':
      return sendJson(response, 403, { message: `refused by the guard: ${reply.reason}` });
    case 'engine-error':
      return sendJson(response, reply.status, { message: withoutPaths(engineMessage(reply.body)) });
    case 'empty':
      response.writeHead(reply.status).end();
      return;
    case 'text':
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(reply.text);
      return;
    case 'stream':
      return await sendStream(response, reply, signal);
    default:
      return assertNever(reply);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function sendStream(
  response: ServerResponse,
  reply: Extract<GuardReply, { kind: 'stream' }>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': reply.contentType });
  response.flushHeaders();
  let left = reply.maxBytes;
  for await (const chunk of reply.body as AsyncIterable<Buffer>) {
    if (chunk.length > left) {
      // Cut and not ended, so that the reader sees that there was more.
      response.write(chunk.subarray(0, left), () => response.destroy());
      return;
    }
    left -= chunk.length;
    if (!response.write(chunk)) await drained(response, signal);
  }
  response.end();
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('drain', resolve);
    signal.addEventListener('abort', () => reject(new Error('the caller has gone')), { once: true });
  });
}

function refuse(log: BoundedLog, request: IncomingMessage, reason: string): void {
  log.write({ event: 'refused', ...named(request), reason });
}

function named(request: IncomingMessage): { method: string | undefined; path: string | undefined } {
  return { method: request.method, path: request.url };
}
