import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_VERSION } from '../../src/contracts/ipc-message.ts';
import { acceptPeer, offerPeer } from '../../src/ipc/handshake.ts';
import type { AcceptOptions } from '../../src/ipc/handshake.ts';
import { RpcPeer } from '../../src/ipc/rpc-peer.ts';
import { HELLO, RawClient, handshakeFrame } from './peer-pair.ts';

function start(options: Partial<AcceptOptions> = {}) {
  const [a, b] = duplexPair();
  const accepted = acceptPeer(a, { kernelVersion: '9.9.9', onPeer: () => undefined, ...options });
  return { accepted, clientSide: b };
}

describe('the handshake', () => {
  it.each([API_VERSION - 1, API_VERSION])('agrees on version %i', async (version) => {
    const { accepted, clientSide } = start();
    const raw = new RawClient(clientSide);
    raw.send(handshakeFrame(version));
    expect(await raw.waitFor(1)).toEqual([
      {
        type: 'handshake_ack',
        kernel_version: '9.9.9',
        supported_api_versions: [API_VERSION - 1, API_VERSION],
        negotiated_api_version: version,
      },
    ]);
    expect(await accepted).toBeInstanceOf(RpcPeer);
  });

  it.each([API_VERSION - 2, API_VERSION + 1])('refuses version %i and says which are spoken', async (version) => {
    const { accepted, clientSide } = start();
    await expect(offerPeer(clientSide, { hello: HELLO, apiVersion: version })).rejects.toMatchObject({
      code: 'ipc_handshake_failed',
      why: expect.stringContaining(`${API_VERSION - 1} to ${API_VERSION} are`) as string,
    });
    expect(await accepted).toEqual({ kind: 'local' });
  });

  it('refuses whoever is not admitted, with the reason', async () => {
    const { clientSide } = start({ admit: (hello) => (hello.plugin_name === 'test' ? 'tests are not welcome' : null) });
    await expect(offerPeer(clientSide, { hello: HELLO })).rejects.toMatchObject({ why: 'tests are not welcome' });
  });

  it('hears nothing from a refused program that goes on speaking', async () => {
    const { accepted, clientSide } = start({ onPeer: () => expect.unreachable() });
    const raw = new RawClient(clientSide);
    raw.send(handshakeFrame(99), handshakeFrame(), { type: 'request', id: '1', method: 'x' });
    await raw.ended;
    expect(raw.received).toHaveLength(1);
    expect(await accepted).toEqual({ kind: 'local' });
  });

  it.each([
    ['a request', { type: 'request', id: '1', method: 'kernel.ping', params: {} }],
    ['a handshake with something extra', { ...handshakeFrame(), admin: true }],
    ['a handshake without a version', { type: 'handshake', ...HELLO }],
    ['nothing much', null],
  ])('ends the connection when the first frame is %s', async (_name, frame) => {
    const { accepted, clientSide } = start();
    const raw = new RawClient(clientSide);
    raw.send(frame);
    await raw.ended;
    expect(raw.received).toEqual([]);
    expect(await accepted).toEqual({ kind: 'violation', rule: 'a first frame that is no handshake' });
  });

  it('has a deadline on both sides', async () => {
    const silentClient = start({ handshakeMs: 20 });
    expect(await silentClient.accepted).toEqual({ kind: 'violation', rule: 'no handshake in time' });
    const [, silentServer] = duplexPair();
    await expect(offerPeer(silentServer, { hello: HELLO, handshakeMs: 20 })).rejects.toMatchObject({
      code: 'ipc_handshake_failed',
    });
  });

  it.each([
    [1, 0],
    [2, 1],
  ])('lets long texts travel in tails from version 2 on: in version %i the top bit is %i', async (version, topBit) => {
    const text = 'long '.repeat(2_000);
    const { accepted, clientSide } = start({ onPeer: (peer) => peer.onRequest('echo', z.string(), (said) => said) });
    const firstBytes: number[] = [];
    clientSide.on('data', (chunk: Buffer) => firstBytes.push(chunk[0] ?? 0));
    const client = await offerPeer(clientSide, { hello: HELLO, apiVersion: version });
    expect(await client.request('echo', text)).toBe(text);
    expect(await accepted).toBeInstanceOf(RpcPeer);
    // The acknowledgement is plain in every version; the answer follows it.
    expect(firstBytes.map((byte) => byte >> 7)).toEqual([0, topBit]);
  });

  it('does not accept a version it never offered', async () => {
    const [a, b] = duplexPair();
    const raw = new RawClient(a);
    raw.send({ type: 'handshake_ack', kernel_version: '1', supported_api_versions: [0, 1], negotiated_api_version: 0 });
    await expect(offerPeer(b, { hello: HELLO })).rejects.toMatchObject({ code: 'ipc_handshake_failed' });
  });

  it('registers handlers before the frames behind it are looked at', async () => {
    const { clientSide } = start({
      onPeer: (peer) => peer.onRequest('late', z.strictObject({}), () => 'not too late'),
    });
    const raw = new RawClient(clientSide);
    raw.send(handshakeFrame(), { type: 'request', id: '1', method: 'late', params: {} });
    const [, answer] = await raw.waitFor(2);
    expect(answer).toEqual({ type: 'response', id: '1', result: 'not too late' });
  });
});
