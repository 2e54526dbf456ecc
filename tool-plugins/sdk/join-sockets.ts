import type { Socket } from 'node:net';

/** Carries bytes both ways between a client and its connection through the gate. The end of one is the end of the other. */
export function joinSockets(client: Socket, upstream: Socket): void {
  upstream.on('error', () => client.destroy());
  upstream.once('close', () => client.destroy());
  client.once('close', () => upstream.destroy());
  upstream.pipe(client);
  client.pipe(upstream);
}
