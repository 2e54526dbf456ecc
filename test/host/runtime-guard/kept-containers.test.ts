import { expect, test } from 'vitest';
import { createKeptContainers } from '../../../src/host/runtime-guard/kept-containers.ts';

const MADE = {
  program: 'tool:fs',
  session: 's_session00',
  limits: { memoryBytes: 1, cpus: 1, pids: 1, fileSizeBytes: 1 },
} as const;

function scene() {
  const closed: string[] = [];
  const kept = createKeptContainers();
  for (const sandbox of ['a', 'b']) {
    const entry = kept.add(sandbox, MADE);
    entry.id = `id of ${sandbox}`;
    entry.releases.add(() => Promise.resolve(closed.push(sandbox)));
  }
  return { kept, closed };
}

test('what was opened for a container is closed when it is dropped, once', async () => {
  const { kept, closed } = scene();
  await kept.drop('a');
  await kept.drop('a');
  expect(closed).toEqual(['a']);
  expect([kept.has('a'), kept.hasId('id of a'), kept.has('b')]).toEqual([false, false, true]);
  expect(kept.limits()).toHaveLength(1);
});

test('is dropped by the id of the engine, and by no other', async () => {
  const { kept, closed } = scene();
  await kept.dropById('id of b');
  await kept.dropById('b');
  expect(closed).toEqual(['b']);
});

test('a container that is being made has no id yet, and counts', () => {
  const { kept } = scene();
  expect(kept.add('c', MADE).id).toBeNull();
  expect(kept.hasId('null')).toBe(false);
  expect(kept.limits()).toHaveLength(3);
});

test('at the end everything is closed', async () => {
  const { kept, closed } = scene();
  await kept.dropAll();
  expect(closed.sort()).toEqual(['a', 'b']);
  expect(kept.limits()).toEqual([]);
});
