import { beforeAll, expect, test, vi } from 'vitest';
import type * as Runtime from '../../../tool-plugins/policy-sandbox/deno-runtime.ts';

const made: { readonly url: string; readonly options: unknown }[] = [];
const revoked: unknown[] = [];
let state = 'prompt';
let runtime: typeof Runtime;

class FakeWorker {
  constructor(url: string, options: unknown) {
    made.push({ url, options });
  }
}

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

test('every permission that the guard gives is given back', async () => {
  await runtime.revokeAll();
  expect(revoked).toEqual([{ name: 'read' }, { name: 'write' }, { name: 'net' }]);
});

test('one that stays is an error', async () => {
  state = 'granted';
  await expect(runtime.revokeAll()).rejects.toThrow('could not be given back');
});
