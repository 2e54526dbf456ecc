import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAttachments, type Attachments } from '../../../src/cli/supervisor/attachments.ts';
import type { RpcPeer } from '../../../src/ipc/index.ts';

let running: number | null;
let idle: number;
let attachments: Attachments;
beforeEach(() => {
  vi.useFakeTimers();
  running = 0;
  idle = 0;
  attachments = createAttachments({
    idleMs: 1000,
    runningSessions: () => Promise.resolve(running),
    onIdle: () => idle++,
  });
});
afterEach(() => vi.useRealTimers());

/** As much of a connection as is counted. */
function peer(): { readonly peer: RpcPeer; end(): Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const fake: Partial<RpcPeer> = { closed: promise as RpcPeer['closed'] };
  return {
    peer: fake as RpcPeer,
    async end() {
      resolve({ kind: 'local' });
      await promise;
      await Promise.resolve();
    },
  };
}

test('ends when nobody came', async () => {
  attachments.watch();
  await vi.advanceTimersByTimeAsync(999);
  expect(idle).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(idle).toBe(1);
});

test('stays as long as somebody is attached, and the whole time after the last has gone', async () => {
  attachments.watch();
  const [first, second] = [peer(), peer()];
  attachments.add(first.peer);
  attachments.add(second.peer);
  expect(attachments.count).toBe(2);
  await vi.advanceTimersByTimeAsync(5000);
  await first.end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(idle).toBe(0);
  await second.end();
  await vi.advanceTimersByTimeAsync(999);
  expect(idle).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(idle).toBe(1);
});

test('stays as long as a session runs', async () => {
  running = 1;
  attachments.watch();
  await vi.advanceTimersByTimeAsync(10_500);
  expect(idle).toBe(0);
  running = 0;
  await vi.advanceTimersByTimeAsync(500);
  expect(idle).toBe(1);
});

test('ends when the kernel doesn’t say what runs', async () => {
  running = null;
  attachments.watch();
  await vi.advanceTimersByTimeAsync(1000);
  expect(idle).toBe(1);
});

test('asks for nothing after it was stopped', async () => {
  attachments.watch();
  attachments.stop();
  const late = peer();
  attachments.add(late.peer);
  await late.end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(idle).toBe(0);
});
