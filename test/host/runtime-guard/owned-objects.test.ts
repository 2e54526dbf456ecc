import { describe, expect, test } from 'vitest';
import type { EngineAnswer, EngineClient } from '../../../src/host/runtime-guard/engine-client.ts';
import { objectsOfInstance, removeObjects } from '../../../src/host/runtime-guard/instance-objects.ts';
import { listContainers, listVolumes, removeAllOwned } from '../../../src/host/runtime-guard/owned-objects.ts';

const CONTEXT = { projectId: '0123456789abcdef', instance: 'aabbccdd' } as Parameters<typeof listContainers>[1];
const OURS = { 'fluffy.project': '0123456789abcdef', 'fluffy.instance': 'aabbccdd', 'fluffy.role': 'sandbox' };
/** What an engine that does not know the filter would answer with as well. */
const OTHERS = [
  { ...OURS, 'fluffy.project': 'fedcba9876543210' },
  { ...OURS, 'fluffy.instance': '11223344' },
  { ...OURS, 'fluffy.project': '../../etc' },
  null,
];

function engineWith(answers: Readonly<Record<string, EngineAnswer>>): { engine: EngineClient; removed: string[] } {
  const removed: string[] = [];
  const engine = {
    call: (method: string, path: string) => {
      const [place = ''] = path.split('?');
      if (method === 'DELETE') removed.push(place);
      return Promise.resolve(
        method === 'DELETE' ? { status: 204, body: null } : (answers[place] ?? { status: 404, body: {} }),
      );
    },
    stream: () => Promise.reject(new Error('no stream is read')),
  };
  return { engine, removed };
}

const containers = [OURS, { ...OURS, 'fluffy.role': 'kernel' }, ...OTHERS].map((Labels, n) => ({
  Id: `c${n}`,
  State: 'running',
  Labels,
}));
const volumes = [OURS, { ...OURS, 'fluffy.role': 'directory' }, ...OTHERS].map((Labels, n) => ({
  Name: `v${n}`,
  Labels,
}));
const LISTED = {
  '/containers/json': { status: 200, body: containers },
  '/volumes': { status: 200, body: { Volumes: volumes } },
};

test('only sandboxes of this project and instance are listed, with our labels alone', async () => {
  const { engine } = engineWith(LISTED);
  const labels = { 'fluffy.project': OURS['fluffy.project'], 'fluffy.role': 'sandbox' };
  expect(await listContainers(engine, CONTEXT)).toEqual([{ Id: 'c0', State: 'running', Labels: labels }]);
  expect(await listVolumes(engine, CONTEXT)).toEqual([{ Name: 'v0', Labels: labels }]);
});

test('the end of a guard removes its sandboxes and all volumes behind them, nothing else', async () => {
  const { engine, removed } = engineWith(LISTED);
  expect(await removeAllOwned(engine, CONTEXT)).toBe(3);
  expect(removed).toEqual(['/containers/c0', '/volumes/v0', '/volumes/v1']);
});

test('what one state directory has is found by project, the kernel included', async () => {
  const { engine, removed } = engineWith(LISTED);
  const found = await objectsOfInstance(engine, 'aabbccdd');
  expect([...found]).toEqual([
    ['0123456789abcdef', { containers: ['c0', 'c1'], volumes: ['v0', 'v1'] }],
    ['fedcba9876543210', { containers: ['c2'], volumes: ['v2'] }],
  ]);
  const other = found.get('fedcba9876543210') ?? { containers: [], volumes: [] };
  expect([await removeObjects(engine, other), removed]).toEqual([2, ['/containers/c2', '/volumes/v2']]);
});

describe('an engine that does not list is an error, never an empty list', () => {
  const DOWN = { status: 500, body: [] };
  test.each<readonly [string, (engine: EngineClient) => Promise<unknown>, string]>([
    ['containers', (engine) => listContainers(engine, CONTEXT), 'the engine lists no containers (500)'],
    ['volumes', (engine) => listVolumes(engine, CONTEXT), 'the engine lists no volumes (500)'],
    ['objects', (engine) => objectsOfInstance(engine, 'aabbccdd'), 'the engine does not list what it has'],
  ])('%s', async (_what, list, message) => {
    await expect(list(engineWith({ '/containers/json': DOWN, '/volumes': DOWN }).engine)).rejects.toThrow(message);
  });
});
