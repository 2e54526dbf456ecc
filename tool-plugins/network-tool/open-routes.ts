import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { PROXY_PORT } from '../../src/contracts/sandbox/test-network.ts';
import type { Routes } from '../../src/contracts/sandbox/test-network.ts';
import { joinSockets } from '../sdk/join-sockets.ts';
import { openLoopbackProxy } from '../sdk/loopback-proxy.ts';
import { throughGate } from '../sdk/through-gate.ts';

export interface OpenRoutes {
  close(): void;
}

/** Listens where tests look for their hosts. It decides nothing: the gate is asked about each connection. */
export async function openRoutes(
  { routes, proxy }: Routes,
  gatePath: string,
  proxyPort: number = PROXY_PORT,
): Promise<OpenRoutes> {
  const servers = await Promise.all(
    routes.map(({ address, port, target }) => listen(forwarder(gatePath, target), port, address)),
  );
  const opened = proxy ? await openLoopbackProxy(gatePath, proxyPort) : null;
  return {
    close: () => {
      for (const server of servers) server.close();
      opened?.close();
    },
  };
}

/** What the gate refuses is closed at once: a client sees a connection that ends before a byte has come. */
function forwarder(gatePath: string, target: string): Server {
  return createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    throughGate(gatePath, target).then(
      (upstream) => {
        joinSockets(client, upstream);
      },
      () => client.destroy(),
    );
  });
}

function listen(server: Server, port: number, address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => resolve(server));
  });
}
