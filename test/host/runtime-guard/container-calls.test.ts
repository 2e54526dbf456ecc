import { expect, test } from 'vitest';
import { createContainerCalls } from '../../../src/host/runtime-guard/container-calls.ts';
import type { CreateContainerOptions } from '../../../src/host/runtime-guard/create-container.ts';

const ID = 'c'.repeat(64);
const OURS = {
  'fluffy.project': '0123456789abcdef',
  'fluffy.instance': 'aabbccdd',
  'fluffy.role': 'sandbox',
};

/** An engine that has one container with these labels, which this guard did not make. */
function scene(labels: Readonly<Record<string, string>>) {
  const changes: string[] = [];
  const engine = {
    call: (method: string, path: string) => {
      if (method === 'GET') return Promise.resolve({ status: 200, body: { Id: ID, Config: { Labels: labels } } });
      changes.push(`${method} ${path}`);
      return Promise.resolve({ status: 204, body: null });
    },
  };
  const context = { projectId: '0123456789abcdef', instance: 'aabbccdd' };
  const calls = createContainerCalls({ engine, context } as unknown as CreateContainerOptions);
  const { signal } = new AbortController();
  return { changes, act: (action: 'start' | 'stop' | 'kill') => calls.act(ID, action as 'start', {}, signal) };
}

test('a container of an earlier guard is not started: nothing holds the directories that it mounts', async () => {
  const { act, changes } = scene(OURS);
  expect(await act('start')).toEqual({ kind: 'refused', reason: 'not a container made by this guard' });
  expect(changes).toEqual([]);
});

test('a container of an earlier guard can be ended', async () => {
  const { act, changes } = scene(OURS);
  expect(await act('kill')).toEqual({ kind: 'empty', status: 204 });
  expect(changes).toEqual([`POST /containers/${ID}/kill`]);
});

test('a container of another project is not touched', async () => {
  const { act, changes } = scene({ ...OURS, 'fluffy.project': 'fedcba9876543210' });
  expect(await act('kill')).toEqual({ kind: 'refused', reason: 'not a container of this project' });
  expect(changes).toEqual([]);
});
