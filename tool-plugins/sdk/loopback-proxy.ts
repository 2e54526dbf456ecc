import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { joinSockets } from './join-sockets.ts';
import { NoWayOut, throughGate } from './through-gate.ts';

export interface LoopbackProxy {
  /** For the settings of these programs. */
  readonly url: string;
  /** Why connections did not come about, in the order of the attempts. */
  readonly failures: readonly NoWayOut[];
  close(): void;
}

/**
 * An HTTP proxy on the sandbox's own loopback, for programs that know no Unix socket. It decides nothing: each connection is asked of the egress
 * gate. TLS passes through it unread.
 */
export async function openLoopbackProxy(gatePath: string, onPort = 0): Promise<LoopbackProxy> {
  const failures: NoWayOut[] = [];
  const open = (target: string): Promise<Socket> =>
    throughGate(gatePath, target).catch((error: unknown) => {
      if (error instanceof NoWayOut) failures.push(error);
      throw error;
    });
  const server = createServer((request, response) => void forward(request, response, open));
  server.on('connect', (request: IncomingMessage, client: Socket, early: Buffer) => {
    client.on('error', () => client.destroy());
    open(request.url ?? '').then(
      (upstream) => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.write(early);
        joinSockets(client, upstream);
      },
      (error: unknown) =>
        client.end(`HTTP/1.1 ${statusOf(error)} No Connection\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(onPort, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    failures,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A request for a plain http address, which a package manager sends whole to its proxy: the gate knows connections alone. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  open: (target: string) => Promise<Socket>,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '');
    const upstream = await open(`${url.hostname}:${url.port || '80'}`);
    const { 'proxy-connection': _, connection: __, ...headers } = request.headers;
    const outgoing = httpRequest(
      {
        createConnection: () => upstream,
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, connection: 'close' },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.once('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  } catch (error) {
    response.writeHead(statusOf(error)).end();
  }
}

/** What the gate refuses is not tried again. */
function statusOf(error: unknown): number {
  return error instanceof NoWayOut && error.refused ? 403 : 502;
}
