import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { OVER } from './script.ts';
import type { Script, ScriptedReply, ScriptedRequest, ScriptedTurn } from './script.ts';

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

/** One vendor's half of the server: how it reads requests, and how it writes turns and errors. */
export interface Wire {
  readonly accepts: (path: string) => boolean;
  readonly view: (
    body: Readonly<Record<string, unknown>>,
  ) => Omit<ScriptedRequest, 'index' | 'path' | 'headers' | 'body' | 'state' | 'bytes'>;
  readonly events: (turn: ScriptedTurn, request: ScriptedRequest) => readonly SseEvent[];
  /** Why the service refuses a request, as bad ones are. */
  readonly refuses?: (request: ScriptedRequest) => string | null;
  readonly errorEvent: (type: string, message: string) => SseEvent;
  readonly errorBody: (type: string, message: string) => unknown;
}

export interface WireServer {
  /** Without a trailing slash and without a path. */
  readonly url: string;
  readonly port: number;
  /** Connections there ever were. */
  connections(): number;
  /** Every request that came, in order. */
  readonly requests: readonly ScriptedRequest[];
  close(): Promise<void>;
}

export interface WireServerOptions {
  /** PEM. Absent: plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Called when the head of a request has come, before its body. */
  readonly onRequest?: () => void;
  /** Called when the last byte of an answer has been handed to the system. */
  readonly onAnswered?: () => void;
}

/** Serves a scripted model on the loopback, over the vendor's real protocol. */
export async function startWireServer(
  wire: Wire,
  script: Script,
  options: WireServerOptions = {},
): Promise<WireServer> {
  const requests: ScriptedRequest[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  };
  const server = options.tls === undefined ? createServer(serve) : createTlsServer(options.tls, serve);
  let connections = 0;
  server.on(options.tls === undefined ? 'connection' : 'secureConnection', () => (connections += 1));

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    response.socket?.setNoDelay(true);
    options.onRequest?.();
    if (options.onAnswered !== undefined) response.on('finish', options.onAnswered);
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const bytes = await readText(incoming);
    const body = bytes === '' ? {} : (JSON.parse(bytes) as Record<string, unknown>);
    if (incoming.method !== 'POST' || !wire.accepts(path)) {
      return sendJson(response, 404, wire.errorBody('not_found_error', `no such path: ${path}`), {});
    }
    const view = wire.view(body);
    const request: ScriptedRequest = {
      index: requests.length,
      path,
      headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      body,
      bytes,
      ...view,
      lastText: withoutNotes(view.lastText),
      state: [...bytes.matchAll(/Mode: \w+\. State: (\w+)\./g)].at(-1)?.[1] ?? '',
    };
    requests.push(request);
    const refusal = wire.refuses?.(request) ?? null;
    if (refusal !== null) return sendJson(response, 400, wire.errorBody('invalid_request_error', refusal), {});
    await answer(await nextReply(request), request, response);
  }

  async function nextReply(request: ScriptedRequest): Promise<ScriptedReply> {
    if (typeof script === 'function') return await script(request);
    return script[request.index] ?? OVER;
  }

  async function answer(reply: ScriptedReply, request: ScriptedRequest, response: ServerResponse): Promise<void> {
    switch (reply.kind) {
      case 'turn':
        return await stream(reply, request, response);
      case 'error':
        return sendJson(response, reply.status, wire.errorBody(reply.type, reply.message), reply.headers ?? {});
      case 'raw':
        response.writeHead(reply.status, { 'content-type': reply.contentType, ...reply.headers });
        return reply.isEndless === true ? sendForever(response, reply.body) : void response.end(reply.body);
      case 'drop':
        return void response.destroy();
      case 'silence':
        return;
    }
  }

  async function stream(turn: ScriptedTurn, request: ScriptedRequest, response: ServerResponse): Promise<void> {
    if (turn.beforeMs !== undefined) await delay(turn.beforeMs);
    response.writeHead(200, turn.withoutContentType === true ? {} : { 'content-type': 'text/event-stream' });
    for (const [index, event] of eventsToSend(turn, request).entries()) {
      if (index === turn.cutAfterEvents) return void response.destroy();
      if (index === turn.endAfterEvents) break;
      if (turn.betweenEventsMs !== undefined) await delay(turn.betweenEventsMs);
      await write(response, event, turn.bytesPerWrite);
    }
    response.end();
  }

  function eventsToSend(turn: ScriptedTurn, request: ScriptedRequest): readonly SseEvent[] {
    const events = wire.events(turn, request);
    const error = turn.errorAfterEvents;
    if (error === undefined) return events;
    return [...events.slice(0, error.events), wire.errorEvent(error.type, error.message)];
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    connections: () => connections,
    port,
    requests,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function write(response: ServerResponse, { event, data }: SseEvent, bytesPerWrite?: number): Promise<void> {
  const bytes = Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`);
  const step = bytesPerWrite ?? bytes.length;
  for (let offset = 0; offset < bytes.length; offset += step) {
    response.write(bytes.subarray(offset, offset + step));
    if (bytesPerWrite !== undefined) await immediate();
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** What the kernel adds to a message of the user. */
function withoutNotes(text: string): string {
  return text.replaceAll(/<(environment|project|session_state)>\n.*?\n<\/\1>/gs, '');
}

function sendForever(response: ServerResponse, body: string | Buffer): void {
  while (!response.destroyed)
    if (!response.write(body)) return void response.once('drain', () => sendForever(response, body));
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Cuts a text into pieces of `length` UTF-16 units: some cuts fall inside a character, as vendors' do. */
export function pieces(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

/** The raw arguments that a scripted call puts on the wire. */
export function argumentsText(call: { readonly input?: unknown; readonly rawArguments?: string }): string {
  return call.rawArguments ?? JSON.stringify(call.input ?? {});
}
