import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EVALUATE_METHOD, LOAD_METHOD } from '../../../src/contracts/policy-extension.ts';
import type { ExtensionRequest } from '../../../src/contracts/policy-extension.ts';
import type { PolicySandbox } from '../../../src/contracts/ports/policy-sandboxes.ts';
import type { FakeContainer } from './fake-engine.ts';
import { encodeFrame } from '../../../src/ipc/frame.ts';
import { makeManager } from './manager-fixture.ts';
import type { ManagerFixture } from './manager-fixture.ts';

let fixture: ManagerFixture;
beforeEach(async () => {
  fixture = await makeManager();
});
afterEach(() => fixture.close());

const REQUEST: ExtensionRequest = { syscall: 'fs.write', state: 'idle', mode: 'strict', tags: [] };
const ALLOW = { answers: [{ kind: 'answered', name: 'judge', answer: { decision: 'allow' } }] } as const;
const LATE = { answers: [{ kind: 'failed', name: 'judge', failure: 'no answer within 100 ms' }] } as const;
const HELLO = { plugin_name: 'policy-sandbox', plugin_version: '1' };
const NOTHING = { containers: 0, volumes: 0, directories: [] };
const after = <T>(ms: number, value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms, value));

/** Lets what is about to be sent be sent, and nothing be received until then. */
async function busyUntil(monotonicMs: number): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  while (performance.now() < monotonicMs);
}

let container: FakeContainer;

/** A sandbox whose program answers questions so. */
async function open(evaluate: (params: unknown) => unknown): Promise<PolicySandbox> {
  fixture.engine.onStart = (started) => {
    container = started;
    void fixture.connect(started, (peer) => {
      peer.onRequest(LOAD_METHOD, z.unknown(), () => ({ extensions: [{ name: 'judge', failure: null }] }));
      peer.onRequest(EVALUATE_METHOD, z.unknown(), evaluate);
      void started.exited.promise.then(() => peer.close());
    });
  };
  return fixture.manager.policy(new AbortController().signal);
}

test('it is made in its own shape, answers, and leaves nothing', async () => {
  let asked: unknown;
  const sandbox = await open((params) => {
    asked = params;
    return ALLOW;
  });
  expect(container.request).toMatchObject({
    program: 'policy-sandbox',
    template: 'policy-sandbox',
    image: 'policy-sandbox',
    workspace: { kind: 'none' },
  });
  expect(await sandbox.load({ extensions: [{ name: 'judge', source: '' }] }, 1000)).toEqual({
    extensions: [{ name: 'judge', failure: null }],
  });
  expect(await sandbox.evaluate(REQUEST, ['judge'], 100)).toEqual(ALLOW);
  expect(asked).toEqual({ request: REQUEST, names: ['judge'], limit_ms: 100 });
  await sandbox.close();
  expect(await fixture.leftovers()).toEqual(NOTHING);
});

describe('a question', () => {
  test.each<[string, () => unknown]>([
    ['that is never answered', () => new Promise(() => undefined)],
    ['that is answered too late with an allow', () => after(120, ALLOW)],
  ])('%s has no answer', async (_title, evaluate) => {
    const sandbox = await open(evaluate);
    await expect(sandbox.evaluate(REQUEST, ['judge'], 100)).rejects.toThrow('no answer within 100 ms');
  });

  test.each<[string, (params: unknown) => unknown, string]>([
    ['that is answered in another form', () => ({ answers: 'allow' }), 'unexpected form'],
    [
      'that is answered with a decision nobody knows',
      () => ({ answers: [{ kind: 'answered', name: 'judge', answer: { decision: 'yes' } }] }),
      'unexpected form',
    ],
    [
      'that is answered with what a terminal acts on',
      () => ({ answers: [{ kind: 'answered', name: 'judge', answer: { decision: 'allow', reason: '\u001b[2J' } }] }),
      'unexpected form',
    ],
    [
      'that is answered with a megabyte',
      () => ({
        answers: [{ kind: 'answered', name: 'judge', answer: { decision: 'allow', reason: 'x'.repeat(1 << 20) } }],
      }),
      'unexpected form',
    ],
    ['that the program fails on', () => Promise.reject(new Error('boo')), 'internal'],
  ])('%s has no answer', async (_title, evaluate, why) => {
    const sandbox = await open(evaluate);
    await expect(sandbox.evaluate(REQUEST, ['judge'], 5000)).rejects.toThrow(why);
  });

  test('that is late says who was, if that comes right after', async () => {
    const sandbox = await open(() => after(115, LATE));
    expect(await sandbox.evaluate(REQUEST, ['judge'], 100)).toEqual(LATE);
  });

  test('that is answered in time while the kernel is busy has its answer', async () => {
    const limitMs = 400;
    const sandbox = await open(async () => {
      const askedMs = performance.now();
      // What has become due meanwhile comes next, and only then what has been received.
      await new Promise((resolve) => setImmediate(resolve));
      void busyUntil(askedMs + limitMs + 50);
      return ALLOW;
    });
    expect(await sandbox.evaluate(REQUEST, ['judge'], limitMs)).toEqual(ALLOW);
  });

  test('that is answered with what is no frame ends the sandbox, and says so', async () => {
    fixture.engine.onStart = (started) => {
      const socket = fixture.connectRaw(started);
      socket.write(encodeFrame({ ...HELLO, type: 'handshake', syscall_api_version: 1 }));
      socket.on('data', (chunk) => {
        if (chunk.includes(EVALUATE_METHOD)) socket.write(Buffer.from([0x7f, 255, 255, 255]));
      });
    };
    const sandbox = await fixture.manager.policy(new AbortController().signal);
    const why = 'its connection was closed for breaking the protocol: frame too large';
    await expect(sandbox.evaluate(REQUEST, ['judge'], 5000)).rejects.toThrow(why);
    expect(await sandbox.ended).toBe(why);
  });

  test('that its container dies under tells how it died', async () => {
    const sandbox = await open(() => {
      container.exit(137, true);
      return new Promise(() => undefined);
    });
    await expect(sandbox.evaluate(REQUEST, ['judge'], 5000)).rejects.toThrow('it ran out of memory');
    expect(await sandbox.ended).toBe('it ran out of memory');
  });
});

test('why it is closed is told in its record', async () => {
  const sandbox = await open(() => ALLOW);
  await sandbox.close('"judge": no answer within 100 ms');
  expect(fixture.events).toContainEqual(
    expect.objectContaining({ kind: 'failed', reason: '"judge": no answer within 100 ms', program: 'policy-sandbox' }),
  );
  expect(await fixture.leftovers()).toEqual(NOTHING);
});
