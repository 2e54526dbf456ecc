import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FluffyError } from '../../src/contracts/fluffy-error.ts';
import { acceptPeer } from '../../src/ipc/handshake.ts';
import type { PeerOptions } from '../../src/ipc/handshake.ts';
import { RpcFailure } from '../../src/ipc/rpc-failure.ts';
import { RpcPeer } from '../../src/ipc/rpc-peer.ts';
import { RawClient, handshakeFrame, peerPair } from './peer-pair.ts';

const anything = z.unknown();

async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error instanceof RpcFailure ? error.outcome : error;
  }
}

async function rawAgainstPeer(options: PeerOptions = {}): Promise<{ raw: RawClient; peer: RpcPeer }> {
  const [a, b] = duplexPair();
  const accepted = acceptPeer(a, { kernelVersion: '0', onPeer: () => undefined, ...options });
  const raw = new RawClient(b);
  raw.send(handshakeFrame());
  await raw.waitFor(1);
  const peer = await accepted;
  if (!(peer instanceof RpcPeer)) throw new Error('the handshake failed');
  return { raw, peer };
}

describe('a request', () => {
  it('is answered with the result, checked against its schema', async () => {
    const { server, client } = await peerPair();
    server.onRequest('add', z.strictObject({ a: z.number(), b: z.number() }), ({ a, b }) => Promise.resolve(a + b));
    expect(await client.request('add', { a: 1, b: 2 }, { result: z.number() })).toBe(3);
    expect(await outcomeOf(client.request('add', { a: 1, b: 2 }, { result: z.string() }))).toMatchObject({
      kind: 'invalid-result',
    });
  });

  it('goes both ways at once', async () => {
    const { server, client } = await peerPair();
    client.onRequest('name', anything, () => 'client');
    server.onRequest('greet', anything, async (_params, { peer }) => `hello ${String(await peer.request('name', {}))}`);
    expect(await client.request('greet', {})).toBe('hello client');
  });

  it('is answered out of order when an earlier one takes longer', async () => {
    const { server, client } = await peerPair();
    const slow = Promise.withResolvers<string>();
    server.onRequest('slow', anything, () => slow.promise);
    server.onRequest('fast', anything, () => 'fast');
    const first = client.request('slow', {});
    expect(await client.request('fast', {})).toBe('fast');
    slow.resolve('slow');
    expect(await first).toBe('slow');
  });

  it.each<[string, () => unknown, object]>([
    [
      'a refusal',
      () => {
        throw RpcFailure.refused('path_refused', 'outside the project', true);
      },
      { code: 'path_refused', message: 'outside the project', retryable: true },
    ],
    [
      'an error for people',
      () => {
        throw new FluffyError({ code: 'disk_full', what: 'W', why: 'Y', fix: 'F', exitCode: 1 });
      },
      { code: 'disk_full', message: 'W\nReason: Y\nFix: F', retryable: false },
    ],
    [
      'an unforeseen exception, without its text',
      () => Promise.reject(new Error('ENOENT /home/ada/.ssh/id_ed25519')),
      { code: 'internal', message: 'the request failed for a reason of its own', retryable: false },
    ],
    [
      'a result that cannot be sent',
      () => 'x'.repeat(9 * 1024 * 1024),
      expect.objectContaining({ code: 'ipc_unsendable' }) as object,
    ],
  ])('whose handler ends in %s gets exactly that', async (_name, handle, error) => {
    const { server, client } = await peerPair();
    server.onRequest('do', anything, handle);
    expect(await outcomeOf(client.request('do', {}))).toEqual({ kind: 'refused', error });
    expect(server.open).toBe(true);
  });

  it('reports an unforeseen exception of its handler to this side', async () => {
    const faults: unknown[] = [];
    const { server, client } = await peerPair({ onHandlerFault: (method, thrown) => faults.push([method, thrown]) });
    const thrown = new TypeError('a bug');
    server.onRequest('do', anything, () => Promise.reject(thrown));
    await outcomeOf(client.request('do', {}));
    expect(faults).toEqual([['do', thrown]]);
  });

  it('of an unknown method or with wrong params is refused, and the connection goes on', async () => {
    const { server, client } = await peerPair();
    server.onRequest('known', z.strictObject({ n: z.number() }), ({ n }) => n);
    const refused = (code: string) => ({ kind: 'refused', error: { code, retryable: false } });
    expect(await outcomeOf(client.request('unknown', {}))).toMatchObject(refused('unknown_method'));
    expect(await outcomeOf(client.request('known', { n: 1, extra: 1 }))).toMatchObject(refused('invalid_params'));
    expect(await outcomeOf(client.request('known', { n: '1' }))).toMatchObject(refused('invalid_params'));
    expect(await client.request('known', { n: 1 })).toBe(1);
  });

  it('that times out rejects, tells the other side, and its late answer is dropped', async () => {
    const { server, client } = await peerPair();
    const aborted = Promise.withResolvers<void>();
    const late = Promise.withResolvers<string>();
    server.onRequest('wait', anything, (_params, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return late.promise;
    });
    server.onRequest('ping', anything, () => 'pong');
    expect(await outcomeOf(client.request('wait', {}, { timeoutMs: 10 }))).toEqual({ kind: 'timed-out', afterMs: 10 });
    await aborted.promise;
    late.resolve('too late');
    expect(await client.request('ping', {})).toBe('pong');
    expect(client.open).toBe(true);
  });

  it('that is aborted rejects with the reason of its signal', async () => {
    const { server, client } = await peerPair();
    server.onRequest('wait', anything, () => new Promise(() => undefined));
    const controller = new AbortController();
    const reason = new Error('the user pressed Escape');
    const request = client.request('wait', {}, { signal: controller.signal });
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    await expect(client.request('wait', {}, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('rejects when the connection ends, and its handler is told', async () => {
    const { server, client } = await peerPair();
    const started = Promise.withResolvers<AbortSignal>();
    server.onRequest('wait', anything, (_params, { signal }) => {
      started.resolve(signal);
      return new Promise(() => undefined);
    });
    const request = outcomeOf(client.request('wait', {}));
    const signal = await started.promise;
    client.close();
    expect(await request).toEqual({ kind: 'closed', reason: { kind: 'local' } });
    expect(await server.closed).toEqual({ kind: 'remote' });
    expect(signal.aborted).toBe(true);
    expect(await outcomeOf(client.request('wait', {}))).toEqual({ kind: 'closed', reason: { kind: 'local' } });
  });

  it('over the limit of waiting ones rejects at once', async () => {
    const { server, client } = await peerPair({}, { maxWaiting: 2 });
    const gate = Promise.withResolvers<string>();
    server.onRequest('wait', anything, () => gate.promise);
    const waiting = [client.request('wait', {}), client.request('wait', {})];
    expect(await outcomeOf(client.request('wait', {}))).toEqual({ kind: 'too-many-requests' });
    gate.resolve('done');
    expect(await Promise.all(waiting)).toEqual(['done', 'done']);
    expect(await client.request('wait', {})).toBe('done');
  });

  it('over the limit of handled ones is answered busy', async () => {
    const { server, client } = await peerPair({ maxHandling: 1 });
    const gate = Promise.withResolvers<string>();
    server.onRequest('wait', anything, () => gate.promise);
    const first = client.request('wait', {});
    expect(await outcomeOf(client.request('wait', {}))).toMatchObject({ error: { code: 'busy', retryable: true } });
    gate.resolve('done');
    expect(await first).toBe('done');
  });
});

describe('an event', () => {
  it('arrives in order and in full, however many there are', async () => {
    const { server, client } = await peerPair();
    const seen: number[] = [];
    const all = Promise.withResolvers<void>();
    client.onEvent('count', z.number(), (n) => {
      seen.push(n);
      if (seen.length === 2_000) all.resolve();
    });
    for (let n = 0; n < 2_000; n += 1) if (!server.notify('count', n)) await server.drained();
    await all.promise;
    expect(seen).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
  });

  it('nobody listens to is ignored', async () => {
    const { server, client } = await peerPair();
    server.onRequest('ping', anything, () => 'pong');
    client.notify('unheard', {});
    expect(await client.request('ping', {})).toBe('pong');
  });

  it('of a wrong form ends the connection', async () => {
    const { server, client } = await peerPair();
    server.onEvent('known', z.strictObject({ n: z.number() }), () => expect.unreachable());
    client.notify('known', { n: 'one' });
    expect(await server.closed).toEqual({ kind: 'violation', rule: 'an ill-formed event known' });
  });

  it('whose listener throws harms nobody else', async () => {
    const faults: string[] = [];
    const { server, client } = await peerPair({ onHandlerFault: (method) => faults.push(method) });
    server.onEvent('bad', anything, () => {
      throw new Error('a bug in a listener');
    });
    server.onRequest('ping', anything, () => 'pong');
    client.notify('bad', {});
    expect(await client.request('ping', {})).toBe('pong');
    expect(faults).toEqual(['bad']);
  });
});

describe('a reader that does not read', () => {
  it('slows the sender down, then loses the connection before memory is lost', async () => {
    const [a, b] = duplexPair();
    const accepted = acceptPeer(a, { kernelVersion: '0', onPeer: () => undefined, maxUnsentBytes: 1_000_000 });
    const raw = new RawClient(b);
    raw.send(handshakeFrame());
    await raw.waitFor(1);
    const peer = await accepted;
    if (!(peer instanceof RpcPeer)) throw new Error('the handshake failed');
    b.pause();
    expect(peer.notify('flood', 'x'.repeat(200_000))).toBe(false);
    let sent = 1;
    while (peer.open && sent < 100) {
      peer.notify('flood', 'x'.repeat(200_000));
      sent += 1;
    }
    expect(await peer.closed).toEqual({ kind: 'violation', rule: 'does not read what it is sent' });
    expect(sent).toBeLessThan(10);
    await peer.drained();
  });
});

describe('a peer that breaks the protocol', () => {
  const request = { type: 'request', id: '1', method: 'wait' };
  it.each<[string, readonly unknown[], string]>([
    ['answers what nobody asked', [{ type: 'response', id: 'x', result: 1 }], 'a response to no request'],
    ['uses an id twice at once', [request, request], 'two requests under one id'],
    ['adds a field', [{ ...request, admin: true }], 'a message of unknown form'],
    ['invents a type', [{ type: 'command', id: '1' }], 'a message of unknown form'],
    ['sends a second handshake', [handshakeFrame()], 'a message of unknown form'],
    ['sends no object', ['hello'], 'a message of unknown form'],
    ['cancels nothing in particular', [{ type: 'event', method: 'rpc.cancel' }], 'a cancel without an id'],
  ])('and %s loses its connection', async (_name, frames, rule) => {
    const { raw, peer } = await rawAgainstPeer();
    peer.onRequest('wait', anything, () => new Promise(() => undefined));
    raw.send(...frames);
    expect(await peer.closed).toEqual({ kind: 'violation', rule });
    await raw.ended;
  });

  it('by answering twice loses its connection after the first answer counted', async () => {
    const { raw, peer } = await rawAgainstPeer();
    const answer = peer.request('ask', {});
    const [, asked] = await raw.waitFor(2);
    const { id } = z.looseObject({ id: z.string() }).parse(asked);
    raw.send({ type: 'response', id, result: 'first' }, { type: 'response', id, result: 'second' });
    expect(await answer).toBe('first');
    expect(await peer.closed).toEqual({ kind: 'violation', rule: 'a response to no request' });
  });

  it('by answering with both result and error loses its connection', async () => {
    const { raw, peer } = await rawAgainstPeer();
    const answer = outcomeOf(peer.request('ask', {}));
    const [, asked] = await raw.waitFor(2);
    const { id } = z.looseObject({ id: z.string() }).parse(asked);
    raw.send({ type: 'response', id, result: 1, error: { code: 'x', message: 'y', retryable: false } });
    expect(await answer).toMatchObject({ kind: 'closed', reason: { kind: 'violation' } });
  });
});
