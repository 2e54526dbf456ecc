import { randomBytes } from 'node:crypto';
import { lchown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAndStart, removeLabelled } from '../../src/bootstrap/container-life.ts';
import type { L1Options } from '../../src/bootstrap/l1-container.ts';
import {
  startKernel,
  TIMING,
  type KernelEvent,
  type KernelHandle,
  type Timing,
} from '../../src/bootstrap/start-kernel.ts';
import { createEngineClient } from '../../src/host/runtime-guard/engine-client.ts';
import { connectPeer } from '../../src/ipc/index.ts';
import { FAKE_KERNEL } from './support/fake-kernel.ts';
import { pinnedPaths } from '../../src/host/pinned-paths.ts';
import { ENGINE, UID } from './support/guard-fixture.ts';
import { makeProbeImage } from './support/probe-image.ts';

/** For the test that waits until it counts as hanging; on a busy machine a sound kernel is late by as much. */
const QUICK = { ...TIMING, pingEveryMs: 50, pingTimeoutMs: 200, missedPings: 2 };
const client = createEngineClient(ENGINE);

let image: Awaited<ReturnType<typeof makeProbeImage>>;
let root: string;
let l1: L1Options;
let kernel: KernelHandle | undefined;
beforeAll(async () => {
  image = await makeProbeImage([{ path: '/opt/fluffy/kernel/kernel.mjs', source: FAKE_KERNEL }]);
});
afterAll(() => image.remove());
beforeEach(async () => {
  root = await realpath(await mkdtemp('/tmp/fluffy-boot-'));
  for (const name of ['project, with:marks', 'state', 'run']) {
    await mkdir(join(root, name), { mode: 0o700 });
    await lchown(join(root, name), UID, UID);
  }
  const label = randomBytes(6).toString('hex');
  l1 = {
    name: `fluffy-boot-${label}`,
    image: image.id,
    labels: { 'fluffy.boot-test': label },
    uid: UID,
    gid: UID,
    project: join(root, 'project, with:marks'),
    state: join(root, 'state'),
    run: join(root, 'run'),
    seccomp: await readFile(join(import.meta.dirname, '../../seccomp/standard.json'), 'utf8'),
    kernelOptions: '{}',
    memoryLimitBytes: 128 * 1024 * 1024,
  };
});
afterEach(async () => {
  await kernel?.stop();
  kernel = undefined;
  await removeLabelled(ENGINE, l1.labels);
  await rm(root, { recursive: true, force: true });
});

const cliSocket = (): string => join(root, 'run/cli.sock');

async function ask(method: string, params: unknown = {}): Promise<unknown> {
  const peer = await connectPeer(cliSocket(), { hello: { plugin_name: 'test', plugin_version: '1' } });
  try {
    return await peer.request(method, params);
  } finally {
    peer.close();
  }
}

async function containers(): Promise<{ Id: string }[]> {
  const filters = encodeURIComponent(
    JSON.stringify({ label: Object.entries(l1.labels).map(([name, value]) => `${name}=${value}`) }),
  );
  return (await client.call('GET', `/containers/json?all=1&filters=${filters}`)).body as { Id: string }[];
}

/** Starts, and lets the test wait for the next event of a kind. */
async function start(timing?: Timing): Promise<(kind: KernelEvent['kind']) => Promise<KernelEvent>> {
  const seen: KernelEvent[] = [];
  const waiting: { kind: string; resolve: (event: KernelEvent) => void }[] = [];
  const onEvent = (event: KernelEvent): void => {
    const at = waiting.findIndex(({ kind }) => kind === event.kind);
    if (at < 0) seen.push(event);
    else waiting.splice(at, 1)[0]?.resolve(event);
  };
  kernel = await startKernel({
    engine: ENGINE,
    l1,
    pinned: () => pinnedPaths(l1.project, null),
    cliSocket: cliSocket(),
    onEvent,
    ...(timing === undefined ? {} : { timing }),
  });
  return (kind) => {
    const at = seen.findIndex((event) => event.kind === kind);
    if (at >= 0) return Promise.resolve(seen.splice(at, 1)[0] as KernelEvent);
    return new Promise((resolve) => waiting.push({ kind, resolve }));
  };
}

