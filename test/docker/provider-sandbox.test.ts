import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IN_L2 } from '../../src/contracts/sandbox/container-paths.ts';
import type { ModelEvent } from '../../src/contracts/model/model.ts';
import { modelEventSchema } from '../../src/contracts/model/model.ts';
import { ensureImages } from '../../src/host/images/ensure-images.ts';
import { findEndpoint, openProviderSockets, providerEndpoints } from '../../src/host/secrets/index.ts';
import { servePeers } from '../../src/ipc/index.ts';
import { request } from '../providers/conformance.ts';
import { collectAnswer } from '../support/collect-answer.ts';
import { bundleProvider } from '../support/provider-child.ts';
import { startAnthropicServer } from '../support/wire/anthropic-server.ts';
import { turn } from '../support/wire/script.ts';
import { runInContainer } from './run-in-container.ts';

const repoRoot = resolve(import.meta.dirname, '../..');
const engine = { socketPath: '/var/run/docker.sock' };

let home = '';
let image = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'fl-'));
  const stateHome = join(home, 'state');
  const { images } = await ensureImages({ engine, stateHome, repoRoot, base: 'host', only: [] });
  image = images['base']?.id ?? '';
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

test('a provider answers from where there is no network, no socket but Unix ones, and no new process', async () => {
  const bundle = await bundleProvider('anthropic', home);
  const kernelDirectory = join(home, 'kernel');
  const socketsDirectory = join(home, 'sockets');
  await mkdir(kernelDirectory);
  await mkdir(socketsDirectory);
  await Promise.all([home, kernelDirectory, socketsDirectory].map((path) => chmod(path, 0o755)));
  await chmod(bundle, 0o644);

  const script = [
    turn({ text: 'From far away. '.repeat(500), calls: [{ tool: 'fs.read', input: { path: 'a' }, id: 'call_1' }] }),
  ];
  const server = await startAnthropicServer(script);
  const env = { FLUFFY_ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-container-test' };
  const unavailable = {
    read: () => Promise.resolve({ kind: 'unavailable' as const }),
    write: () => Promise.resolve('unavailable' as const),
  };
  const sockets = await openProviderSockets({
    directory: socketsDirectory,
    endpoint: findEndpoint(providerEndpoints({}, env), 'anthropic'),
    keys: { env, keysDirectory: join(home, 'keys'), keyring: unavailable },
    log: () => undefined,
  });
  // The guard would hand them to the sandbox's user; only root can, and this test is anybody's.
  for (const name of ['egress.sock', 'secret.sock']) await chmod(join(socketsDirectory, name), 0o666);

  const events: ModelEvent[] = [];
  const kernel = await servePeers(join(kernelDirectory, 'kernel.sock'), {
    mode: 0o666,
    kernelVersion: 'test',
    onPeer: (peer) => {
      peer.onEvent('model.event', modelEventSchema, (event) => events.push(event));
      void peer.request('model.chat', request).finally(() => peer.close());
    },
  });
  const run = await runInContainer(engine, {
    image,
    command: ['/usr/local/bin/node', '--v8-pool-size=1', '/program/anthropic.mjs'],
    seccomp: join(repoRoot, 'seccomp', 'strict.json'),
    binds: [
      `${bundle}:/program/anthropic.mjs:ro`,
      `${kernelDirectory}:${dirname(IN_L2.kernelSocket)}:ro`,
      `${socketsDirectory}:${dirname(IN_L2.egressSocket)}:ro`,
    ],
  });
  await sockets.close();
  await kernel.close();
  await server.close();
  expect(run).toMatchObject({ exitCode: 0 });
  expect(collectAnswer(events)).toMatchObject({
    calls: [{ id: 'call_1', ended: true }],
    ends: [{ stop: 'tool_calls' }],
  });
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-container-test');
});
