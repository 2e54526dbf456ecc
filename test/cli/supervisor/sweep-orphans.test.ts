import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instanceOf } from '../../../src/cli/supervisor/instance.ts';
import { supervisorLock } from '../../../src/cli/supervisor/runtime-directory.ts';
import { sweepOrphans } from '../../../src/cli/supervisor/sweep-orphans.ts';
import type { EngineClient } from '../../../src/host/runtime-guard/engine-client.ts';
import { withFileLock } from '../../../src/host/file-lock.ts';

const ORPHANED = 'aaaaaaaaaaaaaaaa';
const LIVING = 'bbbbbbbbbbbbbbbb';
const OWN = 'cccccccccccccccc';
const DELETED = 'dddddddddddddddd';

let stateHome: string;
beforeEach(async () => {
  stateHome = await mkdtemp(join(tmpdir(), 'fl-sweep-'));
  for (const project of [ORPHANED, LIVING, OWN]) await mkdir(hostOf(project), { recursive: true });
});
afterEach(() => rm(stateHome, { recursive: true }));

const hostOf = (project: string): string => join(stateHome, 'projects', project, 'host');

/** An engine that has a kernel, a sandbox and a volume of each project; it lists more than its filter says. */
function engineWith(projects: readonly string[]): { client: EngineClient; removed: string[] } {
  const removed: string[] = [];
  const labels = (project: string, role: string, instance = instanceOf(stateHome)) => ({
    'fluffy.project': project,
    'fluffy.instance': instance,
    'fluffy.role': role,
  });
  const containers = [
    ...projects.flatMap((project) => [
      { Id: `kernel-${project}`, Labels: labels(project, 'kernel') },
      { Id: `sandbox-${project}`, Labels: labels(project, 'sandbox') },
    ]),
    { Id: 'of-another-user', Labels: labels(ORPHANED, 'kernel', '00000000') },
    { Id: 'of-no-project', Labels: labels('../../etc', 'kernel') },
  ];
  const volumes = projects.map((project) => ({ Name: `volume-${project}`, Labels: labels(project, 'mount') }));
  const client: EngineClient = {
    call: (method, path) => {
      const name = /^\/(?:containers|volumes)\/([^/?]+)/.exec(path)?.[1] ?? '';
      if (method === 'DELETE') {
        removed.push(name);
        return Promise.resolve({ status: 204, body: null });
      }
      const body = path.startsWith('/volumes') ? { Volumes: volumes } : containers;
      return Promise.resolve({ status: 200, body });
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
  };
  return { client, removed };
}

test('removes what no living supervisor owns, and nothing else', async () => {
  const { client, removed } = engineWith([ORPHANED, LIVING, OWN, DELETED]);
  const count = await withFileLock(supervisorLock(hostOf(LIVING)), {}, () =>
    sweepOrphans({ engine: client, stateHome, ownProject: OWN }),
  );
  const all = (project: string): string[] => [`kernel-${project}`, `sandbox-${project}`, `volume-${project}`];
  expect(removed.sort()).toEqual([...all(ORPHANED), ...all(DELETED)].sort());
  expect(count).toBe(6);
});

test('a supervisor that starts while its project is swept waits for the end', async () => {
  const { client, removed } = engineWith([ORPHANED]);
  const order: string[] = [];
  const slow: EngineClient = {
    ...client,
    call: async (method, path) => {
      if (method === 'DELETE' && order.length === 0) {
        order.push('sweep');
        void withFileLock(supervisorLock(hostOf(ORPHANED)), {}, () => Promise.resolve(void order.push('start')));
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push('swept');
      }
      return await client.call(method, path);
    },
  };
  await sweepOrphans({ engine: slow, stateHome, ownProject: null });
  expect(order).toEqual(['sweep', 'swept']);
  expect(removed).toHaveLength(3);
});
