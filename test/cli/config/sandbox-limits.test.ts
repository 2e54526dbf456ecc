import { describe, expect, test } from 'vitest';
import { sandboxLimits } from '../../../src/cli/config/sandbox-limits.ts';

const GIB = 1024 ** 3;
const configured = { dependency_mounts: [] };

describe('the limits of a sandbox where code of the project runs', () => {
  test.each([
    ['one processor', { processors: 1, memoryBytes: 2 * GIB }, { cpus: 1, memoryBytes: GIB, pids: 100 }],
    ['two', { processors: 2, memoryBytes: 24 * GIB }, { cpus: 1, memoryBytes: GIB, pids: 100 }],
    ['eight', { processors: 8, memoryBytes: 32 * GIB }, { cpus: 4, memoryBytes: 4 * GIB, pids: 400 }],
    ['eight and little memory', { processors: 8, memoryBytes: 8 * GIB }, { cpus: 4, memoryBytes: 2 * GIB, pids: 400 }],
    ['very many', { processors: 256, memoryBytes: 1024 * GIB }, { cpus: 64, memoryBytes: 64 * GIB, pids: 4096 }],
  ])('are a share of a machine with %s', (_name, machine, expected) => {
    expect(sandboxLimits(configured, machine)).toEqual({ ...expected, fileSizeBytes: 256 * 1024 ** 2 });
  });

  test('are what the user sets, and what is not set follows from the processors', () => {
    const machine = { processors: 8, memoryBytes: 32 * GIB };
    expect(sandboxLimits({ ...configured, cpus: 2 }, machine)).toMatchObject({
      cpus: 2,
      memoryBytes: 2 * GIB,
      pids: 200,
    });
    expect(sandboxLimits({ ...configured, cpus: 0.5 }, machine)).toMatchObject({
      cpus: 0.5,
      memoryBytes: GIB,
      pids: 100,
    });
    expect(sandboxLimits({ ...configured, memory: 512 * 1024 ** 2, pids: 7 }, machine)).toMatchObject({
      cpus: 4,
      memoryBytes: 512 * 1024 ** 2,
      pids: 7,
    });
  });
});
