import type { Duplex } from 'node:stream';
import {
  API_VERSION,
  OLDEST_API_VERSION,
  TAIL_SINCE_VERSION,
  handshakeRequestSchema,
  handshakeResponseSchema,
} from '../contracts/ipc-message.ts';
import type { HandshakeRequest } from '../contracts/ipc-message.ts';
import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import type { CloseReason } from './close-reason.ts';
import { describeClose } from './close-reason.ts';
import type { ChannelOptions } from './frame-channel.ts';
import { FrameChannel } from './frame-channel.ts';
import type { RpcOptions } from './rpc-peer.ts';
import { RpcPeer } from './rpc-peer.ts';

export interface PeerOptions extends ChannelOptions, RpcOptions {
  /** From the start to the end of the handshake. Default 5 s. */
  readonly handshakeMs?: number;
}

export interface AcceptOptions extends PeerOptions {
  readonly kernelVersion: string;
  /** A reason to refuse whoever introduces itself so, or null. */
  readonly admit?: (hello: HandshakeRequest) => string | null;
  /** Registers handlers; called before any frame after the handshake is looked at. */
  readonly onPeer: (peer: RpcPeer, hello: HandshakeRequest) => void;
}

export interface OfferOptions extends PeerOptions {
  readonly hello: { readonly plugin_name: string; readonly plugin_version: string };
  /** Default: the newest this side knows. */
  readonly apiVersion?: number;
  /** Registers handlers; called before any frame after the handshake is looked at. */
  readonly onPeer?: (peer: RpcPeer) => void;
}

const HANDSHAKE_MS = 5_000;

/** The current version of the syscall interface and the one before. */
const SUPPORTED: [number, number] = [OLDEST_API_VERSION, API_VERSION];

/** The accepting side. Resolves with the peer, or with why there is none; it never rejects, since whoever connects may be hostile. */
export async function acceptPeer(stream: Duplex, options: AcceptOptions): Promise<RpcPeer | CloseReason> {
  const { promise, resolve } = Promise.withResolvers<RpcPeer>();
  const channel = new FrameChannel(stream, (value) => takeHello(value), options);
  const deadline = setTimeout(() => channel.violate('no handshake in time'), options.handshakeMs ?? HANDSHAKE_MS);
  const outcome = await Promise.race([promise, channel.closed]);
  clearTimeout(deadline);
  return outcome;

  function takeHello(value: unknown): void {
    const hello = handshakeRequestSchema.safeParse(value);
    if (!hello.success) return channel.violate('a first frame that is no handshake');
    const refusal = refuseVersion(hello.data.syscall_api_version) ?? options.admit?.(hello.data) ?? null;
    if (refusal !== null) {
      channel.send({ type: 'handshake_reject', reason: refusal, supported_api_versions: SUPPORTED });
      return channel.close();
    }
    channel.send({
      type: 'handshake_ack',
      kernel_version: options.kernelVersion,
      supported_api_versions: SUPPORTED,
      negotiated_api_version: hello.data.syscall_api_version,
    });
    if (hello.data.syscall_api_version >= TAIL_SINCE_VERSION) channel.useTails();
    const peer = new RpcPeer(channel, options);
    options.onPeer(peer, hello.data);
    resolve(peer);
  }
}

function refuseVersion(version: number): string | null {
  if (version >= SUPPORTED[0] && version <= SUPPORTED[1]) return null;
  return `version ${version} of the syscall interface is not spoken here; ${SUPPORTED[0]} to ${SUPPORTED[1]} are`;
}

/** The connecting side. Throws FluffyError `ipc_handshake_failed`. */
export async function offerPeer(stream: Duplex, options: OfferOptions): Promise<RpcPeer> {
  const { promise, resolve, reject } = Promise.withResolvers<RpcPeer>();
  const version = options.apiVersion ?? API_VERSION;
  const channel = new FrameChannel(stream, (value) => takeAnswer(value), options);
  const deadline = setTimeout(() => channel.violate('no answer in time'), options.handshakeMs ?? HANDSHAKE_MS);
  channel.send({ type: 'handshake', ...options.hello, syscall_api_version: version });
  try {
    const outcome = await Promise.race([promise, channel.closed]);
    if (outcome instanceof RpcPeer) return outcome;
    throw handshakeFailed(`the connection was ${describeClose(outcome)}`);
  } finally {
    clearTimeout(deadline);
  }

  function takeAnswer(value: unknown): void {
    const answer = handshakeResponseSchema.safeParse(value);
    if (!answer.success) return channel.violate('an answer of unknown form');
    if (answer.data.type === 'handshake_reject') {
      reject(handshakeFailed(answer.data.reason));
      return channel.close();
    }
    if (answer.data.negotiated_api_version !== version) return channel.violate('a version nobody offered');
    if (version >= TAIL_SINCE_VERSION) channel.useTails();
    const peer = new RpcPeer(channel, options);
    options.onPeer?.(peer);
    resolve(peer);
  }
}

function handshakeFailed(why: string): FluffyError {
  return new FluffyError({
    code: 'ipc_handshake_failed',
    what: 'The two sides of a connection could not agree',
    why,
    fix: 'Run fluffy again; if it stays, both sides may be of different versions: run fluffy doctor',
    exitCode: EXIT.kernelCrashed,
  });
}
