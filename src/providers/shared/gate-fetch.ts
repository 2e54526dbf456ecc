import { Agent, request } from 'node:http';
import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createInflate, createGunzip } from 'node:zlib';
import { ownValue } from '../../lib/own-value.ts';
import { normalErrorBody, readErrorText } from './error-body.ts';
import { normalStream } from './normal-stream.ts';
import type { TunnelOptions, TunnelTarget } from './open-tunnel.ts';
import { openTunnel } from './open-tunnel.ts';
import { modelAnswer } from './unexpected-answer.ts';

export interface GateFetchOptions extends TunnelOptions {
  /** If no byte of an answer arrives for this time, the connection counts as lost. */
  readonly stallTimeoutMs: number;
}

export interface GateFetch {
  /**
   * The part of `fetch` that the vendors' libraries use: text bodies, streamed answers, signals. Rejects with UnexpectedAnswer for an answer that no
   * model service gives, such as a redirect.
   */
  readonly fetch: typeof globalThis.fetch;
  close(): void;
}

/**
 * `fetch` through the egress gate, on Node's own HTTP client, because HTTP libraries take longer to load than a sandbox takes to start. Connections
 * are kept for the next request.
 */
export function gateFetch(options: GateFetchOptions): GateFetch {
  const agents = { 'http:': new GateAgent(options, false), 'https:': new GateAgent(options, true) };
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
    const send = async (): Promise<IncomingMessage> => await sendRequest(url, init, agent, options.stallTimeoutMs);
    // The server may have closed a kept connection in the moment it was chosen; then the request is sent again.
    const answer = await send().catch(async (error: unknown) =>
      error instanceof StaleConnection ? await send() : Promise.reject(error),
    );
    const response = await toResponse(answer, await modelAnswer(answer, decoded(answer), url.host), url.host);
    // Reading the body of an error ends without a failure, also when it was the caller who ended it.
    init.signal?.throwIfAborted();
    return response;
  };
  return {
    fetch,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

class StaleConnection extends Error {}

/** Makes tunnels where Node's agent makes sockets. For Node the HTTP inside is always plain: the tunnel adds TLS. */
class GateAgent extends Agent {
  readonly #options: TunnelOptions;
  readonly #tls: boolean;

  constructor(options: TunnelOptions, tls: boolean) {
    super({ keepAlive: true });
    this.#options = options;
    this.#tls = tls;
  }

  override createConnection(
    args: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const target: TunnelTarget = { host: args.hostname ?? '', port: Number(args.port), tls: this.#tls };
    openTunnel(target, this.#options).then(
      (socket) => callback?.(null, socket),
      (error: unknown) => {
        const reason = error instanceof Error ? error : new Error(String(error));
        // Node's types require a stream here although there is none.
        callback?.(reason, undefined as unknown as Duplex);
      },
    );
  }
}

async function sendRequest(
  url: URL,
  init: RequestInit,
  agent: GateAgent,
  stallTimeoutMs: number,
): Promise<IncomingMessage> {
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : null;
  if (body === null && init.body !== undefined && init.body !== null) throw new TypeError('only text can be sent');
  return await new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method: init.method ?? 'GET',
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        host: url.host,
        ...(body === null ? {} : { 'content-length': body.length }),
      },
      ...(init.signal ? { signal: init.signal } : {}),
    });
    outgoing.setTimeout(stallTimeoutMs, () => outgoing.destroy(new Error('the server fell silent')));
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => {
      const stale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      reject(stale ? new StaleConnection() : error);
    });
    outgoing.end(body ?? undefined);
  });
}

/** Servers are not asked to compress, and some do. */
const DECODERS: Readonly<Partial<Record<string, () => Duplex>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(answer: IncomingMessage): Readable {
  const decoder = ownValue(DECODERS, (answer.headers['content-encoding'] ?? '').toLowerCase());
  // What goes wrong reaches whoever reads the text.
  return decoder === undefined ? answer : pipeline(answer, decoder(), () => undefined);
}

/** Errors and streams in the one form that each vendor's library reads. */
async function toResponse(answer: IncomingMessage, body: Readable, host: string): Promise<Response> {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (status < 400)
    return new Response(Readable.toWeb(normalStream(body, host)) as ReadableStream, { status, headers });
  headers.set('content-type', 'application/json');
  return new Response(normalErrorBody(await readErrorText(body)), { status, headers });
}
