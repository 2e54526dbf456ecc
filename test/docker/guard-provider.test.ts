import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { lchown } from 'node:fs/promises';
import { containerRequest, newSandboxId, startGuardFixture, UID, type GuardFixture } from './support/guard-fixture.ts';
import { makeProbeImage } from './support/probe-image.ts';

/** Does what a provider program does: threads of its own, sockets of kernel and host, and nothing of the network. */
const PROVIDER_PROBE = `
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import zlib from 'node:zlib';
import { promisify } from 'node:util';
import { execFileSync } from 'node:child_process';
const out = {};
const attempt = async (name, action) => { try { out[name] = (await action()) ?? true; } catch (error) { out[name] = error.code ?? error.message; } };
const connect = (options) => new Promise((resolve, reject) => { const socket = net.connect(options, () => { socket.destroy(); resolve(true); }); socket.on('error', reject); });
await attempt('threadpool', async () => { await Promise.all(Array.from({ length: 20 }, () => promisify(crypto.pbkdf2)('a', 'b', 10, 16, 'sha256'))); });
await attempt('compression', async () => { await promisify(zlib.gzip)('x'.repeat(1000)); });
await attempt('files', async () => { await fs.promises.readFile('/opt/fluffy/providers/anthropic.mjs'); });
await attempt('kernelSocket', () => connect({ path: '/run/fluffy/kernel.sock' }));
await attempt('egressSocket', () => connect({ path: '/run/fluffy-guard/egress.sock' }));
await attempt('replaceSocket', () => fs.rmSync('/run/fluffy-guard/egress.sock'));
await attempt('internet', () => connect({ host: '127.0.0.1', port: 80 }));
await attempt('spawn', () => { execFileSync('/usr/local/bin/node', ['-e', '']); });
await attempt('write', () => fs.writeFileSync('/tmp/big', Buffer.alloc(17 * 1024 * 1024)));
await attempt('threads', () => Number(/Threads:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) <= 10);
console.log(JSON.stringify(out));
`;

let image: Awaited<ReturnType<typeof makeProbeImage>>;
let fixture: GuardFixture;
beforeAll(async () => {
  image = await makeProbeImage([{ path: '/opt/fluffy/providers/anthropic.mjs', source: PROVIDER_PROBE }]);
});
afterAll(() => image.remove());
const servers: { close(): void }[] = [];
beforeEach(async () => {
  fixture = await startGuardFixture(image.id, {
    openSockets: async ({ directory }) => {
      await listen(join(directory, 'egress.sock'));
      return { attempts: () => [], close: () => Promise.resolve() };
    },
  });
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await fixture.close();
});

async function listen(path: string): Promise<void> {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

test('a provider lives within ten threads, reaches its two sockets, and nothing else', async () => {
  const sandbox = newSandboxId();
  await fixture.prepare(sandbox);
  const kernelSocket = join(fixture.run, 'sbx', sandbox, 'kernel.sock');
  await listen(kernelSocket);
  await lchown(kernelSocket, UID, UID);
  const created = await fixture.ask(
    'POST',
    '/containers/create',
    containerRequest({
      sandbox,
      program: 'provider:anthropic',
      template: 'ai-provider',
      image: 'provider',
      limits: { memory_bytes: 2 ** 28, cpus: 0.5, pids: 10, file_size_bytes: 2 ** 24 },
    }),
  );
  const { Id: id } = JSON.parse(created.text) as { Id: string };
  await fixture.ask('POST', `/containers/${id}/start`);
  expect(await fixture.ask('POST', `/containers/${id}/wait`)).toMatchObject({ text: '{"StatusCode":0}' });
  const { text } = await fixture.ask('GET', `/containers/${id}/logs?stdout=1&stderr=1`);
  const output = JSON.parse(text.slice(text.indexOf('{'))) as Record<string, unknown>;
  expect(output).toMatchObject({
    threadpool: true,
    compression: true,
    files: true,
    kernelSocket: true,
    egressSocket: true,
    replaceSocket: 'EPERM',
    threads: true,
    write: expect.stringMatching(/^(EFBIG|ENOSPC)$/) as string,
  });
  for (const name of ['internet', 'spawn']) expect(output[name]).toMatch(/^(EPERM|EACCES|EAFNOSUPPORT|ENOSYS)$/);
});
