import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import { acceptPeer, offerPeer } from '../../src/ipc/handshake.ts';
import type { PeerOptions } from '../../src/ipc/handshake.ts';
import { FrameDecoder, encodeFrame } from '../../src/ipc/frame.ts';
import { RpcPeer } from '../../src/ipc/rpc-peer.ts';

export const HELLO = { plugin_name: 'test', plugin_version: '1.0.0' };

/** Two peers past their handshake, joined in memory. */
export async function peerPair(
  server: PeerOptions = {},
  client: PeerOptions = {},
): Promise<{ server: RpcPeer; client: RpcPeer }> {
  const [a, b] = duplexPair();
  const accepted = acceptPeer(a, { kernelVersion: '0.0.0', onPeer: () => undefined, ...server });
  const offered = await offerPeer(b, { hello: HELLO, ...client });
  const peer = await accepted;
  if (!(peer instanceof RpcPeer)) throw new Error('the handshake failed');
  return { server: peer, client: offered };
}

/** Speaks raw frames, as a hostile program would. */
export class RawClient {
  readonly stream: Duplex;
  readonly received: unknown[] = [];
  readonly ended: Promise<void>;
  readonly #waiters: { count: number; resolve: () => void }[] = [];

  constructor(stream: Duplex) {
    this.stream = stream;
    const decoder = new FrameDecoder();
    stream.on('data', (chunk: Buffer) => {
      decoder.push(chunk, (payload) => {
        this.received.push(JSON.parse(payload.toString()));
        return true;
      });
      for (const waiter of this.#waiters) if (this.received.length >= waiter.count) waiter.resolve();
    });
    stream.on('error', () => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    stream.on('close', resolve);
    stream.on('end', resolve);
  }

  send(...values: readonly unknown[]): void {
    this.write(Buffer.concat(values.map((value) => encodeFrame(value))));
  }

  /** One frame of exactly this text. */
  sendText(text: string): void {
    const payload = Buffer.from(text);
    const header = Buffer.alloc(4);
    header.writeUInt32BE(payload.length);
    this.write(Buffer.concat([header, payload]));
  }

  write(bytes: Buffer): void {
    this.stream.write(bytes);
  }

  async waitFor(count: number): Promise<unknown[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.received.length >= count) resolve();
    this.#waiters.push({ count, resolve });
    await promise;
    return this.received;
  }
}

export const handshakeFrame = (version = 1) => ({ type: 'handshake', ...HELLO, syscall_api_version: version });

/** Lengths as they stand before a frame. */
export function lengths(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * words.length);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, 4 * index);
  return bytes;
}

/** A frame with this head and this tail, whatever they say about each other. */
export function tailedFrame(head: unknown, tail: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  return Buffer.concat([lengths(0x8000_0000 + json.length, tail.length), json, tail]);
}
