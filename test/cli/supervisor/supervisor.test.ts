import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProjectKernel } from '../../../src/cli/supervisor/project-kernel.ts';
import { connectSupervisor } from '../../../src/cli/supervisor/client/connect-supervisor.ts';
import { runSupervisor } from '../../../src/cli/supervisor/supervisor.ts';
import { DEFAULT_HOST_SETTINGS } from '../../../src/cli/supervisor/supervisor-options.ts';
import {
  attachResult,
  kernelChange,
  toolchainsResult,
  type KernelChange,
} from '../../../src/cli/supervisor/supervisor-protocol.ts';
import type { RpcPeer } from '../../../src/ipc/index.ts';
import { runtimeDirs } from '../../../src/contracts/host-layout.ts';
import type { PlaceFinding } from '../../../src/contracts/ports/host-services.ts';

const REPLACED: PlaceFinding = { kind: 'replaced', what: 'project', why: '/p is another directory than before' };

let directory: string;
let place: PlaceFinding;
let changes: KernelChange[];
let over: Promise<void>;
let peers: RpcPeer[];
let ending: AbortController;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-supervisor-'));
  place = { kind: 'same' };
  changes = [];
  peers = [];
  ending = new AbortController();
  const kernel: Partial<ProjectKernel> = {
    kernel: { ping: () => Promise.resolve({ pid: 1, sessions: 0 }), stop: () => Promise.resolve() },
    checkPlace: () => Promise.resolve(place),
    close: () => Promise.resolve(),
  };
  over = runSupervisor({
    options: {
      project_root: '/p',
      project_id: 'a'.repeat(16),
      uid: 1000,
      gid: 1000,
      repo_root: '/r',
      settings: DEFAULT_HOST_SETTINGS,
      settings_digest: 'd',
      settings_parts: {},
      toolchain_stamp: 't',
      idle_ms: 600_000,
    },
    runtime: runtimeDirs(directory),
    log: { write: () => undefined, flush: () => Promise.resolve() },
    report: () => undefined,
    start: () => Promise.resolve(kernel as ProjectKernel),
    signal: ending.signal,
  });
  await expect.poll(() => existsSync(runtimeDirs(directory).supervisorSocket)).toBe(true);
});
afterEach(async () => {
  ending.abort();
  await over;
  rmSync(directory, { recursive: true, force: true });
});

async function attach() {
  const peer = await connectSupervisor(runtimeDirs(directory).supervisorSocket, (made) =>
    made.onEvent('kernel.changed', kernelChange, (change) => void changes.push(change)),
  );
  peers.push(peer);
  return peer.request('attach', { settings_digest: 'd' }, { result: attachResult });
}

async function detach(): Promise<void> {
  for (const peer of peers.splice(0)) {
    peer.close();
    await peer.closed;
  }
}

test('whoever attaches to a project in its place gets its kernel', async () => {
  expect(await attach()).toMatchObject({ kind: 'attached' });
});

test('a supervisor whose project was replaced serves nobody, and ends', async () => {
  place = REPLACED;
  expect(await attach()).toEqual({ kind: 'replaced' });
  await over;
});

test.each([
  ['project', 'project_replaced'],
  ['state directory', 'state_replaced'],
] as const)('whoever is attached learns at once when the %s is moved or deleted', async (what, code) => {
  await attach();
  place = { kind: 'replaced', what, why: '/p is no longer there' };
  await over;
  await expect.poll(() => changes).toMatchObject([{ kind: 'given-up', error: { code, why: place.why } }]);
});

test.each([
  ['has the toolchains of today', 't', false, 'same'],
  ['has those of before', 'u', false, 'changed'],
  ['has those of before, and somebody works with them', 'u', true, 'same'],
] as const)('whoever asks is told whether it %s', async (_what, stamp, attached, kind) => {
  await attach();
  const asking = await connectSupervisor(runtimeDirs(directory).supervisorSocket, () => undefined);
  if (!attached) await detach();
  const ask = (): Promise<unknown> => asking.request('toolchains', { stamp }, { result: toolchainsResult });
  await expect.poll(ask).toEqual({ kind });
});
