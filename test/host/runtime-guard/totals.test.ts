import { expect, test } from 'vitest';
import type { ResourceLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { totalExceeded, totalsFor } from '../../../src/host/runtime-guard/totals.ts';

const GIB = 1024 ** 3;
const limits = (memoryBytes: number, pids = 10): ResourceLimits => ({ memoryBytes, cpus: 1, pids, fileSizeBytes: 1 });
const totals = { sandboxes: 4, memoryBytes: 3 * GIB, pids: 100 };
const times = (count: number, one: ResourceLimits): ResourceLimits[] => Array.from({ length: count }, () => one);

test.each<[string, ResourceLimits[], ResourceLimits, string | null]>([
  ['what fits exactly', times(2, limits(GIB)), limits(GIB), null],
  ['more memory', times(2, limits(GIB)), limits(GIB + 1), 'memory'],
  ['more sandboxes', times(4, limits(1)), limits(1), '4 sandboxes'],
  ['more processes', [limits(1, 60)], limits(1, 41), 'processes'],
])('%s: %#', (_what, present, further, reason) => {
  const exceeded = totalExceeded(present, further, totals);
  if (reason === null) expect(exceeded).toBeNull();
  else expect(exceeded).toContain(reason);
});

test('a small machine still has room for every operation that the scheduler admits, a large one no more than it has', () => {
  expect(totalsFor(templateLimits(), GIB).memoryBytes).toBe(8 * GIB);
  expect(totalsFor(templateLimits(), 64 * GIB).memoryBytes).toBe(64 * GIB);
  expect(totalsFor(templateLimits(limits(4 * GIB, 4096)), GIB)).toEqual({
    sandboxes: 64,
    memoryBytes: 32 * GIB,
    pids: 8 * 4096,
  });
});
