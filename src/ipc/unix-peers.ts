import type { Socket } from 'node:net';
import type { HandshakeRequest } from '../contracts/ipc-message.ts';
import type { AcceptOptions, OfferOptions } from './handshake.ts';
import { acceptPeer, offerPeer } from './handshake.ts';
import type { PeerIdentity } from './peer-identity.ts';
import { getPeerIdentity } from './peer-identity.ts';
import type { RpcPeer } from './rpc-peer.ts';
import { RpcPeer as Peer } from './rpc-peer.ts';
import type { CloseReason } from './close-reason.ts';
import type { ListenOptions, Listener } from './unix-socket.ts';
import { connect, listen } from './unix-socket.ts';

export interface ServeOptions extends Omit<ListenOptions, 'onConnection'>, Omit<AcceptOptions, 'onPeer' | 'admit'> {
  /** User ids that may connect at all; absent: whoever the file's permissions let through. An unknown identity is refused. */
  readonly allowUids?: readonly number[];
  /** A reason to refuse whoever introduces itself so, or null. */
  readonly admit?: (hello: HandshakeRequest, identity: PeerIdentity | null) => string | null;
  /** Registers handlers; called before any frame after the handshake is looked at. */
  readonly onPeer: (peer: RpcPeer, hello: HandshakeRequest, identity: PeerIdentity | null) => void;
  /** Called for a connection that never became a peer. */
  readonly onRefused?: (reason: CloseReason, identity: PeerIdentity | null) => void;
}

/** Serves the protocol on a Unix socket: identity, then handshake, then `onPeer`. Throws as `listen` does. */
export function servePeers(path: string, options: ServeOptions): Promise<Listener> {
  return listen(path, { ...options, onConnection: (socket) => void serve(socket, options) });
}

async function serve(socket: Socket, options: ServeOptions): Promise<void> {
  const identity = await getPeerIdentity(socket);
  if (options.allowUids !== undefined && (identity === null || !options.allowUids.includes(identity.uid))) {
    socket.destroy();
    options.onRefused?.({ kind: 'violation', rule: 'a user that may not connect' }, identity);
    return;
  }
  const { admit, ...rest } = options;
  const outcome = await acceptPeer(socket, {
    ...rest,
    ...(admit === undefined ? {} : { admit: (hello) => admit(hello, identity) }),
    onPeer: (peer, hello) => options.onPeer(peer, hello, identity),
  });
  if (!(outcome instanceof Peer)) options.onRefused?.(outcome, identity);
}

/** Connects to a Unix socket and agrees on a version. Throws as `connect` and `offerPeer` do. */
export async function connectPeer(
  path: string,
  options: OfferOptions & { readonly connectMs?: number },
): Promise<RpcPeer> {
  const socket = await connect(path, options.connectMs === undefined ? {} : { timeoutMs: options.connectMs });
  return offerPeer(socket, options);
}
