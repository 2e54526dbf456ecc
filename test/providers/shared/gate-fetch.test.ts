import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EgressEvent, EgressGate } from '../../../src/host/egress-gate/index.ts';
import { openEgressGate, parseHostRule } from '../../../src/host/egress-gate/index.ts';
import { classifyConnectionError } from '../../../src/providers/shared/connection-error.ts';
import type { GateFetch } from '../../../src/providers/shared/gate-fetch.ts';
import { gateFetch } from '../../../src/providers/shared/gate-fetch.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import type { Script } from '../../support/wire/script.ts';
import { turn } from '../../support/wire/script.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';

const tlsDirectory = join(import.meta.dirname, '../../support/tls');
const pem = async (name: string): Promise<string> => await readFile(join(tlsDirectory, name), 'utf8');

let directory: string;
let gate: EgressGate;
let server: WireServer;
let network: GateFetch;
let events: EgressEvent[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-fetch-'));
  events = [];
});

afterEach(async () => {
  network.close();
  await gate.close();
  await server.close();
  await rm(directory, { recursive: true });
});

/** A model behind TLS under a public name: whatever address the gate was told, the connection ends at the scripted server. */
async function start(
  script: Script,
  options: { allow?: string; extraCa?: string[]; stallTimeoutMs?: number } = {},
): Promise<void> {
  server = await startAnthropicServer(script, { tls: { key: await pem('server.key'), cert: await pem('server.pem') } });
  const gatePath = join(directory, 'egress.sock');
  const rule = parseHostRule(options.allow ?? 'models.test:443');
  gate = await openEgressGate({
    socketPath: gatePath,
    allow: rule.kind === 'rule' ? [rule.rule] : [],
    onDecision: (event) => events.push(event),
    resolve: () => Promise.resolve(['93.184.215.14']),
    dial: () => connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true }),
  });
  network = gateFetch({
    gatePath,
    extraCa: options.extraCa ?? [await pem('ca.pem')],
    stallTimeoutMs: options.stallTimeoutMs ?? 10_000,
  });
}

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
const ask = async (host = 'models.test', init: RequestInit = {}): Promise<Response> =>
  await network.fetch(`https://${host}/v1/messages`, { method: 'POST', body, ...init });

async function failureOf(promise: Promise<unknown>) {
  return classifyConnectionError(
    await promise.then(
      () => null,
      (error: unknown) => error,
    ),
  );
}

describe('fetch through the gate', () => {
  test('speaks TLS to the name, end to end, over one kept connection', async () => {
    await start([turn({ text: 'one' }), turn({ text: 'two' })]);
    expect(await (await ask()).text()).toContain('one');
    expect(await (await ask()).text()).toContain('two');
    expect(server.connections()).toBe(1);
    expect(server.requests[0]?.headers['host']).toBe('models.test');
    expect(events).toMatchObject([{ kind: 'allowed', host: 'models.test' }]);
  });

  test('does not trust a certificate without its authority, and does not ask again', async () => {
    await start([], { extraCa: [] });
    const failure = await failureOf(ask());
    expect(failure).toMatchObject({ code: 'connection', retryable: false });
    expect(failure.message).toContain('certificate');
    expect(server.requests).toEqual([]);
  });

  test('sends text alone: a body of another kind is not left out in silence', async () => {
    await start([turn({ text: 'one' })]);
    await expect(ask('models.test', { body: new Uint8Array([1]) })).rejects.toThrow('only text can be sent');
    expect(server.requests).toEqual([]);
  });

  test('does not trust a certificate for another name', async () => {
    await start([], { allow: 'other.test:443' });
    expect(await failureOf(ask('other.test'))).toMatchObject({ code: 'connection', retryable: false });
    expect(server.requests).toEqual([]);
  });

  test('says that the gate refused a host', async () => {
    await start([]);
    expect(await failureOf(ask('evil.test'))).toMatchObject({ code: 'egress_denied', retryable: false });
  });

  test('does not follow a redirect, wherever it leads', async () => {
    await start([
      { kind: 'error', status: 307, type: 'x', message: 'x', headers: { location: 'https://models.test/v1/messages' } },
    ]);
    expect(await failureOf(ask())).toMatchObject({ code: 'protocol', retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  test('a connection that this machine itself refuses fails at once, and names what was tried', async () => {
    await start([]);
    const port = server.port;
    await gate.close();
    await server.close();
    gate = await openEgressGate({
      socketPath: join(directory, 'egress.sock'),
      allow: [{ host: '127.0.0.1', port, reach: 'public' }],
      onDecision: () => undefined,
    });
    const failure = await failureOf(network.fetch(`http://127.0.0.1:${port}/v1`, { method: 'POST', body }));
    expect(failure).toMatchObject({ code: 'connection', retryable: false });
    expect(failure.message).toBe(`nothing listens on 127.0.0.1:${port} (ECONNREFUSED)`);
  });

  test.each([
    ['ENOTFOUND', false],
    ['EAI_AGAIN', true],
  ])(
    'a name that the resolver answers with %s is no refusal; another attempt makes sense: %s',
    async (code, retryable) => {
      await start([]);
      await gate.close();
      gate = await openEgressGate({
        socketPath: join(directory, 'egress.sock'),
        allow: [{ host: 'models.test', port: 443, reach: 'public' }],
        onDecision: () => undefined,
        resolve: () => Promise.reject(Object.assign(new Error('no'), { code })),
      });
      const failure = await failureOf(ask());
      expect(failure).toMatchObject({ code: 'connection', retryable });
      expect(failure.message).toBe(`models.test:443 cannot be reached: its name cannot be resolved (${code})`);
    },
  );

  test('an answer that falls silent is a lost connection', async () => {
    await start([turn({ text: 'slow '.repeat(50), betweenEventsMs: 2_000 })], { stallTimeoutMs: 100 });
    expect(await failureOf(ask().then((answer) => answer.text()))).toMatchObject({
      code: 'connection',
      retryable: true,
    });
  });

  test('no answer at all is a lost connection', async () => {
    await start([{ kind: 'silence' }], { stallTimeoutMs: 100 });
    expect(await failureOf(ask())).toMatchObject({ code: 'connection', retryable: true });
  });

  test('stops when it is told to, before the answer comes', async () => {
    await start([{ kind: 'silence' }]);
    await expect(ask('models.test', { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('stops when it is told to, while the answer comes', async () => {
    await start([turn({ text: 'slow '.repeat(50), betweenEventsMs: 20 })]);
    const controller = new AbortController();
    const answer = await ask('models.test', { signal: controller.signal });
    controller.abort();
    await expect(answer.text()).rejects.toThrow();
  });

  test('asks once more when a kept connection turns out to be closed', async () => {
    await start([turn({ text: 'one' }), { kind: 'drop' }, turn({ text: 'three' })]);
    await (await ask()).text();
    expect(await (await ask()).text()).toContain('three');
    expect(server.requests).toHaveLength(3);
  });

  test('a caller who gives up while the body of an error still comes is told so', async () => {
    const raw = { status: 500, contentType: 'text/plain', body: 'sorry', headers: { 'content-length': '100' } };
    await start([{ kind: 'raw', ...raw }]);
    await expect(ask('models.test', { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
