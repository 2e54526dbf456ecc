import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { servePeers } from '../../../src/ipc/index.ts';
import type { RpcPeer } from '../../../src/ipc/index.ts';
import { ToolFailure, definePlugin, defineTool, serve } from '../../../tool-plugins/sdk/index.ts';

let dir: string;
let peer: RpcPeer;
let served: Promise<void>;
let close: () => Promise<void>;

const tool = (name: string, handle: Parameters<typeof defineTool>[1]) =>
  defineTool({ name, description: name, input: z.unknown(), outputMode: 'full' }, handle);

const plugin = definePlugin('test-plugin', 3, [
  defineTool(
    {
      name: 'add',
      description: '',
      input: z.strictObject({ a: z.number(), b: z.number().default(1) }),
      outputMode: 'full',
    },
    async ({ a, b }) => ({ sum: a + b }),
  ),
  tool('fail', async () => {
    throw new ToolFailure('conflict', 'try another name');
  }),
  tool('crash', async () => {
    throw new TypeError('a bug');
  }),
  tool('read', async (input, context) => ({ text: await context.readFile(String(input)) })),
  tool('write', async (input, context) => context.writeFile(String(input), 'written').then(() => ({}))),
  tool('look', async (input, context) => ({
    exists: await context.fileExists(String(input)),
    all: await context.listDir('.'),
  })),
  tool('say', async (_input, { env, sandboxId, pluginName, sessionMode }) => ({
    env,
    sandboxId,
    pluginName,
    sessionMode,
  })),
  tool('run', async (_input, context) => ({ stdout: (await context.run(['pwd'])).stdout })),
]);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'serve-'));
  const socketPath = join(dir, 'kernel.sock');
  const connected = Promise.withResolvers<RpcPeer>();
  const listener = await servePeers(socketPath, {
    mode: 0o600,
    maxTotal: 1,
    kernelVersion: '1',
    admit: (hello) => (hello.plugin_name === 'test-plugin' && hello.plugin_version === '3' ? null : 'unknown'),
    onPeer: (found) => connected.resolve(found),
  });
  close = () => listener.close();
  served = serve(plugin, { socketPath, env: { PATH: process.env['PATH'] ?? '' } });
  peer = await connected.promise;
});
afterEach(async () => {
  await close();
  await served;
  await rm(dir, { recursive: true });
});

const call = (method: string, input: unknown, workspace: string | null = dir): Promise<unknown> =>
  peer.request(method, { input, context: { sandbox_id: 'x_12345678', workspace, session_mode: 'strict' } });

describe('a plugin served by the SDK', () => {
  test('answers calls, with defaults filled in', async () => {
    expect(await call('add', { a: 1 })).toEqual({ sum: 2 });
  });

  test.each([
    ['input that does not fit', 'add', { a: 'x' }, 'invalid_input'],
    ['a failure it chose', 'fail', null, 'conflict'],
    ['a bug of its own', 'crash', null, 'sandbox_failed'],
    ['a tool it does not have', 'none', null, 'unknown_method'],
    ['a path that leaves', 'read', '../x', 'path_refused'],
  ])('answers %s with a code', async (_name, method, input, code) => {
    await expect(call(method, input)).rejects.toMatchObject({ code });
  });

  test('goes on after a failure', async () => {
    await call('crash', null).catch(() => null);
    expect(await call('add', { a: 2, b: 3 })).toEqual({ sum: 5 });
  });

  test('reads and writes in the workspace only', async () => {
    await writeFile(join(dir, 'inside'), 'text');
    await symlink('/etc/hostname', join(dir, 'link'));
    expect(await call('read', 'inside')).toEqual({ text: 'text' });
    await expect(call('read', 'link')).rejects.toMatchObject({ code: 'path_refused' });
    await expect(call('write', 'link')).rejects.toMatchObject({ code: 'path_refused' });
    await call('write', 'new/file');
    expect(await readFile(join(dir, 'new/file'), 'utf8')).toBe('written');
    expect(await call('look', 'new')).toEqual({
      exists: true,
      all: ['inside', 'kernel.sock', 'link', 'new'].filter((name) => name !== 'kernel.sock'),
    });
  });

  test('runs programs in the workspace', async () => {
    expect(await call('run', null)).toEqual({ stdout: `${dir}\n` });
  });

  test('knows what the call says about it, and its own environment', async () => {
    expect(await call('say', null)).toEqual({
      env: { PATH: process.env['PATH'] },
      sandboxId: 'x_12345678',
      pluginName: 'test-plugin',
      sessionMode: 'strict',
    });
  });

  test('says so when there is no workspace', async () => {
    await expect(call('read', 'inside', null)).rejects.toMatchObject({ code: 'sandbox_failed' });
  });

  test('ends when the kernel hangs up', async () => {
    peer.close();
    await served;
  });
});
