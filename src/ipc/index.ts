/** Speaking to another process: frames, handshake, requests and events, over a Unix socket or any other duplex stream. */
export { describeClose } from './close-reason.ts';
export type { CloseReason } from './close-reason.ts';
export { FrameDecoder, encodeFrame } from './frame.ts';
export { acceptPeer, offerPeer } from './handshake.ts';
export type { AcceptOptions, OfferOptions } from './handshake.ts';
export { getPeerIdentity } from './peer-identity.ts';
export type { PeerIdentity } from './peer-identity.ts';
export { RpcFailure } from './rpc-failure.ts';
export { RpcPeer } from './rpc-peer.ts';
export type { HandlerContext, RequestOptions, RpcOptions } from './rpc-peer.ts';
export { connectPeer, servePeers } from './unix-peers.ts';
export type { ServeOptions } from './unix-peers.ts';
export { connect, listen } from './unix-socket.ts';
export type { ListenOptions, Listener } from './unix-socket.ts';
