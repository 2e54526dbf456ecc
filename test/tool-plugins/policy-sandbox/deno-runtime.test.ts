import { beforeAll, expect, test, vi } from 'vitest';
import type * as Runtime from '../../../tool-plugins/policy-sandbox/deno-runtime.ts';

const made: { readonly url: string; readonly options: unknown }[] = [];
const revoked: unknown[] = [];
let state = 'prompt';
let runtime: typeof Runtime;

class FakeWorker {
  onmessageerror: () => void = () => undefined;
  onerror: (event: object) => void = () => undefined;

  constructor(url: string, options: unknown) {
    made.push({ url, options });
    worker = this;
  }
}
let worker: FakeWorker;

beforeAll(async () => {
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('Deno', {
    permissions: {
      revoke: (descriptor: unknown) => {
        revoked.push(descriptor);
        return Promise.resolve({ state });
      },
    },
  });
  runtime = await import('../../../tool-plugins/policy-sandbox/deno-runtime.ts');
  return () => vi.unstubAllGlobals();
});

test('the worker of an extension has no permission', () => {
  runtime.isolatedWorker('judge');
  expect(made).toEqual([
    {
      url: expect.stringMatching(/\/extension-worker\.mjs$/) as string,
      options: { type: 'module', name: 'judge', deno: { permissions: 'none' } },
    },
  ]);
});

test('what cannot be read from it counts as an answer without sense, and what it throws ends nothing else', () => {
  const heard: unknown[] = [];
  const isolated = runtime.isolatedWorker('judge');
  isolated.onMessage((data) => heard.push(data));
  isolated.onError((message) => heard.push(message));
  worker.onmessageerror();
  worker.onerror({ message: 'boo', preventDefault: () => heard.push('prevented') });
  expect(heard).toEqual([null, 'prevented', 'boo']);
});

test('every permission that the guard gives is given back', async () => {
  await runtime.revokeAll();
  expect(revoked).toEqual([{ name: 'read' }, { name: 'write' }, { name: 'net' }]);
});

test('one that stays is an error', async () => {
  state = 'granted';
  await expect(runtime.revokeAll()).rejects.toThrow('could not be given back');
});
