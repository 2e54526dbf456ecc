import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inspect } from 'node:util';
import type { ServiceSocketEvent } from '../../src/host/secrets/index.ts';
import { findEndpoint, openProviderSockets, providerEndpoints } from '../../src/host/secrets/index.ts';
import { request } from '../providers/conformance.ts';
import { bundleProvider, startProviderChild } from '../support/provider-child.ts';
import { startAnthropicServer } from '../support/wire/anthropic-server.ts';
import type { ScriptedReply, ScriptedRequest } from '../support/wire/script.ts';

const KEY = 'sk-ant-canary-7Fq/9+Zk=';

/** The key in every form that a careless echo would have. */
const FORMS = [
  KEY,
  JSON.stringify(KEY).slice(1, -1),
  encodeURIComponent(KEY),
  Buffer.from(KEY).toString('base64').replace(/=+$/, ''),
  Buffer.from(KEY).toString('base64url').replace(/=+$/, ''),
  Buffer.from(KEY).toString('hex'),
];

function expectNoKey(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form);
}

let directory: string;
let events: ServiceSocketEvent[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fl-'));
  events = [];
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

const noKeyring = {
  read: () => Promise.resolve({ kind: 'unavailable' as const }),
  write: () => Promise.resolve('unavailable' as const),
};

async function openSockets(env: Readonly<Record<string, string>>) {
  return await openProviderSockets({
    directory,
    endpoint: findEndpoint(providerEndpoints({}, env), 'anthropic'),
    keys: { env, keysDirectory: join(directory, 'keys'), keyring: noKeyring },
    log: (event) => events.push(event),
  });
}

async function readAll(path: string): Promise<string> {
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ path });
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

describe('the secret socket', () => {
  test('hands the key to the first and to nobody after', async () => {
    const sockets = await openSockets({ ANTHROPIC_API_KEY: KEY });
    const path = join(directory, 'secret.sock');
    const answers = await Promise.all([readAll(path), readAll(path), readAll(path)]);
    expect(answers.filter((answer) => answer.includes(KEY))).toHaveLength(1);
    expectNoKey(await readAll(path));
    await sockets.close();
  });

  test('is for its owner alone, and gone when closed', async () => {
    const sockets = await openSockets({ ANTHROPIC_API_KEY: KEY });
    const { statSync } = await import('node:fs');
    for (const name of ['secret.sock', 'egress.sock']) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    await sockets.close();
    expect(await readdir(directory)).toEqual([]);
  });

  test('is not opened without a key, and leaves nothing open', async () => {
    await expect(openSockets({})).rejects.toMatchObject({ code: 'provider_key_missing', exitCode: 2 });
    expect(await readdir(directory)).toEqual([]);
  });

  test('reports that the key was fetched, not what it is', async () => {
    const sockets = await openSockets({ ANTHROPIC_API_KEY: KEY });
    await readAll(join(directory, 'secret.sock'));
    await sockets.close();
    expect(events).toEqual([{ kind: 'key-handed-over', provider: 'anthropic' }]);
    expectNoKey(JSON.stringify(events));
  });

  test('no error about a key quotes it', async () => {
    const bad = `${KEY} with a space`;
    const error: unknown = await openSockets({ ANTHROPIC_API_KEY: bad }).catch((thrown: unknown) => thrown);
    expectNoKey(inspect(error, { depth: 10, showHidden: true }));
  });
});

describe('a running provider program', () => {
  let bundles: string;
  let bundle: string;

  beforeAll(async () => {
    bundles = await mkdtemp(join(tmpdir(), 'fluffy-bundle-'));
    bundle = await bundleProvider('anthropic', bundles);
  });

  afterAll(async () => {
    await rm(bundles, { recursive: true });
  });

  /** An endpoint that repeats what it was sent, as some proxies do when they complain. */
  const echoes: readonly (readonly [string, (request: ScriptedRequest) => ScriptedReply])[] = [
    [
      'in an error message',
      ({ headers }) => ({
        kind: 'error',
        status: 401,
        type: 'authentication_error',
        message: `bad key: ${JSON.stringify(headers)}`,
      }),
    ],
    [
      'encoded, in an error message',
      () => ({ kind: 'error', status: 400, type: 'invalid_request_error', message: FORMS.join(' ') }),
    ],
    [
      'in a page',
      ({ headers }) => ({
        kind: 'raw',
        status: 403,
        contentType: 'text/html',
        body: `<pre>${JSON.stringify(headers)}`,
      }),
    ],
    [
      'in a broken stream',
      ({ headers }) => ({
        kind: 'raw',
        status: 200,
        contentType: 'text/event-stream',
        body: `event: message_start\ndata: {"${headers['authorization']}\n\n`,
      }),
    ],
    [
      'in an error event',
      ({ headers }) => ({
        kind: 'turn',
        text: 'x',
        errorAfterEvents: { events: 2, type: 'invalid_request_error', message: `you sent ${headers['authorization']}` },
      }),
    ],
  ];

  test.each(echoes)('tells the kernel and its log no key that the endpoint echoes %s', async (_what, reply) => {
    const server = await startAnthropicServer(reply);
    const env = { FLUFFY_ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
    const child = await startProviderChild({
      bundle,
      endpoint: findEndpoint(providerEndpoints({}, env), 'anthropic'),
      env,
    });
    const answer = await child.chat({ ...request, deadline_ms: 400 });
    expect(server.requests[0]?.headers['authorization']).toContain(KEY);
    expectNoKey(JSON.stringify(answer));
    expect(answer.at(-1)).toMatchObject({ type: 'failed' });
    await child.close();
    expectNoKey(child.output());
    expectNoKey(JSON.stringify(child.socketEvents));
    await server.close();
  });

  test('shows no key in its arguments and environment', async () => {
    const server = await startAnthropicServer([]);
    const env = { FLUFFY_ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
    const child = await startProviderChild({
      bundle,
      endpoint: findEndpoint(providerEndpoints({}, env), 'anthropic'),
      env,
    });
    expectNoKey(await readFile(`/proc/${child.pid}/cmdline`, 'utf8'));
    expectNoKey(await readFile(`/proc/${child.pid}/environ`, 'utf8'));
    await child.close();
    await server.close();
  });
});
