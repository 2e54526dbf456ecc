import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hasShellAbove, isInFront, placeOfProcess } from '../../../../src/cli/interactive/screen/stop-process.ts';
import type { ProcessPlace } from '../../../../src/cli/interactive/screen/stop-process.ts';

const place = (parent: number, group: number, session: number): ProcessPlace => ({
  parent,
  group,
  session,
  front: group,
});

describe('a shell that would wake a stopped process', () => {
  it.each<[string, Readonly<Record<number, ProcessPlace>>, boolean]>([
    ['is there in a terminal', { 30: place(20, 30, 20), 20: place(1, 20, 20), 1: place(0, 1, 1) }, true],
    [
      'is there above a wrapper of the same job',
      { 31: place(30, 30, 20), 30: place(20, 30, 20), 20: place(1, 20, 20) },
      true,
    ],
    [
      'is not there where fluffy leads its session',
      { 30: place(20, 30, 30), 20: place(1, 20, 20), 1: place(0, 1, 1) },
      false,
    ],
    [
      'is not there below a wrapper that leads its session',
      { 31: place(30, 30, 30), 30: place(20, 30, 30), 20: place(1, 20, 20) },
      false,
    ],
    ['is not there where everything is one job', { 30: place(1, 1, 1), 1: place(0, 1, 1) }, false],
    ['is taken for granted where nothing can be known', {}, true],
  ])('%s', (_, processes, expected) => {
    const first = Math.max(0, ...Object.keys(processes).map(Number));
    expect(hasShellAbove(first, (pid) => processes[pid] ?? null)).toBe(expected);
  });
});

it.each([
  ['its own group is in front', 30, true],
  ['another group is in front', 20, false],
  ['there is no terminal', -1, true],
  ['the group in front is in another container', 0, true],
])('where %s (%i), the terminal is its own: %s', (_, front, expected) => {
  expect(isInFront({ parent: 20, group: 30, session: 20, front })).toBe(expected);
});

it('where nothing can be known, the terminal is its own', () => expect(isInFront(null)).toBe(true));

it.skipIf(process.platform !== 'linux')('the place of a process is read from /proc', () => {
  const own = placeOfProcess(process.pid);
  expect(own?.parent).toBe(process.ppid);
  expect(placeOfProcess(2 ** 30)).toBeNull();
  const script = `import('./src/cli/interactive/screen/stop-process.ts').then((m) => m.stopProcess(() => false)).then(() => console.log('went on'))`;
  // Detached it leads a session of its own, where the system ignores the stop: it must go on by itself.
  const { stdout } = spawnSync('setsid', ['--wait', process.execPath, '-e', script], {
    encoding: 'utf8',
    timeout: 15_000,
  });
  expect(stdout).toBe('went on\n');
});