test('the engine really gave L1 what was requested', async () => {
  const next = await start();
  const started = await next('started');
  const id = started.kind === 'started' ? started.containerId : '';
  const { body } = await client.call('GET', `/containers/${id}/json`);
  const { HostConfig, Mounts, Config } = body as {
    HostConfig: Record<string, unknown>;
    Mounts: { Destination: string; RW: boolean; Type: string; Source: string }[];
    Config: Record<string, unknown>;
  };
  expect(HostConfig).toMatchObject({
    NetworkMode: 'none',
    IpcMode: 'private',
    PidMode: '',
    UTSMode: '',
    UsernsMode: '',
    CgroupnsMode: 'private',
    Privileged: false,
    ReadonlyRootfs: true,
    CapAdd: [],
    CapDrop: ['ALL'],
    Memory: 128 * 1024 * 1024,
    MemorySwap: 128 * 1024 * 1024,
    PidsLimit: 256,
    Init: false,
    RestartPolicy: { Name: 'no' },
  });
  expect(HostConfig['SecurityOpt']).toEqual(['no-new-privileges', `seccomp=${l1.seccomp}`]);
  expect(Config).toMatchObject({ User: '1000:1000', Cmd: ['/opt/fluffy/kernel/kernel.mjs'] });
  expect(Mounts.map(({ Source, Destination, RW }) => [Source, Destination, RW]).sort()).toEqual(
    [
      [l1.project, l1.project, true],
      [l1.run, '/run/fluffy', true],
      [l1.state, '/var/lib/fluffy', true],
    ].sort(),
  );
  expect(await ask('test.write', { path: join(l1.project, 'x'), text: '' })).toBe('written');
  expect(await ask('test.write', { path: '/opt/fluffy/x', text: '' })).toBe('EROFS');
});

test("git's hooks and configuration are out of a kernel's reach, and so is the directory they are in", async () => {
  const git = join(l1.project, '.git');
  await mkdir(join(git, 'hooks'), { recursive: true });
  await writeFile(join(git, 'config'), '[core]\n');
  for (const path of [git, join(git, 'hooks'), join(git, 'config')]) await lchown(path, UID, UID);
  await (
    await start()
  )('started');
  expect(await ask('test.write', { path: join(git, 'HEAD'), text: '' })).toBe('written');
  expect(await ask('test.write', { path: join(git, 'config'), text: 'x' })).toBe('EROFS');
  expect(await ask('test.write', { path: join(git, 'hooks/post-checkout'), text: 'x' })).toBe('EROFS');
  expect(await ask('test.rename', { from: git, to: `${git}-away` })).toBe('EBUSY');
  expect(await ask('test.rename', { from: join(git, 'hooks'), to: join(git, 'hooks-away') })).toBe('EBUSY');
});

test('a kernel that hangs is killed and replaced', async () => {
  const next = await start(QUICK);
  await next('started');
  void ask('test.hang').catch(() => undefined);
  expect(await next('crashed')).toMatchObject({ why: expect.stringContaining('gave no pong 2 times') as string });
  await next('restarted');
  expect(await kernel?.ping()).toEqual({ pid: 1, sessions: 0 });
  expect(await containers()).toHaveLength(1);
});

test('a kernel that is killed from outside is replaced', async () => {
  const next = await start();
  const started = await next('started');
  const id = started.kind === 'started' ? started.containerId : '';
  await client.call('POST', `/containers/${id}/kill`);
  expect(await next('crashed')).toMatchObject({ why: expect.stringContaining('(exit code 137)') as string });
  const again = await next('restarted');
  expect(again).not.toMatchObject({ containerId: id });
});

test('a kernel of a supervisor that died is removed first', async () => {
  const orphan = await createAndStart(ENGINE, { ...l1, name: `${l1.name}-orphan` });
  await writeFile(join(root, 'state/kept'), '');
  await start();
  const ids = (await containers()).map(({ Id }) => Id);
  expect(ids).toHaveLength(1);
  expect(ids).not.toContain(orphan);
  expect(await readFile(join(root, 'state/kept'), 'utf8')).toBe('');
});

test('stopping removes the container, and no event follows', async () => {
  const events: KernelEvent['kind'][] = [];
  const onEvent = ({ kind }: KernelEvent): void => void events.push(kind);
  kernel = await startKernel({
    engine: ENGINE,
    l1,
    pinned: () => pinnedPaths(l1.project, null),
    cliSocket: cliSocket(),
    onEvent,
  });
  await kernel.stop();
  expect(await containers()).toEqual([]);
  expect(events).toEqual(['started']);
});
